"""Answers made from what a turn allows."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    Feedback,
    GiveFeedback,
    Offer,
    Say,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed, BidOf, Number, OneOf, Text
from genius_py.domain import Domain
from genius_py.errors import StrategyError
from genius_py.issue import IntegerIssue, RealIssue, TextIssue
from genius_py.session import Seat, Turn
from genius_py.testing import legal_action
from genius_py.testing.legal import Temper

SALE = Domain("sale", [IntegerIssue("price", 1, 9), RealIssue("share", 0, 1), TextIssue("note")])


@attrs.frozen
class Pay(Action):
    amount: int
    currency: str
    rate: float
    reason: str
    paid: Vote


class Odd:
    """A rule of one's own making."""

    def allows(self, value: object) -> bool:
        return isinstance(value, int) and value % 2 == 1

    def __str__(self) -> str:
        return "an odd number"


class Impossible(Odd):
    def allows(self, value: object) -> bool:
        return False


EVERYTHING = Allowed(
    {
        Offer: {"bid": BidOf(SALE)},
        Accept: {"bid": OneOf((SALE.bid_at(3), SALE.bid_at(5)))},
        Pay: {
            "amount": Number(3, 7, integer=True),
            "currency": OneOf(("euro", "yen")),
            "rate": Number(minimum=0.5),
            "reason": Text(max_length=30, min_length=3),
        },
        VoteForOfferAcceptance: {},
        GiveFeedback: {},
        EndNegotiation: {},
    }
)


@given(seed=st.integers(0, 10_000), temper=st.sampled_from(["any", "agreeable", "stubborn"]))
def test_whatever_comes_out_is_allowed(seed: int, temper: Temper) -> None:
    action = legal_action(Turn(Seat("ann"), EVERYTHING), np.random.default_rng(seed), temper)
    assert action.party == "ann"
    assert EVERYTHING.complaint(action) == ""


def chosen(allowed: Allowed, temper: Temper, times: int = 200) -> list[Action]:
    rng = np.random.default_rng(1)
    return [legal_action(Turn(Seat("ann"), allowed), rng, temper) for _ in range(times)]


def test_everything_allowed_comes_up() -> None:
    assert {type(action) for action in chosen(EVERYTHING, "any")} == set(EVERYTHING)


def test_who_is_agreeable_accepts_and_consents() -> None:
    assert {type(action) for action in chosen(EVERYTHING, "agreeable")} == {Accept}
    votes = chosen(Allowed(VoteForOfferAcceptance, GiveFeedback), "agreeable")
    assert VoteForOfferAcceptance("ann", Vote.ACCEPT) in votes
    assert VoteForOfferAcceptance("ann", Vote.REJECT) not in votes
    assert GiveFeedback("ann", Feedback.WORSE) not in votes


def test_who_is_stubborn_neither_accepts_nor_leaves() -> None:
    kinds = {type(action) for action in chosen(EVERYTHING, "stubborn")}
    assert kinds == {Offer, Pay, VoteForOfferAcceptance, GiveFeedback}
    assert set(chosen(Allowed(VoteForOfferAcceptance), "stubborn")) == {
        VoteForOfferAcceptance("ann", Vote.REJECT)
    }


def test_walking_away_is_rare_unless_there_is_nothing_else() -> None:
    allowed = Allowed({Offer: {"bid": BidOf(SALE)}, EndNegotiation: {}})
    left = sum(isinstance(action, EndNegotiation) for action in chosen(allowed, "any"))
    assert 0 < left < 20
    assert set(chosen(Allowed(EndNegotiation), "stubborn", 3)) == {EndNegotiation("ann")}


@pytest.mark.parametrize(
    ("rule", "low", "high"),
    [
        (Number(), -100, 100),
        (Number(minimum=5), 5, 105),
        (Number(maximum=5), -95, 5),
        (Number(2, 3), 2, 3),
    ],
)
def test_numbers_without_a_bound_stay_near_the_other_one(
    rule: Number, low: float, high: float
) -> None:
    @attrs.frozen
    class Ask(Action):
        price: float

    allowed = Allowed({Ask: {"price": rule}})
    prices = [action.price for action in chosen(allowed, "any")]  # type: ignore[attr-defined]
    assert low <= min(prices) < max(prices) <= high


def test_a_class_with_nothing_to_choose_is_passed_over() -> None:
    allowed = Allowed({Accept: {"bid": OneOf(())}, EndNegotiation: {}})
    assert set(chosen(allowed, "agreeable", 5)) == {EndNegotiation("ann")}


def test_a_turn_that_nothing_fits_is_refused_with_advice() -> None:
    with pytest.raises(StrategyError, match="leave the class out of the turn"):
        chosen(Allowed({Accept: {"bid": OneOf(())}}), "any", 1)


def test_a_rule_of_ones_own_is_tried_out() -> None:
    allowed = Allowed({Say: {"text": Text(), "to": OneOf(((),))}, Tip: {"amount": Odd()}})
    for action in chosen(allowed, "any"):
        assert allowed.complaint(action) == ""


def test_a_rule_that_nothing_meets_is_refused_with_advice() -> None:
    with pytest.raises(StrategyError, match="use BidOf, OneOf, Number or Text"):
        chosen(Allowed({Tip: {"amount": Impossible()}}), "any", 1)


@attrs.frozen
class Tip(Action):
    amount: int
