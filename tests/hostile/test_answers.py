"""Parties that answer with what is not what it seems to be: nothing of it reaches the protocol."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from genius_py.action import Accept, Offer
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import InvalidBid
from genius_py.fault import Fault
from genius_py.log import Reason
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.seating import plan_session
from genius_py.session import Reply
from genius_py.testing import ScriptedParty
from genius_py.testing.scenarios import discrete_scenario
from genius_py.trace import dump_log, parse_log, replay

SCENARIO = discrete_scenario()
DOMAIN = SCENARIO.domain
DEAL, OTHER = DOMAIN.bid_at(0), DOMAIN.bid_at(5)


def outcome_of(answer: Any, *, retries: int = 0) -> Outcome:
    """Ann answers so, after Bob could have accepted; the log is read and replayed as well."""
    plan, _ = plan_session("SAOP", SCENARIO, deadline=2, retries=retries)
    ann, bob = ScriptedParty(answer), ScriptedParty(Offer("bob", OTHER))
    outcome = SessionManager(plan, {"ann": lambda: ann, "bob": lambda: bob}).run()
    lines = list(dump_log(outcome))
    assert parse_log(lines) == outcome
    assert list(dump_log(replay(parse_log(lines)))) == lines
    return outcome


class Everything:
    """Equals whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 0


class OwnBid(Bid):
    """A bid that somebody has made their own."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = Bid.__hash__


def half_made(kind: type) -> object:
    return object.__new__(kind)


@pytest.mark.parametrize(
    "values",
    [("nonsense",), ("red", "S"), ("red", "S", "two", "more"), ("red", "S", 2), (None,) * 3, ()],
)
def test_a_bid_outside_its_domain_cannot_be_made(values: tuple[Any, ...]) -> None:
    # C36: not by its domain, and not by hand.
    with pytest.raises(InvalidBid):
        Bid(DOMAIN, values)


def test_a_bid_made_by_hand_is_like_one_of_its_domain() -> None:
    assert Bid(DOMAIN, ("red", " S ", "two")) == DEAL
    assert Bid(DOMAIN, DEAL.content).index == 0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Offer("ann", Everything()), "said Offer with bid of type Everything"),  # type: ignore[arg-type]
        (Offer("ann", OwnBid(DOMAIN, DEAL.content)), "said Offer with bid of type OwnBid"),
        (Offer("ann", np.arange(3)), "said Offer with bid of type ndarray"),  # type: ignore[arg-type]
        (Offer("ann", 10**5000), "said Offer with bid of type int"),  # type: ignore[arg-type]
        (Offer("ann", "x" * 10**6), "said Offer with bid xxxx"),  # type: ignore[arg-type]
        (Offer("ann", None), "said Offer with bid None"),  # type: ignore[arg-type]
        (Offer(Everything(), DEAL), "party"),  # type: ignore[arg-type]
        (Offer("bob", DEAL), "acted in the name of 'bob'; use the own id"),
        (Offer("ann", DEAL, message=5), "message"),  # type: ignore[arg-type]
        (Offer("ann", DEAL, message=None), "message"),  # type: ignore[arg-type]
        (Offer("ann", DEAL, message=b"x"), "message"),  # type: ignore[arg-type]
        (Offer("ann", DEAL, message="x" * 10**6), "a message of 1000000 characters"),
        (Reply(Offer("ann", DEAL), message=5), "message"),  # type: ignore[arg-type]
        (Reply(Reply(Offer("ann", DEAL))), "said Reply"),  # type: ignore[arg-type]
        (Reply("Offer"), "said str"),  # type: ignore[arg-type]
        (half_made(Offer), "said Offer"),
        (half_made(Reply), "said Reply"),
        (lambda party, allowed: Offer, "said type"),
        (lambda party, allowed: (x for x in "ab"), "said generator"),
    ],
)
def test_what_is_no_legal_action_is_refused_in_a_short_sentence(answer: Any, words: str) -> None:
    outcome = outcome_of(answer)
    (fault,) = outcome.faults
    assert (fault.party, outcome.reason) == ("ann", Reason.FAULT)
    assert words in fault.reason
    assert len(fault.reason) < 500
    assert " at 0x" not in fault.reason  # which would differ from run to run


def test_nobody_accepts_what_only_claims_to_be_the_bid_on_the_table() -> None:
    plan, _ = plan_session("SAOP", SCENARIO, deadline=2)
    ann, bob = ScriptedParty(Offer("ann", DEAL)), ScriptedParty(Accept("bob", Everything()))  # type: ignore[arg-type]
    outcome = SessionManager(plan, {"ann": lambda: ann, "bob": lambda: bob}).run()
    assert outcome.agreement is None
    assert [fault.party for fault in outcome.faults] == ["bob"]


@pytest.mark.parametrize("rule", [OneOf((DEAL, "a", 1, 1.0)), BidOf(DOMAIN)])
@pytest.mark.parametrize("value", [Everything(), OwnBid(DOMAIN, DEAL.content), True, np.arange(2)])
def test_a_rule_compares_values_of_one_kind_only(rule: Any, value: object) -> None:
    assert not rule.allows(value)


def test_an_equal_domain_loaded_twice_is_as_good() -> None:
    again = Domain("again", DOMAIN.issues)
    assert outcome_of(Offer("ann", again.bid_at(0))).reason is Reason.DEADLINE


@pytest.mark.parametrize("during", ["init", "receive_message", "choose_action"])
def test_a_party_that_answers_with_a_fault_can_only_accuse_itself(during: Any) -> None:
    answer: Any = Fault("bob", "is to blame", during=during, delivered=-3, round=7)
    outcome = outcome_of(lambda party, allowed: answer, retries=2)
    assert {(fault.party, fault.during, fault.round) for fault in outcome.faults} == {
        ("ann", "choose_action", 1)
    }
    assert outcome.faults[0].reason == "is to blame"


def test_fields_without_a_rule_must_be_of_their_type() -> None:
    from genius_py.action import GiveFeedback, Say, Vote, VoteForOfferAcceptance

    allowed = Allowed(VoteForOfferAcceptance, GiveFeedback, Offer, Say)
    assert not allowed.complaint(VoteForOfferAcceptance("ann", Vote.ACCEPT))
    assert not allowed.complaint(Offer("ann", DEAL))
    assert not allowed.complaint(Say("ann", "hello", to=("bob",)))
    for wrong in (
        VoteForOfferAcceptance("ann", "ACCEPT"),  # type: ignore[arg-type]
        GiveFeedback("ann", Vote.ACCEPT),  # type: ignore[arg-type]
        Offer("ann", "red"),  # type: ignore[arg-type]
        Say("ann", 5),  # type: ignore[arg-type]
    ):
        assert "must be" in allowed.complaint(wrong)


@pytest.mark.parametrize("made", [lambda: ScriptedParty, lambda: None, lambda: object()])
def test_a_factory_that_makes_no_party_fails_the_session(made: Callable[[], Any]) -> None:
    plan, _ = plan_session("SAOP", SCENARIO, deadline=2)
    outcome = SessionManager(plan, {"ann": made, "bob": NegotiationParty}).run()
    assert outcome.reason is Reason.FAULT
    assert " at 0x" not in outcome.faults[0].reason
