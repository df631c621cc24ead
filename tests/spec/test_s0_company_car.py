"""The company car: statements S0.40 to S0.60."""

import math

import pytest

from genius_py.fronts.platform import CompanyCarGame, ConfigManager, GameEngine
from tests.spec.platform_games import ACCEPT, NOOP, REJECT, car, play, price


def test_s0_040_the_shipped_figures() -> None:
    config = ConfigManager().get_game_config("company_car")
    assert config is not None
    assert {key: config[key] for key in config if key != "price_bounds"} == {
        "max_rounds": 5,
        "starting_price": 45000,
        "buyer_budget": 42000,
        "seller_cost": 36000,
        "buyer_batna": 41000,
        "seller_batna": 39000,
        "batna_decay": {"buyer": 0.015, "seller": 0.015},
    }


def test_s0_041_budget_and_cost_enter_no_rule() -> None:
    rich, poor = car(), car(buyer_budget=1, seller_cost=99999)
    for game in (rich, poor):
        assert game.is_valid_action("b", price(43000))
        game.process_actions({"b": price(43000), "s": ACCEPT})
    assert rich.game_data["utility_surpluses"] == poor.game_data["utility_surpluses"]


@pytest.mark.parametrize("players", [[], ["a"], ["a", "b", "c"], ["a", "a"]])
def test_s0_042_the_game_is_for_two(players: list[str]) -> None:
    with pytest.raises(ValueError, match="exactly two"):
        GameEngine().create_game("company_car", {}).initialize_game(players)


def test_s0_042_the_first_player_is_the_buyer_unless_roles_say_otherwise() -> None:
    def roles(**config: object) -> dict[str, str]:
        game = GameEngine().create_game("company_car", config)
        assigned: dict[str, str] = game.initialize_game(["x", "y"])["role_assignments"]
        return assigned

    assert roles() == {"buyer": "x", "seller": "y"}
    assert roles(roles={"buyer": "y", "seller": "x"}) == {"buyer": "y", "seller": "x"}
    assert roles(roles={"x": "seller", "y": "buyer"}) == {"buyer": "y", "seller": "x"}
    drawn = [roles(roles="random", seed=seed)["buyer"] for seed in range(20)]
    assert set(drawn) == {"x", "y"}
    assert drawn == [roles(roles="random", seed=seed)["buyer"] for seed in range(20)]
    with pytest.raises(ValueError, match="roles must give"):
        roles(roles={"buyer": "x"})


def test_s0_043_alternatives_of_each_round() -> None:
    game = car()
    buyer = [game.get_current_batna("b", r) for r in range(1, 6)]
    seller = [game.get_current_batna("s", r) for r in range(1, 6)]
    assert buyer == pytest.approx([41000, 40385, 39779.225, 39182.5366, 38594.7986], abs=5e-5)
    assert seller == pytest.approx([39000, 38415, 37838.775, 37271.1934, 36712.1255], abs=5e-5)
    zone = [b - s for b, s in zip(buyer, seller, strict=True)]
    assert zone == pytest.approx([2000, 1970, 1940.45, 1911.3432, 1882.6731], abs=5e-5)


def test_s0_044_the_exponent_is_the_round_less_one() -> None:
    assert car().get_current_batna("b", 3) == pytest.approx(41000 * 0.985**2, abs=1e-9)


def test_s0_045_a_negative_decay_turns_the_pressure_round() -> None:
    game = car(batna_decay={"buyer": -0.1, "seller": 0.0})
    assert game.get_current_batna("b", 2) == pytest.approx(45100)
    assert game.get_current_batna("s", 5) == 39000


@pytest.mark.parametrize(
    ("action", "meaning"),
    [
        ({"type": "offer", "price": 40000}, {"type": "offer", "price": 40000}),
        ({"type": "counter", "price": 40000}, {"type": "offer", "price": 40000}),
        ({"type": "counteroffer", "price": 40000}, {"type": "offer", "price": 40000}),
        ({"decision": {"type": "offer", "price": 40000}}, {"type": "offer", "price": 40000}),
        ({"type": "accept"}, {"type": "accept"}),
        ({"type": "offer_accepted"}, {"type": "accept"}),
        ({"type": "offer_response"}, {"type": "accept"}),
        ({"type": "reject"}, {"type": "reject"}),
        ({"type": ""}, {"type": "reject"}),
        ({"price": 40000}, {"type": "reject"}),
        ({"type": "noop"}, {"type": "noop"}),
    ],
)
def test_s0_046_types_of_action(action: dict[str, object], meaning: dict[str, object]) -> None:
    game = car()
    game.process_actions({"s": price(41000)})  # so that there is something to reject
    assert game.is_valid_action("b", action)
    game._open_round()
    assert game.from_action(game.to_action("b", action)) == meaning


def test_s0_046_any_other_type_is_invalid() -> None:
    assert not car().is_valid_action("b", {"type": "haggle", "price": 40000})
    assert not car().is_valid_action("stranger", ACCEPT)


@pytest.mark.parametrize("number", [9999.99, 100000.01, 0, -5, math.nan, math.inf, None, True])
def test_s0_047_prices_out_of_bounds_are_invalid(number: float) -> None:
    assert not car().is_valid_action("b", price(number))


@pytest.mark.parametrize("number", [10000, 100000, 38500.5])
def test_s0_047_prices_up_to_the_bounds_are_valid(number: float) -> None:
    assert car().is_valid_action("b", price(number))


def test_s0_048_each_player_may_offer_one_time_less_than_there_are_rounds() -> None:
    game = car()
    for made in range(4):
        assert game.is_valid_action("b", price(40000)), made
        game.process_actions({"b": price(30000 + made), "s": NOOP})
    assert not game.is_valid_action("b", price(40000))
    assert game.is_valid_action("s", price(40000))
    state = game.process_actions({"b": price(40000), "s": price(40000)})
    assert state["last_offers"]["b"] == {"price": 30003}
    assert not state["agreement_reached"]


def test_s0_048_an_offer_too_many_becomes_a_noop_in_a_session() -> None:
    result = play([price(30000)], [NOOP])
    actions = [entry["actions"]["b"]["type"] for entry in result["actions_history"]]
    assert actions == ["offer", "offer", "offer", "offer", "noop"]
    assert len(result["session_metadata"]["faults"]) == 4
    assert "used up its 4 proposals" in result["session_metadata"]["faults"][0]


def test_s0_049_a_rejection_that_ends_goes_before_an_acceptance() -> None:
    game = car(max_rounds=2)
    game.process_actions({"b": price(40000), "s": price(41000)})
    state = game.process_actions({"b": ACCEPT, "s": REJECT})
    assert not state["agreement_reached"]
    assert state["game_ended"]


def test_s0_049_offers_are_stored_before_acceptances_are_looked_at() -> None:
    game = car()
    game.process_actions({"b": price(38000), "s": price(42000)})
    state = game.process_actions({"b": ACCEPT, "s": price(40000)})
    assert state["agreed_price"] == 40000


def test_s0_049_rounds_and_deadline_come_last() -> None:
    game = car(max_rounds=2)
    assert game.process_actions({"b": price(1e5), "s": price(1e4)})["current_round"] == 2
    assert game.process_actions({"b": NOOP, "s": NOOP})["game_ended"]


def test_s0_050_a_rejection_ends_only_when_the_own_offers_are_used_up() -> None:
    game = car(max_rounds=3)
    for _ in range(2):
        game.process_actions({"b": REJECT, "s": price(41000)})
        assert not game.check_end_conditions()
    state = game.process_actions({"b": NOOP, "s": REJECT})
    assert (state["game_ended"], state["agreement_reached"]) == (True, False)


def test_s0_051_the_same_price_from_both_is_an_agreement() -> None:
    state = car().process_actions({"b": price(40000), "s": price(40000.0)})
    assert state["agreement_reached"]
    assert state["agreement_type"] == "convergence"
    assert state["agreed_price"] == 40000


def test_s0_051_the_same_price_in_different_rounds_is_none() -> None:
    game = car()
    game.process_actions({"b": price(40000), "s": price(41000)})
    assert not game.process_actions({"b": price(39000), "s": price(40000)})["agreement_reached"]


def test_s0_052_accepting_takes_the_latest_offer_even_of_this_round() -> None:
    result = play([price(38000), price(39500)], [price(42000), ACCEPT])
    assert result["agreed_price"] == 39500
    assert result["agreement_round"] == 2


def test_s0_052_accepting_nothing_wastes_the_turn_without_being_an_error() -> None:
    result = play([ACCEPT, price(39000)], [price(41000), ACCEPT])
    assert result["actions_history"][0] == {"round": 1, "actions": {"b": ACCEPT}}
    assert result["session_metadata"]["faults"] == []
    assert result["agreed_price"] == 39000


def test_s0_053_whoever_accepts_ends_the_round_even_in_vain() -> None:
    result = play([ACCEPT, NOOP], [price(40000)])
    assert list(result["actions_history"][0]["actions"]) == ["b"]
    assert list(result["actions_history"][1]["actions"]) == ["b", "s"]
    assert len(result["actions_history"]) == 5


def test_s0_053_the_other_does_not_move_after_an_acceptance() -> None:
    result = play([NOOP, ACCEPT], [price(40000)])
    assert result["actions_history"][-1] == {"round": 2, "actions": {"b": ACCEPT}}


def test_s0_054_the_facts_of_an_agreement() -> None:
    result = play([price(38000), ACCEPT], [price(40000)])
    assert result["agreed_price"] == 40000
    assert result["agreement_round"] == 2
    assert result["batnas_at_agreement"] == pytest.approx({"b": 40385, "s": 38415})
    assert result["utility_surpluses"] == pytest.approx({"b": 385, "s": 1585})
    assert result["final_utilities"] == pytest.approx({"b": 2 * 40385 - 40000, "s": 40000})
    for player, utility in result["final_utilities"].items():
        surplus = utility - result["batnas_at_agreement"][player]
        assert surplus == pytest.approx(result["utility_surpluses"][player], abs=1e-9)


def test_s0_055_without_a_deal_everything_is_0_but_the_alternatives_are_told() -> None:
    result = play([NOOP], [NOOP])
    assert result["final_utilities"] == {"b": 0.0, "s": 0.0}
    assert result["utility_surpluses"] == {"b": 0.0, "s": 0.0}
    assert "batnas_at_agreement" not in result
    assert result["reservation_utilities"] == pytest.approx(
        {"b": 41000 * 0.985**4, "s": 39000 * 0.985**4}
    )


def test_s0_056_the_game_is_over_when_agreed_ended_or_out_of_rounds() -> None:
    game = car()
    assert game.is_game_over({"current_round": 1, "agreement_reached": True})
    assert game.is_game_over({"current_round": 1, "game_ended": True})
    assert game.is_game_over({"current_round": 6})
    assert not game.is_game_over({"current_round": 5})


def test_s0_056_an_agreement_does_not_advance_the_round_and_a_deadline_does() -> None:
    agreed = play([NOOP, ACCEPT], [price(40000)])
    assert (agreed["current_round"], agreed["total_rounds"]) == (2, 2)
    failed = play([NOOP], [NOOP])
    assert (failed["current_round"], failed["total_rounds"]) == (6, 5)


def test_s0_057_the_winner_has_the_largest_surplus_above_0() -> None:
    assert play([NOOP, ACCEPT], [price(40384)])["winner"] == "s"
    assert play([NOOP, NOOP], [NOOP, NOOP])["winner"] is None
    # At 45000 in round 1 only the seller gains; at a price that both lose by, nobody wins.
    lossy = car(buyer_batna=30000, seller_batna=50000)
    state = lossy.process_actions({"b": price(40000), "s": ACCEPT})
    assert (state["winner"], lossy.get_winner(state)) == (None, None)


def test_s0_057_a_tie_has_no_winner_but_is_told() -> None:
    game = car()
    state = game.process_actions({"b": price(40000), "s": ACCEPT})
    assert state["winner"] is None
    assert state["tied"] == ["b", "s"]
    assert game.get_winner(state) is None


def test_s0_058_the_prompt_shows_all_that_counts_but_no_role() -> None:
    game = car()
    game.process_actions({"b": price(38000), "s": price(42000)})
    for player, label, batna in (("b", "ROLE A", "40385.00"), ("s", "ROLE B", "38415.00")):
        prompt = game.get_game_prompt(player)
        assert label in prompt
        assert batna in prompt
        assert "38000" in prompt
        assert "42000" in prompt
        assert "3 of 4" in prompt
        assert "Round 2 of 5" in prompt
        assert '{"type": "offer", "price": <number>}' in prompt
        assert '{"type": "accept"}' in prompt
        assert '{"type": "reject"}' in prompt
        assert "buyer" not in prompt.lower()
        assert "seller" not in prompt.lower()


@pytest.mark.parametrize(
    ("first", "second", "number", "round_number", "buyer", "seller"),
    [
        (
            [NOOP, NOOP, NOOP, NOOP, price(38500)],
            [NOOP, NOOP, NOOP, NOOP, ACCEPT],
            38500,
            5,
            94.7985756249982,
            1787.8745256249967,
        ),
        ([NOOP, ACCEPT], [price(42000)], 42000, 2, -1615.0, 3585.0),
        ([NOOP, NOOP, ACCEPT], [NOOP, price(39000)], 39000, 3, 779.225, 1161.225),
        (
            [NOOP, NOOP, price(38500)],
            [NOOP, NOOP, price(38500)],
            38500,
            3,
            1279.225,
            661.225,
        ),
    ],
    ids=["round 5", "accepted in round 2", "accepted in round 3", "by convergence"],
)
def test_s0_059_logged_agreements(
    first: list[object],
    second: list[object],
    number: float,
    round_number: int,
    buyer: float,
    seller: float,
) -> None:
    result = play(first, second)
    assert result["agreed_price"] == number
    assert result["agreement_round"] == round_number
    assert result["utility_surpluses"] == pytest.approx({"b": buyer, "s": seller}, abs=1e-9)
    assert result["metrics"]["utility_surplus"] == pytest.approx(
        {"b": buyer, "s": seller}, abs=1e-9
    )
    assert result["winner"] == ("b" if buyer > seller else "s")


@pytest.mark.parametrize("last", range(1, 6))
def test_s0_060_agreements_come_by_acceptance_or_convergence_in_any_round(last: int) -> None:
    waits = [NOOP] * (last - 1)
    accepted = play([*waits, price(39000)], [*waits, ACCEPT])
    converged = play([*waits, price(39000)], [*waits, price(39000)])
    for result, how in ((accepted, "acceptance"), (converged, "convergence")):
        assert (result["agreement_type"], result["agreement_round"]) == (how, last)
    # The counts of the stored logs agree with each other: ways, rounds, and the rest without one.
    assert 1003 + 2906 == 482 + 411 + 366 + 503 + 2147 == 4481 - 572


def test_an_action_at_a_time_makes_the_same_game_as_whole_rounds() -> None:
    from genius_py.fronts.platform import PlayerAction

    game = car()
    game.process_action(PlayerAction("b", "offer", {"price": 38000}, 0.0, 1))
    assert game.game_data["current_round"] == 1
    game.process_action(PlayerAction("s", "offer", {"price": 42000}, 0.0, 1))
    assert game.game_data["current_round"] == 2
    state = game.process_action(PlayerAction("b", "accept", {}, 0.0, 2))
    assert state["agreed_price"] == 42000
    assert game.calculate_scores() == pytest.approx({"b": 38770, "s": 42000})
    assert game.process_action(PlayerAction("s", "noop", {}, 0.0, 3)) == state


def test_an_action_that_is_not_allowed_is_refused_alone_and_passed_over_in_a_round() -> None:
    from genius_py.fronts.platform import PlayerAction

    game = car()
    with pytest.raises(ValueError, match="from 10000 to 100000"):
        game.process_action(PlayerAction("b", "offer", {"price": 1}, 0.0, 1))
    state = car().process_actions({"b": price(1), "s": price(40000)})
    assert list(state["last_offers"]) == ["s"]


def test_rounds_may_be_handed_in_as_replies() -> None:
    state = car().process_actions(
        {"b": '{"type": "offer", "price": "40,000"}', "s": "I accept your offer."}
    )
    assert state["agreed_price"] == 40000


def test_a_game_needs_a_possible_number_of_rounds() -> None:
    with pytest.raises(ValueError, match="max_rounds"):
        GameEngine().create_game("company_car", {"max_rounds": 0})
    with pytest.raises(ValueError, match="batnas must be a number for buyer"):
        GameEngine().create_game("company_car", {"buyer_batna": "much"})


def test_before_it_is_initialized_a_game_has_no_state() -> None:
    game = GameEngine().create_game("company_car", {})
    assert isinstance(game, CompanyCarGame)
    assert game.game_data == {}
    assert not game.is_valid_action("b", ACCEPT)
    with pytest.raises(ValueError, match="does not play"):
        game.role_of("b")
