"""Integrative negotiations: statements S0.80 to S0.86."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from genius_py.analysis.pareto import pareto_frontier
from genius_py.fronts.platform import (
    ConfigManager,
    GameEngine,
    GameResult,
    PlayerAction,
    RiskMinimizationMetric,
)
from genius_py.metrics.terms import Terms
from tests.spec.platform_games import ACCEPT, NOOP, integrative, office, play

MIDDLE = office(100, 4, "Shared", "Moderate")
BEST = office(150, 7, "Outsourced", "Prominent")


def all_points(**config: Any) -> np.ndarray:
    game = integrative(**config)
    issues = game.issues.values()
    bids = [
        game.read_terms(office(*options))
        for options in product(*(issue["options"] for issue in issues))
    ]
    return np.array([[game.utility(role, bid) for role in game.roles] for bid in bids])


def test_s0_080_the_shipped_figures() -> None:
    config = ConfigManager().get_game_config("integrative_negotiations")
    assert config is not None
    del config["presets"]
    points = [10, 30, 60]
    assert config == {
        "max_rounds": 5,
        "issues": {
            "server_room": {"options": [50, 100, 150], "points": points},
            "meeting_access": {"options": [2, 4, 7], "points": points},
            "cleaning": {"options": ["IT", "Shared", "Outsourced"], "points": points},
            "branding": {"options": ["Minimal", "Moderate", "Prominent"], "points": points},
        },
        "weights": {
            "IT": {"server_room": 0.4, "meeting_access": 0.1, "cleaning": 0.3, "branding": 0.2},
            "Marketing": {
                "server_room": 0.1,
                "meeting_access": 0.4,
                "cleaning": 0.2,
                "branding": 0.3,
            },
        },
        "batnas": {"IT": 27, "Marketing": 19},
        "batna_decay": 0.015,
    }


def test_s0_080_decay_may_be_told_by_role() -> None:
    game = integrative(batna_decay={"IT": 0.5, "Marketing": 0.0})
    assert [game.get_current_batna(player, 2) for player in ("i", "m")] == [13.5, 19]


def test_s0_081_utility_is_the_weighted_sum_of_points() -> None:
    game = integrative()
    assert game.calculate_utility("i", office(150, 2, "Shared", "Minimal")) == pytest.approx(36)
    assert game.calculate_utility("m", office(150, 2, "Shared", "Minimal")) == pytest.approx(19)
    assert game.calculate_utility("i", MIDDLE) == pytest.approx(30)
    assert game.calculate_utility("m", MIDDLE) == pytest.approx(30)
    points = all_points()
    assert len(points) == 81
    assert points.min() == pytest.approx(10)
    assert points.max() == pytest.approx(60)


def test_s0_082_with_the_shipped_points_one_outcome_is_best_for_both() -> None:
    points = all_points()
    (best,) = pareto_frontier(points)
    assert points[best] == pytest.approx([60, 60])
    noise = 1e-9
    assert ((points >= np.array([27, 19]) - noise).all(axis=1)).sum() == 56
    assert ((points > np.array([27, 19]) + noise).all(axis=1)).sum() == 53


def test_s0_082_the_preset_with_a_conflict_rewards_trading_issues() -> None:
    points = all_points(preset="tradeoff")
    frontier = points[pareto_frontier(points)]
    assert len(frontier) > 5
    assert frontier.sum(axis=1).max() == pytest.approx(90)  # 45 each; half-way brings 30 each
    with pytest.raises(ValueError, match="tradeoff"):
        integrative(preset="peace")


@pytest.mark.parametrize(
    "action",
    [
        MIDDLE,
        {**MIDDLE, "colour": "red"},
        {"type": "propose", "proposal": {k: v for k, v in MIDDLE.items() if k != "type"}},
        {**MIDDLE, "type": "counter"},
        {**MIDDLE, "type": "counter-offer"},
        {**MIDDLE, "type": "offer"},
        {**MIDDLE, "server_room": "100", "cleaning": "shared"},
    ],
)
def test_s0_083_proposals_that_cover_all_issues_are_valid(action: dict[str, Any]) -> None:
    game = integrative()
    assert game.is_valid_action("i", action)
    state = game.process_actions({"i": action})
    assert state["last_offers"]["i"] == {
        "proposal": {k: v for k, v in MIDDLE.items() if k != "type"}
    }


@pytest.mark.parametrize(
    "action",
    [
        {"type": "propose"},
        {"type": "propose", "server_room": 100},
        {**MIDDLE, "server_room": 75},
        {**MIDDLE, "cleaning": "Robots"},
        {**MIDDLE, "meeting_access": True},
        {"type": "propose", "proposal": {}},
    ],
)
def test_s0_083_partial_and_unlisted_proposals_are_not(action: dict[str, Any]) -> None:
    assert not integrative().is_valid_action("i", action)


def test_s0_084_an_unknown_option_is_worth_nothing_to_nobody_but_an_error() -> None:
    with pytest.raises(ValueError, match="'Robots' for cleaning"):
        integrative().calculate_utility("i", {**MIDDLE, "cleaning": "Robots"})


def test_s0_085_a_proposal_of_the_same_round_can_be_accepted() -> None:
    state = integrative().process_actions({"i": MIDDLE, "m": ACCEPT})
    assert state["agreed_proposal"] == {k: v for k, v in MIDDLE.items() if k != "type"}
    state = integrative().process_actions({"m": ACCEPT, "i": MIDDLE})
    assert state["agreement_reached"]


def test_s0_085_agreement_and_alternatives_are_of_the_round_of_the_proposal() -> None:
    result = play([BEST, NOOP], [NOOP, NOOP, ACCEPT], "integrative_negotiations")
    assert result["agreement_round"] == 1
    assert result["total_rounds"] == 3
    assert result["batnas_at_agreement"] == {"b": 27, "s": 19}
    assert result["utility_surpluses"] == pytest.approx({"b": 33, "s": 41})


def test_s0_086_a_prompt_says_better_for_more_and_a_metric_counts_as_much_too() -> None:
    game = integrative(batnas={"IT": 30, "Marketing": 20}, batna_decay=0.0)
    game.process_actions({"i": MIDDLE, "m": NOOP})
    assert "30 points for you (not better than" in game.get_game_prompt("i")
    assert "30 points for you (better than" in game.get_game_prompt("m")
    result = GameResult("g", ["i", "m"], game_data=game.game_data)
    made = PlayerAction("i", "propose", MIDDLE, 0.0, 1)
    assert RiskMinimizationMetric().calculate(result, [made])["i"] == 1.0


def test_the_metrics_know_the_shipped_points_where_a_state_does_not_tell_them() -> None:
    game = integrative()
    for role in game.roles:
        state = {
            "game_type": "integrative_negotiations",
            "private_info": {"p": {"role": role, "batna": 0}},
        }
        terms = Terms(GameResult("g", ["p"], game_data=state))
        expected = game.utility(role, game.read_terms(MIDDLE))
        assert terms.gain("p", MIDDLE, 1) == pytest.approx(expected)
        assert terms.gain("p", {"proposal": MIDDLE}, 1) == pytest.approx(expected)
        assert terms.gain("p", {**MIDDLE, "branding": "Loud"}, 1) is None
        assert terms.gain("p", {"server_room": 50}, 1) is None


def test_each_issue_needs_points_for_each_option() -> None:
    issues = {"colour": {"options": ["red", "blue"], "points": [1]}}
    weights = {"IT": {"colour": 1}, "Marketing": {"colour": 1}}
    game = GameEngine().create_game(
        "integrative_negotiations", {"issues": issues, "weights": weights}
    )
    with pytest.raises(ValueError, match="one for each option"):
        game.initialize_game(["i", "m"])


def test_each_role_needs_weights() -> None:
    game = GameEngine().create_game(
        "integrative_negotiations", {"weights": {"IT": {"server_room": 1}}}
    )
    with pytest.raises(ValueError, match="says nothing about Marketing"):
        game.initialize_game(["i", "m"])
