"""What all utility spaces share."""

import copy
import pickle

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import InvalidBid, OutcomeSpaceTooLarge
from genius_py.issue import IntegerIssue, TextIssue
from genius_py.utility import UtilitySpace, discounted

DOMAIN = Domain("game", [IntegerIssue("a", 0, 2), IntegerIssue("b", 1, 4)])


@attrs.frozen(kw_only=True)
class Sum(UtilitySpace):
    """Needs only what every space has to say: what one bid is worth."""

    def _utility(self, bid: Bid) -> float:
        return sum(float(value) for value in bid.values()) / 10


def test_a_space_that_knows_single_bids_knows_arrays_of_them() -> None:
    space = Sum(domain=DOMAIN)
    expected = [space.utility(bid) for bid in DOMAIN.bids()]
    assert space.utility(DOMAIN.bid(a=2, b=3)) == 0.5
    assert space.utilities(np.array([0, 11])).tolist() == [expected[0], expected[11]]
    assert space.utilities().tolist() == expected
    assert space.utilities(np.array([0, 11])).tolist() == [expected[0], expected[11]]
    assert space.utilities([DOMAIN.bid_at(5)]).tolist() == [expected[5]]
    assert [space.utility(bid) for bid in DOMAIN.bids()] == expected


def test_all_utilities_are_computed_once_and_cannot_be_changed() -> None:
    space = Sum(domain=DOMAIN)
    assert space.utilities() is space.utilities()
    with pytest.raises(ValueError, match="read-only"):
        space.utilities()[0] = 9


def test_nothing_is_an_array_of_no_utilities() -> None:
    space = Sum(domain=DOMAIN)
    assert space.utilities([]).shape == (0,)
    assert space.utilities(np.array([], dtype=int)).shape == (0,)


def test_a_bid_of_an_equal_domain_is_as_good_and_of_another_one_is_not() -> None:
    space = Sum(domain=DOMAIN)
    assert space.utility(Domain("equal", DOMAIN.issues).bid_at(0)) == 0.1
    other = Domain("other", [IntegerIssue("a", 0, 2)])
    with pytest.raises(InvalidBid, match="of domain other, not game"):
        space.utility(other.bid_at(0))
    with pytest.raises(InvalidBid, match=r"A dict is no bid; make one with .*domain\.bid"):
        space.utility({"a": 1})  # type: ignore[arg-type]
    with pytest.raises(InvalidBid, match=r"must lie in 0 \.\. 11"):
        space.utilities(np.array([12]))
    with pytest.raises(InvalidBid, match=r"must lie in 0 \.\. 11"):
        space.utilities(np.array([-1]))


@pytest.mark.parametrize("issue", [IntegerIssue("price", 0, 10**10), TextIssue("scope")])
def test_a_space_that_cannot_be_listed_says_so(issue: IntegerIssue | TextIssue) -> None:
    with pytest.raises(OutcomeSpaceTooLarge, match="too many to list"):
        Sum(domain=Domain("wide", [issue])).utilities()


@pytest.mark.parametrize(
    ("factor", "time", "expected"),
    [
        (0.9, 0.5, 0.9 * 0.9**0.5),  # C52 of the known faults: 0.85381497
        (0.9, 1, 0.81),
        (0.9, 0, 0.9),
        (0.5, 2, 0.45),
        (0.5, -1, 0.9),
        (1, 0.5, 0.9),
        (0, 0.5, 0.9),
        (1.5, 0.5, 0.9),
        (-0.5, 0.5, 0.9),
    ],
)
def test_a_utility_is_discounted_by_the_factor_to_the_power_of_time(
    factor: float, time: float, expected: float
) -> None:
    assert discounted(0.9, time, factor) == pytest.approx(expected)
    space = Sum(domain=DOMAIN, reservation_value=0.9, discount_factor=factor)
    assert space.discounted(0.9, time) == pytest.approx(expected)
    assert space.reservation_at(1, time) == pytest.approx(expected)


@given(
    utility=st.floats(-1, 1),
    factor=st.floats(0, 1, exclude_min=True),
    times=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
)
def test_a_discount_moves_a_utility_towards_0_as_time_passes(
    utility: float, factor: float, times: list[float]
) -> None:
    early, late = (abs(discounted(utility, time, factor)) for time in times)
    assert abs(utility) >= early >= late


def test_what_is_derived_is_made_once_and_stays_behind_when_a_space_travels() -> None:
    space = Sum(domain=DOMAIN)
    derived: object = space.keep("derived", lambda: lambda: "what no pickle can hold")
    assert space.keep("derived", lambda: "made anew") is derived
    arrived, copied = pickle.loads(pickle.dumps(space)), copy.deepcopy(space)
    assert arrived == copied == space
    for other in (arrived, copied):
        assert other.keep("derived", lambda: "made anew") == "made anew"


def test_spaces_are_values() -> None:
    assert Sum(domain=DOMAIN) == Sum(domain=DOMAIN)
    assert hash(Sum(domain=DOMAIN)) == hash(Sum(domain=DOMAIN))
    assert Sum(domain=DOMAIN) != Sum(domain=DOMAIN, reservation_value=0.1)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Sum(domain=DOMAIN).reservation_value = 1  # type: ignore[misc]
    assert Sum(domain=DOMAIN).complaint == ""
