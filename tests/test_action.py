"""Actions: frozen, equal by what is done, readable in a log."""

import inspect

import attrs
import pytest

from genius_py import action
from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    EndNegotiationWithAnOffer,
    Feedback,
    Forfeit,
    GiveFeedback,
    IllegalAction,
    Inform,
    InformVotingResult,
    NoAction,
    Offer,
    OfferForFeedback,
    OfferForVoting,
    Pass,
    Reject,
    Say,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.domain import Domain
from genius_py.issue import IntegerIssue

BID = Domain("sale", [IntegerIssue("price", 1, 9)]).bid(price=3)

PRINTED = {
    Offer("ann", BID): "ann offers price: 3",
    OfferForVoting("ann", BID): "ann puts to the vote price: 3",
    OfferForFeedback("ann", BID): "ann asks for feedback on price: 3",
    Accept("ann", BID): "ann accepts price: 3",
    Reject("ann", BID): "ann rejects price: 3",
    EndNegotiation("ann"): "ann walks away",
    EndNegotiationWithAnOffer("ann", BID): "ann walks away leaving price: 3",
    VoteForOfferAcceptance("ann", Vote.REJECT): "ann votes REJECT",
    InformVotingResult("med", BID, Vote.ACCEPT): "med announces ACCEPT for price: 3",
    GiveFeedback("ann", Feedback.BETTER): "ann finds it BETTER",
    Inform("SAOP", "NumberOfAgents", 3): "3 parties are at the table",
    Inform("SAOP", "Rain", "likely"): "SAOP informs that Rain is likely",
    Say("ann", "Well?"): 'ann says "Well?"',
    Say("ann", "Psst.", ("bob", "carl")): 'ann says to bob, carl "Psst."',
    Forfeit("ann"): "ann forfeits the turn",
    Pass("ann"): "ann passes",
    NoAction("ann"): "ann NoAction",
    IllegalAction("ann", "boo"): "ann IllegalAction",
}


@pytest.mark.parametrize("said", PRINTED, ids=lambda said: type(said).__name__)
def test_an_action_reads_like_a_sentence(said: Action) -> None:
    assert str(said) == PRINTED[said]


def test_every_action_is_public_and_printed_here() -> None:
    classes = {
        cls
        for _, cls in inspect.getmembers(action, inspect.isclass)
        if issubclass(cls, Action) and cls is not Action
    }
    assert classes == {type(said) for said in PRINTED}
    assert {cls.__name__ for cls in classes} <= set(action.__all__)
    assert action.__all__ == sorted(action.__all__)


@pytest.mark.parametrize("said", PRINTED, ids=lambda said: type(said).__name__)
def test_a_message_travels_along_outside_equality(said: Action) -> None:
    talking = attrs.evolve(said, message="Think of it.")
    assert talking == said
    assert hash(talking) == hash(said)
    assert str(talking) == f'{PRINTED[said]} saying "Think of it."'


def test_actions_differ_by_actor_class_and_content() -> None:
    assert Offer("ann", BID) != Offer("bob", BID)
    assert Offer("ann", BID) != OfferForVoting("ann", BID)
    assert Offer("ann", BID) != Offer("ann", BID.replace(price=4))
    # Genius raises ClassCastException here, spec 2.
    assert Accept("ann", BID) == Accept("ann", BID)


def test_actions_cannot_be_changed() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Offer("ann", BID).party = "bob"  # type: ignore[misc]


def test_offers_for_votes_and_feedback_are_offers() -> None:
    assert issubclass(OfferForVoting, Offer)
    assert issubclass(OfferForFeedback, Offer)
    assert not issubclass(EndNegotiationWithAnOffer, Offer)


def test_addressees_may_be_any_sequence_or_one_id() -> None:
    assert Say("ann", "Psst.", ["bob"]) == Say("ann", "Psst.", "bob")
    assert Say("ann", "Psst.", "bob").to == ("bob",)


@pytest.mark.parametrize(
    ("before", "now", "feedback"),
    [(0.5, 0.6, Feedback.BETTER), (0.5, 0.5, Feedback.SAME), (0.5, 0.4, Feedback.WORSE)],
)
def test_feedback_compares_with_the_bid_before(
    before: float, now: float, feedback: Feedback
) -> None:
    assert Feedback.between(before, now) is feedback
