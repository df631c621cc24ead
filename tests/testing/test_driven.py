"""Feeding answers to a protocol by hand."""

import pytest

from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.domain import Domain
from genius_py.errors import ActionError
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.log import Reason
from genius_py.protocols.alternating_offers import StackedAlternatingOffersProtocol
from genius_py.testing import drive

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
SEVEN = SALE.bid(price=7)


def test_the_session_stands_still_when_the_answers_are_used_up() -> None:
    table = drive("SAOP", [Offer("ann", SEVEN)], domain=SALE)
    assert not table.is_over
    assert [turn.party.id for turn in table.asked] == ["bob"]
    assert table.agreement is None
    assert table.agreeing_parties == 1


def test_an_ended_session_takes_no_answer() -> None:
    table = drive("SAOP", [Offer("ann", SEVEN), Accept("bob", SEVEN)], domain=SALE)
    assert table.is_over
    assert table.outcome.reason is Reason.AGREEMENT
    with pytest.raises(ActionError, match="The session is over; there is no turn left for: ann"):
        table.feed(EndNegotiation("ann"))


def test_what_was_said_is_heard_by_the_others() -> None:
    table = drive("SAOP", [Offer("ann", SEVEN)], domain=SALE, parties=("ann", "bob", "carl"))
    assert table.heard["bob"][1:] == table.heard["carl"][1:] == [("ann", Offer("ann", SEVEN))]
    assert len(table.heard["ann"]) == 1  # what the protocol told everybody


@pytest.mark.parametrize(
    "protocol",
    ["SAOP", StackedAlternatingOffersProtocol, StackedAlternatingOffersProtocol()],
    ids=["spec", "class", "object"],
)
def test_a_protocol_may_be_named_made_or_handed_in(
    protocol: str | type[StackedAlternatingOffersProtocol] | StackedAlternatingOffersProtocol,
) -> None:
    table = drive(protocol, [Offer("ann", SEVEN), Accept("bob", SEVEN)], domain=SALE)
    assert table.agreement == SEVEN


def test_faults_can_be_fed_like_answers() -> None:
    table = drive("SAOP", [Fault("ann", "fell asleep")], domain=SALE, on_fault="forfeit")
    assert table.faults == ("Round 1: ann fell asleep",)
    assert [turn.party.id for turn in table.asked] == ["bob"]


def test_a_table_shows_who_is_asked() -> None:
    assert repr(drive("SAOP", domain=SALE)) == "<Driven SAOP: round 1, asks ann>"
