"""What a trade pays and why it ended: statements S1.30 to S1.35."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.fronts.trade import BilateralTradeGame, Match, PartyAgent
from genius_py.fronts.trade.experiment import ExperimentConfig, ExperimentRunner
from tests.spec.trades import TERMS, agreed, competitive, delivered, do, haggling, requested


def utilities(match: Match) -> dict[str, float]:
    assert match.outcome is not None
    return {line["agent_id"]: line["utility"] for line in match.outcome["payoffs"]}


def reason(match: Match) -> str:
    assert match.outcome is not None
    return str(match.outcome["reason"])


def disputed(price: float, resolution: str, budget: float = 100) -> Match:
    match = delivered(price, budget, dispute_resolution=resolution)
    do(match, "ini", "dispute_delivery", {"reason": "Not what was agreed."})
    return match


def test_s1_30_accepted_work_is_paid_at_its_price() -> None:
    match = delivered(35)
    do(match, "ini", "accept_delivery")
    assert match.outcome == {
        "payoffs": [
            {"agent_id": "ini", "utility": -35.0},
            {"agent_id": "pro", "utility": 35.0},
        ],
        "reason": "trade_completed",
    }


def test_s1_30_who_was_not_chosen_gets_nothing() -> None:
    match = competitive()
    do(match, "p1", "propose", {"scope": "a", "price": 30})
    do(match, "p2", "propose", {"scope": "b", "price": 25})
    do(match, "ini", "accept_proposal", {"provider_id": "p2"})
    do(match, "p2", "submit_deliverable", {"content": "done"})
    do(match, "ini", "accept_delivery")
    assert utilities(match) == {"ini": -25.0, "p1": 0.0, "p2": 25.0}


def test_s1_31_a_dispute_pays_nothing() -> None:
    match = disputed(35, "no_payment")
    assert utilities(match) == {"ini": 0.0, "pro": 0.0}
    assert reason(match) == "delivery_disputed_no_payment"


@pytest.mark.parametrize(("price", "half"), [(35, 17.5), (80, 40.0), (0.01, 0.005)])
def test_s1_31_or_exactly_half(price: float, half: float) -> None:
    match = disputed(price, "split")
    assert utilities(match) == {"ini": -half, "pro": half}
    assert reason(match) == "delivery_disputed_split"


@given(price=st.floats(0, 1000), resolution=st.sampled_from(("no_payment", "split")))
def test_s1_31_money_is_neither_made_nor_lost(price: float, resolution: str) -> None:
    completed = delivered(price, 1000)
    do(completed, "ini", "accept_delivery")
    for match in (completed, disputed(price, resolution, 1000)):
        assert sum(utilities(match).values()) == 0


def test_s1_32_accepted_work_may_be_worth_something_to_the_initiator() -> None:
    match = delivered(35, task_value=60)
    do(match, "ini", "accept_delivery")
    assert utilities(match) == {"ini": 25.0, "pro": 35.0}
    match = delivered(35, task_value=60, dispute_resolution="split")
    do(match, "ini", "dispute_delivery", {})
    assert utilities(match) == {"ini": -17.5, "pro": 17.5}


def test_s1_32_as_the_seed_has_it_the_initiator_never_gains_by_a_trade() -> None:
    match = delivered(0.01)
    do(match, "ini", "accept_delivery")
    assert utilities(match)["ini"] < 0


def test_s1_33_a_price_pays_the_buyer_what_it_saves_and_the_seller_what_it_gains() -> None:
    match = haggling()
    do(match, "sell", "propose", {"price": 65})
    do(match, "buy", "accept_proposal")
    assert match.outcome == {
        "payoffs": [{"agent_id": "buy", "utility": 35.0}, {"agent_id": "sell", "utility": 35.0}],
        "reason": "trade_completed",
    }


@given(
    price=st.floats(0, 100),
    buyer=st.floats(-1e6, 1e6),
    seller=st.floats(-1e6, 1e6),
)
def test_s1_33_the_buyers_own_reservation_value_does_not_count(
    price: float, buyer: float, seller: float
) -> None:
    match = haggling(reservation_values={"buyer": buyer, "seller": seller})
    do(match, "sell", "propose", {"price": price})
    do(match, "buy", "accept_proposal")
    assert utilities(match) == {"buy": 100 - price, "sell": price - seller}


def test_s1_33_a_failure_pays_nothing() -> None:
    match = haggling()
    do(match, "sell", "reject_and_exit", {"reason": "no"})
    assert utilities(match) == {"buy": 0.0, "sell": 0.0}
    assert reason(match) == "negotiation_failed"


def test_s1_34_a_game_from_two_reservation_values() -> None:
    game = BilateralTradeGame.from_params()
    assert (game.mode, game.fixed_scope, game.max_budget) == ("price_only", "A service", 80)
    assert game.reservation_values == {"buyer": 80, "seller": 40}
    assert BilateralTradeGame.from_params(buyer_rv=55).max_budget == 55


def completed() -> Match:
    match = delivered()
    do(match, "ini", "accept_delivery")
    return match


def left(agent: str) -> Callable[[], Match]:
    def play() -> Match:
        match = requested(negotiate_turn_order="random")
        do(match, agent, "reject_and_exit", {})
        return match

    return play


def initiator_left() -> Match:
    match = competitive()
    do(match, "p1", "propose", TERMS)
    do(match, "p2", "message_only", message="Wait.")
    do(match, "ini", "reject_and_exit", {})
    return match


def all_left() -> Match:
    match = competitive()
    do(match, "p1", "reject_and_exit", {})
    do(match, "p2", "reject_and_exit", {})
    return match


def out_of_rounds() -> Match:
    match = requested(negotiate_rounds=1)
    do(match, "pro", "propose", TERMS)
    do(match, "ini", "propose", TERMS)
    return match


def out_of_turns() -> Match:
    match = Match(BilateralTradeGame(), ("ini", "pro"), max_turns=2)
    do(match, "ini", "post_request", {"description": "work", "max_budget": 50})
    do(match, "pro", "propose", TERMS)
    return match


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (completed, "trade_completed"),
        (lambda: disputed(35, "no_payment"), "delivery_disputed_no_payment"),
        (lambda: disputed(35, "split"), "delivery_disputed_split"),
        (left("ini"), "negotiation_failed"),
        (left("pro"), "negotiation_failed"),
        (out_of_rounds, "max_rounds_exceeded"),
        (initiator_left, "initiator_exited"),
        (all_left, "all_providers_exited"),
        (out_of_turns, "max_turns_exceeded"),
    ],
)
def test_s1_35_every_reason_that_there_is(play: Callable[[], Match], expected: str) -> None:
    match = play()
    assert reason(match) == expected
    assert not match.is_running


def test_s1_35_an_unfinished_match_has_no_outcome() -> None:
    assert agreed().outcome is None


def test_s1_35_the_engine_names_the_reason_as_its_detail() -> None:
    agents = [PartyAgent("ini", "trader:disputes=true"), PartyAgent("pro", "trader")]
    game = BilateralTradeGame(dispute_resolution="split", task_value=50)
    (match,) = ExperimentRunner(ExperimentConfig()).run(agents, game=game).matches
    assert match.session.detail == match.reason == "delivery_disputed_split"
    assert match.session.reason.value == "agreement"
