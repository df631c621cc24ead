import functools
import math
import operator

import numpy as np
import pytest
from hypothesis import assume, given

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.utility import Aggregate, HyperRectangle, HyperRectangleUtilitySpace, UtilitySpace
from tests.formats.strategies import boxes

DOMAIN = Domain(
    "game", [IntegerIssue("I", 0, 9), IntegerIssue("J", -5, 4), DiscreteIssue("A", "xy")]
)


def space(aggregate: Aggregate, max_utility: float = 100) -> HyperRectangleUtilitySpace:
    return HyperRectangleUtilitySpace(domain=DOMAIN, aggregate=aggregate, max_utility=max_utility)


def utility(aggregate: Aggregate, i: int, j: int, max_utility: float = 100) -> float:
    return space(aggregate, max_utility).utility(DOMAIN.bid(I=i, J=j, A="x"))


BOX = HyperRectangle(40, {"I": (2, 5), "J": (-1, 3)})


@pytest.mark.parametrize(
    ("i", "j", "inside"),
    [(2, -1, True), (5, 3, True), (1, 0, False), (6, 0, False), (3, 4, False), (3, -2, False)],
)
def test_a_box_is_worth_its_utility_to_what_is_inside_and_its_bounds_are(
    i: int, j: int, inside: bool
) -> None:
    assert utility(Aggregate("sum", [BOX]), i, j) == (0.4 if inside else 0)


@pytest.mark.parametrize(("i", "j"), [(2, -1), (1, 0), (6, 0), (3, 4)])
def test_an_excluding_box_is_worth_it_to_what_is_outside(i: int, j: int) -> None:
    excluding = HyperRectangle(40, BOX.bounds, excludes=True)
    both = Aggregate("sum", [BOX, excluding])
    assert utility(both, i, j) == 0.4


def test_a_box_without_bounds_holds_everything_and_weights_multiply() -> None:
    assert utility(Aggregate("sum", [HyperRectangle(10, weight=1.5)]), 0, 0) == 0.15


def test_bounds_outside_the_range_of_an_issue_are_no_matter() -> None:
    wide = Aggregate("sum", [HyperRectangle(10, {"I": (-(10**30), 10**30)})])
    none = Aggregate("sum", [HyperRectangle(10, {"I": (10, 10**30)})])
    empty = Aggregate("sum", [HyperRectangle(10, {"I": (5, 4)})])
    assert [utility(a, 9, 0) for a in (wide, none, empty)] == [0.1, 0, 0]


@pytest.mark.parametrize(("kind", "expected"), [("sum", 0.9), ("max", 0.4), ("min", 0.2)])
def test_worths_are_added_or_the_highest_or_the_lowest_counts(kind: str, expected: float) -> None:
    parts = [BOX, HyperRectangle(20), HyperRectangle(30)]
    assert utility(Aggregate(kind, parts), 3, 0) == pytest.approx(expected)  # type: ignore[arg-type]


def test_a_nested_aggregate_counts_by_its_weight_and_the_outermost_as_it_is() -> None:
    nested = Aggregate("max", [HyperRectangle(20), HyperRectangle(60)], weight=0.5)
    outermost = Aggregate("sum", [HyperRectangle(10)], [nested], weight=7)
    assert utility(outermost, 0, 0) == pytest.approx(0.4)
    assert space(outermost).aggregate.weight == 1


def test_a_utility_above_1_is_1_and_one_below_0_stays() -> None:
    assert utility(Aggregate("sum", [HyperRectangle(300)]), 0, 0) == 1
    assert utility(Aggregate("sum", [HyperRectangle(-300)]), 0, 0) == -3


@pytest.mark.parametrize(("kind", "expected"), [("sum", 0), ("max", -21474836.47), ("min", 1)])
def test_the_aggregate_of_nothing_is_what_genius_begins_with(kind: str, expected: float) -> None:
    assert utility(Aggregate(kind), 0, 0) == expected  # type: ignore[arg-type]


def test_a_highest_utility_of_0_makes_utilities_that_are_no_numbers() -> None:
    assert math.isnan(utility(Aggregate("sum", [BOX]), 0, 0, max_utility=0))
    assert utility(Aggregate("sum", [BOX]), 3, 0, max_utility=0) == 1


def by_hand(aggregate: Aggregate, bid: Bid) -> float:
    """The value of an aggregate as the class's docstring says it, box by box."""
    parts = []
    for box in aggregate.boxes:
        inside = all(low <= int(bid[name]) <= high for name, (low, high) in box.bounds.items())
        parts.append(box.utility * box.weight if inside != box.excludes else 0.0)
    parts += [by_hand(nested, bid) * nested.weight for nested in aggregate.nested]
    # Genius folds from these numbers on. (sum() would add more exactly than it does.)
    match aggregate.aggregation:
        case "sum":
            return functools.reduce(operator.add, parts, 0.0)
        case "max":
            return max([-2147483647.0, *parts])
        case "min":
            return min([2147483647.0, *parts])


@given(space=boxes(DOMAIN))
def test_utilities_on_arrays_are_those_that_one_finds_by_hand(space: UtilitySpace) -> None:
    assert isinstance(space, HyperRectangleUtilitySpace)
    assume(space.max_utility)
    bids = list(DOMAIN.bids())
    expected = [min(1.0, by_hand(space.aggregate, bid) / space.max_utility) for bid in bids]
    np.testing.assert_array_equal([space.utility(bid) for bid in bids], expected)
    np.testing.assert_array_equal(space.utilities(), expected)


def test_a_highest_utility_next_to_0_makes_utilities_that_are_infinite() -> None:
    assert utility(Aggregate("sum", [HyperRectangle(-1)]), 0, 0, max_utility=5e-324) == -math.inf


def test_an_issue_too_wide_for_arrays_is_refused() -> None:
    domain = Domain("wide", [IntegerIssue("A", 0, 2**62)])
    with pytest.raises(OptionError, match="bounds of issue 'A' are too large"):
        HyperRectangleUtilitySpace(domain=domain, aggregate=Aggregate("sum"), max_utility=1)


def test_issues_that_are_not_bounded_may_be_of_any_kind() -> None:
    domain = Domain("mixed", [RealIssue("R", 0, 1), IntegerIssue("I", 0, 1)])
    space = HyperRectangleUtilitySpace(
        domain=domain,
        aggregate=Aggregate("sum", [HyperRectangle(1, {"I": (1, 1)})]),
        max_utility=2,
    )
    assert space.utility(domain.bid(R=0.123, I=1)) == 0.5
    assert space.utilities().tolist() == [0.0] * 21 + [0.5] * 21


@pytest.mark.parametrize("name", ["A", "nothing"])
def test_only_integer_issues_of_the_domain_can_be_bounded(name: str) -> None:
    nested = Aggregate("max", [HyperRectangle(1, {name: (0, 1)})])
    with pytest.raises(
        OptionError, match=f"bounds '{name}', which is not an integer issue of game"
    ):
        space(Aggregate("sum", [], [nested]))


def test_impossible_boxes_and_aggregates_are_refused() -> None:
    with pytest.raises(OptionError, match="An excluding box needs bounds"):
        HyperRectangle(1, excludes=True)
    with pytest.raises(ValueError, match="aggregation"):
        Aggregate("product")  # type: ignore[arg-type]


def test_spaces_are_equal_and_have_one_hash_when_their_boxes_are() -> None:
    one = space(Aggregate("sum", [BOX]))
    two = space(Aggregate("sum", [HyperRectangle(40, {"J": (-1, 3), "I": (2, 5)})]))
    assert one == two
    assert hash(one) == hash(two)
    assert one != space(Aggregate("max", [BOX]))
