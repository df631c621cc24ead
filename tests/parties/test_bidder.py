"""What all bidders have in common, shown with one that is truthful."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.errors import DomainError, OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.manager import run
from genius_py.parties.bidder import Bidder
from genius_py.parties.truthful import Truthful
from genius_py.utility import LinearUtilitySpace, TableUtilitySpace
from tests.parties.bidding import good, open_bid, sealed_bid, seated, takes


@given(value=st.floats(0.01, 100))
def test_the_value_is_found_in_the_profile_to_the_last_bit(value: float) -> None:
    assert seated(Truthful(), good(value)).limit == value
    assert seated(Truthful(), good(value, sells=True)).limit == value


@given(value=st.floats(0.01, 100))
def test_whole_prices_are_rounded_so_that_it_never_loses(value: float) -> None:
    # The case of rounding across a limit (C126).
    buyer = seated(Truthful(), good(value, whole=True))
    seller = seated(Truthful(), good(value, sells=True, whole=True))
    assert 0 <= value - buyer.limit < 1
    assert 0 <= seller.limit - value < 1


def test_a_reservation_value_is_what_it_must_gain() -> None:
    space = good(80)
    picky = LinearUtilitySpace(
        domain=space.domain,
        coefficients=space.coefficients,
        constant=80,
        where={"winner": "me"},
        reservation_value=10,
    )
    assert seated(Truthful(), picky).limit == 70


def test_it_sees_from_the_profile_whether_it_sells() -> None:
    assert not seated(Truthful(), good(80)).sells
    assert seated(Truthful(), good(80, sells=True)).sells


def test_a_good_that_is_not_worth_anything_is_not_bid_for() -> None:
    party = seated(Truthful(), good(-5))
    assert sealed_bid(party) is None
    assert not takes(party, 0)
    assert open_bid(seated(Truthful(), good(-5), "english_auction")) == "DropOut"


def test_a_good_beyond_all_prices_is_bid_the_highest_one_for() -> None:
    assert sealed_bid(seated(Truthful(), good(500))) == 100


def test_a_bid_that_the_rules_do_not_take_is_not_made() -> None:
    assert sealed_bid(seated(Truthful(), good(20)), low=30) is None


@pytest.mark.parametrize(("price", "expected"), [(79.9, True), (80.0, True), (80.1, False)])
def test_a_price_that_falls_is_taken_at_the_target(price: float, expected: bool) -> None:
    assert takes(seated(Truthful(), good(80), "dutch_auction"), price) is expected
    seller = seated(Truthful(), good(20, sells=True), "dutch_auction")
    assert takes(seller, 100 - price) is expected


def test_open_bids_are_the_least_ones_up_to_the_target() -> None:
    party = seated(Truthful(), good(80), "english_auction")
    assert [open_bid(party, low=price) for price in (5, 80, 81)] == [5, 80, "DropOut"]
    seller = seated(Truthful(), good(20, sells=True), "english_auction")
    assert [open_bid(seller, high=price) for price in (95, 20, 19)] == [95, 20, "DropOut"]


def test_who_leads_stands_by_its_bid() -> None:
    assert open_bid(seated(Truthful(), good(80), "english_auction"), low=5, leads=True) == "Stand"


def test_a_value_of_its_own_goes_before_the_profiles() -> None:
    assert sealed_bid(seated(Truthful(value=60.5), good(80))) == 60.5
    assert sealed_bid(seated(Truthful(value=60.5), good(80, whole=True))) == 60
    assert sealed_bid(seated(Truthful(value=60.5), good(20, sells=True, whole=True))) == 61


@given(value=st.integers(0, 100), reservation=st.sampled_from([0.0, 0.25]), sells=st.booleans())
def test_the_profile_of_a_named_value_breaks_even_there(
    value: int, reservation: float, sells: bool
) -> None:
    space = good(50, sells=sells)
    space = LinearUtilitySpace(
        domain=space.domain,
        coefficients=space.coefficients,
        constant=space.constant,
        scale=4,
        where=dict(space.where),
        reservation_value=reservation,
    )
    own = Truthful.profile_for(space, {"value": value})
    award = space.domain.bid(winner="me", price=value)
    assert own.utility(award) == pytest.approx(reservation)
    assert own.utility(space.domain.bid(winner="you", price=value)) == 0


def test_without_a_value_the_profile_stays_what_it_is() -> None:
    space = good(50)
    assert Truthful.profile_for(space, {}) is space


@pytest.mark.parametrize("value", ["much", True])
def test_a_value_must_be_a_number(value: Any) -> None:
    with pytest.raises(OptionError, match="value must be a number"):
        Truthful.profile_for(good(50), {"value": value})


def test_a_value_needs_a_profile_with_a_price() -> None:
    table = TableUtilitySpace.of(good(50, whole=True))
    with pytest.raises(OptionError, match="needs a linear profile"):
        Truthful.profile_for(table, {"value": 60})


def test_any_profile_will_do_without_a_value() -> None:
    table = TableUtilitySpace.of(good(50.5, whole=True))
    assert sealed_bid(seated(Truthful(), table)) == 50  # type: ignore[arg-type]


def test_it_bids_about_awards_alone() -> None:
    car = Domain("car", [IntegerIssue("price", 0, 9), DiscreteIssue("colour", ["red"])])
    with pytest.raises(DomainError, match="has no awards"):
        seated(Truthful(), LinearUtilitySpace(domain=car, coefficients=[1, 0]))


def test_a_bidder_of_ones_own_chooses_a_target() -> None:
    class Half(Bidder):
        def choose_target(self, limit: float) -> float:
            return limit / 2

    assert sealed_bid(seated(Half(), good(80))) == 40
    outcome = run("vickrey", "ad_slot", parties=[Half, "truthful", Half, Half])
    assert outcome.agreement is not None
    assert dict(outcome.agreement) == {"winner": "florist", "price": 70.0}
