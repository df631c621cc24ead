import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from genius_py.errors import StrategyError
from genius_py.java import bid_details_hash
from genius_py.strategies.outcome_order import (
    genius_in_range,
    genius_nearest,
    genius_order,
    genius_search,
    in_range,
    lowest_at_or_above,
    nearest,
)

FIVE = np.array([1.0, 0.9, 0.7, 0.4, 0.1])

# Two decimals, so that equal utilities and exact hits are common.
utility = st.integers(0, 100).map(lambda hundredths: hundredths / 100)
falling = st.lists(utility, min_size=1, max_size=40).map(lambda us: np.array(sorted(us)[::-1]))
target = st.integers(-20, 1200).map(lambda thousandths: thousandths / 1000)


def small_scenarios(folder: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Golden scenarios whose bids are all listed, and these bids."""
    for file in sorted((folder / "utility").glob("*.json")):
        scenario = json.loads(file.read_text())
        if 0 < scenario.get("size", 0) <= 50:
            yield scenario, scenario["bids"][: scenario["size"]]


def test_golden_utility_of_small_spaces_is_sorted_and_searched_as_by_genius(golden: Path) -> None:
    checked = 0
    for scenario, bids in small_scenarios(golden):
        hashes = np.array([bid.get("hash", 0) for bid in bids])
        # Where a value is listed twice, the vectors give the index of the first of equal bids.
        contents = [bid["bid"] for bid in bids]
        first = np.array([contents.index(content) for content in contents])
        for profile in scenario["profiles"]:
            if "sorted_first40" not in profile:
                continue
            name = (scenario["id"], profile["file"])
            utilities = np.array(profile["utilities"][: len(bids)])
            order = genius_order(utilities, hashes)
            descending, order = utilities[order], first[order]
            assert order[:40].tolist() == profile["sorted_first40"], name
            for near in profile["bid_near_utility"]:
                place = genius_nearest(descending, near["target"])
                assert (place, order[place]) == (near["pos"], near["bid_index"]), name
            for span in profile["bids_in_range"]:
                found = order[genius_in_range(descending, span["lower"], span["upper"])]
                assert found.size == span["count"], name
                assert (found[0], found[-1]) == (span["first"], span["last"]), name
            checked += 1
    assert checked


def test_the_best_comes_first_and_equals_follow_their_hash() -> None:
    utilities = np.array([0.5, 0.5, 0.9, 0.5])
    hashes = np.array([7, 3, 0, 3])
    by_hash = sorted((0, 1, 3), key=lambda bid: int(bid_details_hash(hashes[bid], 0.5)))
    assert genius_order(utilities, hashes).tolist() == [2, *by_hash]
    # Bids 1 and 3 are alike, and stay in the order of the domain.
    assert by_hash.index(1) + 1 == by_hash.index(3)


def test_the_bisection_never_finds_the_last_place() -> None:
    assert [genius_search(FIVE, u) for u in FIVE] == [0, 1, 2, 3, 3]
    assert genius_search(FIVE, 0.0) == 3
    assert genius_search(FIVE[:1], 0.3) == 0


def test_an_empty_list_cannot_be_searched() -> None:
    with pytest.raises(StrategyError, match="no outcome"):
        genius_search(FIVE[:0], 0.5)


@pytest.mark.parametrize(
    ("wanted", "place"),
    [(1.2, 0), (0.96, 0), (0.94, 1), (0.7, 2), (0.5, 3), (0.2, 4), (0.0, 4)],
)
def test_the_nearest_utility_is_found_from_either_side(wanted: float, place: int) -> None:
    assert nearest(FIVE, wanted) == genius_nearest(FIVE, wanted) == place


def test_of_two_equally_near_the_higher_is_taken() -> None:
    assert nearest(np.array([1.0, 0.5]), 0.75) == 0


@given(falling, target)
def test_nearest_and_its_genius_form_find_the_smallest_distance(
    descending: NDArray[np.float64], wanted: float
) -> None:
    found = descending[nearest(descending, wanted)]
    assert abs(found - wanted) == np.abs(descending - wanted).min()
    assert descending[genius_nearest(descending, wanted)] == found


@given(falling, target)
def test_a_bid_at_or_above_the_target_never_falls_below_it(
    descending: NDArray[np.float64], wanted: float
) -> None:
    found = descending[lowest_at_or_above(descending, wanted)]
    reaching = descending[descending >= wanted]
    assert found == (reaching.min() if reaching.size else descending[0])


@given(falling, target, target)
def test_a_range_holds_exactly_the_utilities_between_its_bounds(
    descending: NDArray[np.float64], low: float, high: float
) -> None:
    inside = descending[(descending >= low) & (descending <= high)]
    assert descending[in_range(descending, low, high)].tolist() == inside.tolist()


def test_the_range_of_genius_takes_one_above_its_upper_bound() -> None:
    assert genius_in_range(FIVE, 0.3, 0.8) == slice(1, 4)
    assert in_range(FIVE, 0.3, 0.8) == slice(2, 4)


def test_the_range_of_genius_is_never_empty() -> None:
    assert genius_in_range(FIVE, 0.5, 0.6) == slice(2, 3)
    assert in_range(FIVE, 0.5, 0.6) == slice(3, 3)
    assert genius_in_range(FIVE[:1], 0.5, 0.6) == slice(0, 1)


@given(falling, target, target)
def test_the_range_of_genius_adds_at_most_one_better_bid(
    descending: NDArray[np.float64], a: float, b: float
) -> None:
    low, high = sorted((a, b))
    found = genius_in_range(descending, low, high)
    assert 0 <= found.start < found.stop <= descending.size
    assert (descending[found][1:] <= high).all()
    assert (descending[found][1:] >= low).all()
