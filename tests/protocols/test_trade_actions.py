"""What parties to a trade say, and how it reads."""

from typing import Any

import pytest

from genius_py.action import Action, EndNegotiation
from genius_py.protocols.trade_actions import (
    AcceptDelivery,
    AcceptProposal,
    DisputeDelivery,
    PostRequest,
    Propose,
    RejectAndExit,
    SubmitDeliverable,
)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (PostRequest("ann", "ten pages", 50), 'ann requests "ten pages" for at most 50'),
        (Propose("bob", "all", price=1234567.89), 'bob proposes "all" for 1234567.89'),
        (Propose("bob", price=35), "bob proposes for 35"),
        (AcceptProposal("ann"), "ann accepts the proposal"),
        (AcceptProposal("ann", "bob"), "ann accepts the proposal of bob"),
        (RejectAndExit("ann"), "ann walks away"),
        (RejectAndExit("ann", "too dear"), 'ann walks away: "too dear"'),
        (SubmitDeliverable("bob", "dix pages"), 'bob delivers "dix pages"'),
        (AcceptDelivery("ann"), "ann accepts the delivery"),
        (DisputeDelivery("ann"), "ann disputes the delivery"),
        (DisputeDelivery("ann", "nine"), 'ann disputes the delivery: "nine"'),
    ],
)
def test_an_action_reads_as_a_sentence(action: Action, text: str) -> None:
    assert str(action) == text


def test_whole_and_real_prices_are_one_and_the_same() -> None:
    assert Propose("bob", price=35) == Propose("bob", price=35.0)
    assert repr(Propose("bob", price=35)) == repr(Propose("bob", price=35.0))


@pytest.mark.parametrize("price", ["35", None, True, 10**400])
def test_what_is_no_price_stays_what_it_is_for_the_rules_to_refuse(price: Any) -> None:
    assert Propose("bob", price=price).price is price


def test_leaving_a_trade_is_walking_away() -> None:
    assert issubclass(RejectAndExit, EndNegotiation)
