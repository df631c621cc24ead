"""Resource allocation: statements S0.70 to S0.78."""

import logging

import numpy as np
import pytest

from genius_py.analysis.pareto import pareto_frontier
from genius_py.analysis.solutions import nash
from genius_py.fronts.platform import ConfigManager
from genius_py.metrics.terms import Terms
from tests.spec.platform_games import ACCEPT, NOOP, Script, hours, play, resource, session


def test_s0_070_the_shipped_figures() -> None:
    config = ConfigManager().get_game_config("resource_allocation")
    assert config == {
        "max_rounds": 5,
        "total_resources": 100,
        "constraints": {"gpu_bandwidth": 380, "min_gpu": 5, "min_cpu": 5},
        "bandwidth_per_hour": {"gpu_hours": 4, "cpu_hours": 4},
        "team_preferences": {
            "development": {"gpu_hours": 8, "cpu_hours": 6},
            "marketing": {"gpu_hours": 6, "cpu_hours": 8},
        },
        "batnas": {"development": 300, "marketing": 270},
        "batna_decay": {"development": 0.015, "marketing": 0.015},
    }


def test_s0_071_both_teams_score_the_same_totals() -> None:
    game = resource()
    state = game.process_actions({"d": hours(40, 55), "m": hours(40, 55)})
    assert state["final_utilities"] == {"d": 8 * 40 + 6 * 55, "m": 6 * 40 + 8 * 55}


@pytest.mark.parametrize("allocation", [(90, 5), (5, 90), (47.5, 47.5), (5, 5)])
def test_s0_072_what_is_possible(allocation: tuple[float, float]) -> None:
    assert resource().is_valid_action("d", hours(*allocation))


@pytest.mark.parametrize(
    "allocation", [(48, 48), (91, 4), (4, 50), (0, 50), (-1, 50), (95, 6), (float("nan"), 5)]
)
def test_s0_072_what_is_not(allocation: tuple[float, float]) -> None:
    assert not resource().is_valid_action("d", hours(*allocation))


def test_s0_072_float_noise_at_the_limit_is_forgiven() -> None:
    assert resource().is_valid_action("d", hours(94.9 - 5.3, 5.4))


def test_s0_072_proposals_run_out() -> None:
    game = resource()
    for _ in range(4):
        game.process_actions({"d": hours(50, 40), "m": NOOP})
    assert not game.is_valid_action("d", hours(50, 40))


@pytest.mark.parametrize("kind", ["offer", "propose", "counter", "counteroffer"])
@pytest.mark.parametrize(
    "content",
    [
        {"gpu_hours": 30, "cpu_hours": 25},
        {"gpu": 30, "cpu": 25},
        {"proposal": {"gpu_hours": 30, "cpu_hours": 25}},
    ],
)
def test_s0_073_all_names_of_types_and_hours_are_understood(
    kind: str, content: dict[str, object]
) -> None:
    game = resource()
    state = game.process_actions({"d": {"type": kind, **content}})
    assert state["last_offers"]["d"] == {"gpu_hours": 30, "cpu_hours": 25}


def test_s0_074_an_offer_of_the_same_round_cannot_be_accepted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    game = resource()
    with caplog.at_level(logging.WARNING):
        state = game.process_actions({"d": hours(50, 40), "m": ACCEPT})
    assert not state["agreement_reached"]
    assert "accepts an offer of the same round" in caplog.text
    assert game.process_actions({"d": NOOP, "m": ACCEPT})["agreement_reached"]


def test_s0_074_an_acceptance_takes_the_offer_of_the_earlier_round() -> None:
    game = resource()
    game.process_actions({"d": hours(50, 40), "m": hours(20, 60)})
    state = game.process_actions({"d": hours(60, 30), "m": ACCEPT})
    assert state["agreed_allocation"] == {"gpu_hours": 50, "cpu_hours": 40}


def test_s0_074_accepting_in_the_same_round_burns_it_in_a_session() -> None:
    result = play([hours(50, 40)], [ACCEPT], "resource_allocation")
    assert [list(entry["actions"]) for entry in result["actions_history"]] == [["b", "s"]] * 2
    assert result["agreement_round"] == 2


def test_s0_075_the_round_of_the_offer_prices_an_accepted_one() -> None:
    game = resource()
    game.process_actions({"d": hours(50, 40), "m": NOOP})
    game.process_actions({"d": NOOP, "m": NOOP})
    state = game.process_actions({"d": NOOP, "m": ACCEPT})
    assert state["agreement_round"] == 3
    assert state["batnas_at_agreement"] == {"d": 300, "m": 270}
    assert state["utility_surpluses"] == {"d": 640 - 300, "m": 620 - 270}


def test_s0_075_convergence_is_priced_by_the_current_round() -> None:
    game = resource()
    game.process_actions({"d": NOOP, "m": NOOP})
    state = game.process_actions({"d": hours(50, 40), "m": hours(50, 40)})
    assert state["batnas_at_agreement"] == pytest.approx({"d": 300 * 0.985, "m": 270 * 0.985})


def test_s0_076_utilities_are_free_of_noise_and_so_is_what_players_are_told() -> None:
    game = resource(uncertainty={"stochastic_demand": {"std": 5}})
    game.process_actions({"d": hours(30, 25), "m": NOOP})
    assert game.get_game_prompt("m") == game.get_game_prompt("m")
    assert "380 points" in game.get_game_prompt("m")
    state = game.process_actions({"d": NOOP, "m": ACCEPT})
    assert state["final_utilities"] == {"d": 390, "m": 380}


def test_s0_077_no_deal_has_one_number_and_the_alternatives_beside_it() -> None:
    game = resource(max_rounds=1)
    state = game.process_actions({"d": NOOP, "m": NOOP})
    assert state["final_utilities"] == game.calculate_scores() == {"d": 0.0, "m": 0.0}
    assert state["reservation_utilities"] == {"d": 300, "m": 270}


def test_s0_078_logged_convergence_in_round_1() -> None:
    result = play([hours(30, 25)], [hours(30, 25)], "resource_allocation")
    assert result["final_utilities"] == {"b": 390, "s": 380}
    assert result["utility_surpluses"] == {"b": 90, "s": 110}
    assert result["winner"] == "s"
    assert result["metrics"]["utility_surplus"] == {"b": 90, "s": 110}


def test_s0_078_the_outcome_space_over_whole_hours() -> None:
    game = resource()
    plans = [
        (x, y) for x in range(101) for y in range(101) if game.is_valid_action("d", hours(x, y))
    ]
    assert len(plans) == 3741
    bids = [game.read_terms(hours(*plan)) for plan in plans]
    points = np.array(
        [[game.utility(role, bid) for role in ("development", "marketing")] for bid in bids]
    )
    best_development, best_marketing = points.argmax(axis=0)
    assert plans[best_development] == (90, 5)
    assert points[best_development].tolist() == [750, 580]
    assert plans[best_marketing] == (5, 90)
    assert points[best_marketing].tolist() == [580, 750]
    frontier = [plans[i] for i in pareto_frontier(points)]
    assert len(frontier) == 86
    assert (frontier[0], frontier[-1]) == ((5, 90), (90, 5))
    assert all(x + y == 95 for x, y in frontier)
    solution = nash(points, [300, 270])
    assert solution is not None
    assert plans[solution] == (55, 40)
    assert points[solution].tolist() == [680, 650]
    assert np.prod(points[solution] - [300, 270]) == 144400
    assert ((points >= [300, 270]).all(axis=1)).sum() == 3141


def test_the_metrics_know_the_shipped_scores_where_a_state_does_not_tell_them() -> None:
    from genius_py.fronts.platform import GameResult

    game = resource()
    bid = game.read_terms(hours(30, 25))
    for role in game.roles:
        state = {
            "game_type": "resource_allocation",
            "private_info": {"p": {"role": role, "batna": 0}},
        }
        terms = Terms(GameResult("g", ["p"], game_data=state))
        assert terms.gain("p", hours(30, 25), 1) == game.utility(role, bid)


def test_a_team_that_is_told_why_it_was_refused_can_do_better() -> None:
    model = Script(hours(48, 48), hours(47, 48))
    session({"d": model, "m": Script(NOOP)}).run_negotiation(
        game_type="resource_allocation", players=["d", "m"], game_config={"max_rounds": 2}
    )
    assert "4 gpu_hours + 4 cpu_hours = 384; at most 380" in model.prompts[1]
