"""What a turn allows: classes, field rules, and complaints that say what to do."""

import math
import pickle

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    GiveFeedback,
    NoAction,
    Offer,
    OfferForVoting,
    Say,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed, BidOf, Constraint, Number, OneOf, Text
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.issue import IntegerIssue

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
THREE, FOUR = SALE.bid(price=3), SALE.bid(price=4)
FOREIGN = Domain("foreign", [IntegerIssue("price", 1, 10)]).bid(price=3)
TURN = Allowed({Accept: {"bid": OneOf((THREE,))}, Offer: {"bid": BidOf(SALE)}}, EndNegotiation)


def test_it_is_a_collection_of_classes_in_order() -> None:
    assert list(TURN) == [Accept, Offer, EndNegotiation]
    assert Accept in TURN
    assert NoAction not in TURN
    assert TURN[Accept]["bid"] == OneOf((THREE,))
    assert TURN[EndNegotiation] == {}
    assert str(TURN) == "Accept or Offer or EndNegotiation"
    assert str(Allowed()) == "do nothing"
    assert not Allowed()


def test_it_cannot_be_changed() -> None:
    with pytest.raises(TypeError, match="make another Allowed"):
        TURN[NoAction] = {}
    with pytest.raises(TypeError, match="make another Allowed"):
        TURN.pop(Accept)


@pytest.mark.parametrize("action", [Accept("a", THREE), Offer("a", FOUR), EndNegotiation("a")])
def test_what_is_allowed_meets_no_complaint(action: Action) -> None:
    assert TURN.complaint(action) == ""


@pytest.mark.parametrize(
    ("action", "complaint"),
    [
        (None, "must Accept or Offer or EndNegotiation, said nothing"),
        (NoAction("a"), "must Accept or Offer or EndNegotiation, said NoAction"),
        # A subclass does not count, as in Genius: spec 4.1, saop_n2_illegal_subclass_action.
        (OfferForVoting("a", THREE), "must Accept or Offer or EndNegotiation, said OfferForVoting"),
        ("Offer", "must Accept or Offer or EndNegotiation, said str"),
        (Accept("a", FOUR), "said Accept with bid price: 4, but the bid must be price: 3"),
        (Offer("a", FOREIGN), "said Offer with bid price: 3, but the bid must be a bid of sale"),
        (Offer("a", None), "said Offer with bid None, but the bid must be a bid of sale"),  # type: ignore[arg-type]
        (Offer("a", {"price": 3}), "but the bid must be a bid of sale"),  # type: ignore[arg-type]
        (Accept("a", np.array([3, 4])), "but the bid must be price: 3"),  # type: ignore[arg-type]
    ],
)
def test_a_complaint_names_what_was_said_and_what_must_be(action: object, complaint: str) -> None:
    assert complaint in TURN.complaint(action)


def test_a_refused_turn_says_why_and_allows_the_same() -> None:
    again = TURN.refused("said nothing")
    assert again.refusal == "said nothing"
    assert dict(again) == dict(TURN)
    assert TURN.refusal == ""
    assert pickle.loads(pickle.dumps(again)) == again
    assert pickle.loads(pickle.dumps(again)).refusal == "said nothing"


def test_bids_of_an_equal_domain_are_bids_of_the_domain() -> None:
    assert BidOf(SALE).allows(Domain("again", SALE.issues).bid(price=3))


@pytest.mark.parametrize("value", [0, 5, 2.5, 5.0, np.float64(1.5)])
def test_numbers_within_the_bounds_are_allowed(value: float) -> None:
    assert Number(0, 5).allows(value)


@pytest.mark.parametrize(
    "value", [-0.1, 5.1, math.nan, math.inf, -math.inf, True, "3", None, 10**400, [1]]
)
def test_what_is_no_number_within_the_bounds_is_not(value: object) -> None:
    assert not Number(0, 5).allows(value)
    assert not Number(0, 5, integer=True).allows(value)


@pytest.mark.parametrize("value", [10**400, -(10**400), math.inf, math.nan])
def test_without_bounds_a_number_must_be_finite_all_the_same(value: float) -> None:
    # 10**400 is a whole number, but no float can hold it.
    assert not Number().allows(value)


def test_whole_numbers_may_be_written_with_a_point() -> None:
    assert Number(0, 5, integer=True).allows(3.0)
    assert not Number(0, 5, integer=True).allows(2.5)


@given(st.text(max_size=10))
def test_texts_are_allowed_by_their_length(text: str) -> None:
    assert Text(max_length=6, min_length=2).allows(text) == (2 <= len(text) <= 6)


def test_one_of_compares_by_value() -> None:
    assert OneOf(Vote).allows(Vote.ACCEPT)
    assert not OneOf(Vote).allows("ACCEPT")
    assert not OneOf(()).allows(None)


@pytest.mark.parametrize(
    ("rule", "printed"),
    [
        (BidOf(SALE), "a bid of sale"),
        (OneOf((THREE,)), "price: 3"),
        (OneOf(("A", "B")), "one of: A; B"),
        (OneOf(Vote), "one of: ACCEPT; REJECT"),
        (OneOf(()), "nothing (there is no choice yet)"),
        (Number(0.5, 3), "a number from 0.5 to 3"),
        (Number(integer=True), "a whole number from -inf to inf"),
        (Text(9, 1), "a text of 1 to 9 characters"),
    ],
)
def test_rules_read_like_nouns(rule: Constraint, printed: str) -> None:
    assert str(rule) == printed


@attrs.frozen
class Pay(Action):
    amount: int
    share: float
    why: str
    vote: Vote
    bid: Bid
    tip: int = 0


def test_choices_give_every_field_a_rule() -> None:
    allowed = Allowed({Pay: {"bid": BidOf(SALE), "why": Text(5)}})
    assert allowed.choices(Pay) == {
        "amount": Number(integer=True),
        "share": Number(),
        "why": Text(5),
        "vote": OneOf(Vote),
        "bid": BidOf(SALE),
    }


def test_choices_leave_out_what_has_a_default_and_no_rule() -> None:
    assert Allowed(Say).choices(Say) == {"text": Text()}
    to = OneOf([(), ("bob",)])
    assert Allowed({Say: {"to": to}}).choices(Say)["to"] == to


def test_choices_of_genius_actions_are_their_enumerations() -> None:
    allowed = Allowed(VoteForOfferAcceptance, GiveFeedback)
    assert allowed.choices(VoteForOfferAcceptance) == {"vote": OneOf(Vote)}
