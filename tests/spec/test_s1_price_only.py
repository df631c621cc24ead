"""Trades about the price alone: statements S1.40 to S1.42."""

import pytest

from tests.spec.trades import do, haggling


def test_s1_40_there_is_one_phase_in_which_the_seller_opens() -> None:
    match = haggling()
    assert match.due == ("sell",)
    assert match.allowed_actions("sell") == ["propose", "reject_and_exit", "pass", "message_only"]


def test_s1_40_the_buyer_accepts_leaves_passes_or_talks() -> None:
    match = haggling()
    do(match, "sell", "propose", {"price": 65})
    assert match.allowed_actions("buy") == [
        "accept_proposal",
        "reject_and_exit",
        "pass",
        "message_only",
    ]
    assert match.act("buy", "propose", {"price": 1}).error == "game_rule_violation"
    do(match, "buy", "pass")
    assert match.due == ("sell",)


@pytest.mark.parametrize("price", [0, 100])
def test_s1_40_a_price_may_be_nothing_or_the_whole_budget(price: float) -> None:
    do(haggling(), "sell", "propose", {"price": price})


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"price": 100.01}, "game_rule_violation"),
        ({"price": -0.01}, "invalid_payload"),
        ({"price": "65"}, "invalid_payload"),
        ({}, "invalid_payload"),
        ({"price": 65, "scope": "A castle"}, "invalid_payload"),
    ],
)
def test_s1_40_other_prices_are_refused(payload: dict[str, object], code: str) -> None:
    match = haggling()
    assert match.act("sell", "propose", payload).error == code
    assert match.visible_state("buy")["proposal"] is None


def test_s1_40_there_are_a_hundred_rounds() -> None:
    match = haggling()
    for number in range(100):
        do(match, "sell", "propose", {"price": 100 - number})
        assert match.is_running
        do(match, "buy", "pass")
    assert match.outcome is not None
    assert match.outcome["reason"] == "max_rounds_exceeded"


def test_s1_41_only_the_seller_proposes_unless_both_may() -> None:
    match = haggling(proposers="both")
    assert match.due == ("buy",)
    do(match, "buy", "propose", {"price": 40})
    assert "accept_proposal" in match.allowed_actions("sell")
    do(match, "sell", "propose", {"price": 60})
    assert match.visible_state("buy")["proposal"]["proposed_by"] == "sell"
    do(match, "buy", "propose", {"price": 50})
    do(match, "sell", "accept_proposal")
    assert match.outcome == {
        "payoffs": [{"agent_id": "buy", "utility": 50.0}, {"agent_id": "sell", "utility": 20.0}],
        "reason": "trade_completed",
    }


def test_s1_42_an_agreement_is_paid_at_once_and_holds_scope_and_price() -> None:
    match = haggling()
    do(match, "sell", "propose", {"price": 65})
    do(match, "buy", "accept_proposal")
    assert not match.is_running
    state = match.visible_state("buy")
    assert state["agreement"] == {"scope": "A web shop", "price": 65, "proposed_by": "sell"}
    assert "deliverable" not in state
