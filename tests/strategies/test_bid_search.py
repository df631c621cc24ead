import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.errors import GeniusWarning, OptionError, OutcomeSpaceTooLarge, StrategyError
from genius_py.formats import genius_xml
from genius_py.issue import DiscreteIssue, IntegerIssue, TextIssue
from genius_py.strategies.bid_search import (
    Search,
    best_bid,
    bid_near,
    bids_in_range,
    ladder,
    random_bid,
    utility_range,
    worst_bid,
)
from genius_py.utility import (
    AdditiveUtilitySpace,
    CallableUtilitySpace,
    DiscreteEvaluator,
    TableUtilitySpace,
)

hundredths = st.integers(0, 100).map(lambda n: n / 100)
targets = st.integers(-200, 1200).map(lambda n: n / 1000)


@st.composite
def tables(draw: st.DrawFn) -> TableUtilitySpace:
    """Spaces of a few bids whose utilities are often equal."""
    domain = Domain("few", [IntegerIssue("n", 1, draw(st.integers(1, 30)))])
    return TableUtilitySpace(
        domain=domain,
        table=draw(st.lists(hundredths, min_size=domain.size, max_size=domain.size)),
    )


@given(tables(), targets)
def test_the_bid_found_is_the_lowest_at_or_above_the_target_and_the_first_among_equals(
    space: TableUtilitySpace, target: float
) -> None:
    utilities = space.utilities().tolist()
    enough = [u for u in utilities if u >= target]
    wanted = min(enough) if enough else max(utilities)
    assert bid_near(space, target).index == utilities.index(wanted)


@given(tables())
def test_the_best_and_the_worst_bid_are_the_first_of_their_kind(space: TableUtilitySpace) -> None:
    utilities = space.utilities().tolist()
    assert best_bid(space).index == utilities.index(max(utilities))
    assert worst_bid(space).index == utilities.index(min(utilities))
    assert utility_range(space) == (min(utilities), max(utilities))


@given(tables(), targets, targets)
def test_a_range_holds_its_bounds_and_starts_with_the_best(
    space: TableUtilitySpace, lowest: float, highest: float
) -> None:
    utilities = space.utilities().tolist()
    found = [utilities[bid.index] for bid in bids_in_range(space, lowest, highest)]
    assert found == sorted((u for u in utilities if lowest <= u <= highest), reverse=True)


def test_the_order_of_a_space_is_made_once() -> None:
    space = TableUtilitySpace(domain=Domain("n", [IntegerIssue("n", 1, 3)]), table=[0.1, 0.5, 0.2])
    assert ladder(space) is ladder(space)
    assert ladder(space, "genius") is ladder(space, "genius")


def test_a_long_ladder_finds_the_same_bids_as_a_short_one() -> None:
    rng = np.random.default_rng(0)
    space = TableUtilitySpace(
        domain=Domain("long", [IntegerIssue("n", 0, 299_999)]),
        table=rng.integers(0, 10_000, 300_000) / 10_000,
    )
    table = space.table
    for target in (0.0, 0.00015, 0.3, 0.77777, 1.0):
        enough = table[table >= target]
        wanted = enough.min() if enough.size else table.max()
        assert bid_near(space, target).index == int(np.flatnonzero(table == wanted)[0])


def test_a_utility_that_is_no_number_is_worse_than_any() -> None:
    space = TableUtilitySpace(
        domain=Domain("n", [IntegerIssue("n", 0, 2)]), table=[math.nan, -5.0, 0.5]
    )
    assert best_bid(space).index == 2
    assert bid_near(space, -6.0).index == 1
    assert worst_bid(space).index == 0


def test_an_unknown_search_is_refused() -> None:
    space = TableUtilitySpace(domain=Domain("n", [IntegerIssue("n", 1, 1)]), table=[1.0])
    with pytest.raises(OptionError, match="'nearest'"):
        ladder(space, "nearest")  # type: ignore[arg-type]


@pytest.mark.parametrize("search", ["at_or_above", "genius"])
def test_a_domain_without_bids_is_refused(search: Search) -> None:
    space = AdditiveUtilitySpace(
        domain=Domain("none", [DiscreteIssue("nothing", [])]),
        weights=[1.0],
        evaluators=[DiscreteEvaluator({})],
    )
    with pytest.raises(StrategyError, match="no bid"):
        bid_near(space, 0.5, search)


def test_genius_does_not_list_what_cannot_be_listed() -> None:
    space = CallableUtilitySpace(domain=Domain("text", [TextIssue("t")]), function=lambda bid: 0.5)
    with pytest.raises(OutcomeSpaceTooLarge):
        bid_near(space, 0.5, "genius")


def test_genius_takes_the_nearest_bid_even_below_the_target() -> None:
    space = TableUtilitySpace(
        domain=Domain("n", [IntegerIssue("n", 0, 4)]), table=[0.0, 0.3, 0.5, 0.9, 1.0]
    )
    assert bid_near(space, 0.55).index == 3
    assert bid_near(space, 0.55, "genius").index == 2


def test_genius_breaks_ties_by_the_hashes_of_values() -> None:
    # Worked by hand: "b" hashes to 98 and "a" to 97, and of equal utilities the lower hash leads.
    space = AdditiveUtilitySpace(
        domain=Domain("two", [DiscreteIssue("i", ["b", "a"])]),
        weights=[1.0],
        evaluators=[DiscreteEvaluator({"b": 1.0, "a": 1.0})],
    )
    assert ladder(space, "genius").bid(0)["i"] == "a"
    assert ladder(space).bid(0)["i"] == "b"


def golden_profiles(golden: Path) -> list[tuple[str, str, dict[str, object]]]:
    found = []
    for file in sorted((golden / "utility").glob("*.json")):
        scenario = json.loads(file.read_text(encoding="utf-8"))
        for profile in scenario.get("profiles", []):
            if "bid_near_utility" in profile:
                found.append((scenario["domain_file"], profile["file"], profile))
    return found


def test_golden_utility_genius_search_finds_what_genius_found(golden: Path) -> None:
    differing, checked = [], 0
    for domain_file, profile_file, recorded in golden_profiles(golden):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GeniusWarning)
            domain = genius_xml.read_genius_domain(golden / "inputs" / domain_file)
            space = genius_xml.read_profile(golden / "inputs" / profile_file, domain)
        for near in recorded["bid_near_utility"]:  # type: ignore[attr-defined]
            found = bid_near(space, near["target"], "genius")
            wanted = space.domain.bid_at(near["bid_index"])
            checked += 1
            if found != wanted:
                differing.append((profile_file, near["target"], found.index, near["bid_index"]))
    assert not differing
    assert checked


@given(tables(), targets)
def test_a_random_bid_is_worth_enough(space: TableUtilitySpace, lowest: float) -> None:
    bid = random_bid(space, lowest, np.random.default_rng(1))
    best = space.utilities().max()
    assert bid is None if lowest > best else bid is not None and space.utility(bid) >= lowest


def wide(n_issues: int) -> AdditiveUtilitySpace:
    """Each issue has a value of no worth, and nine that are worth the same."""
    values = [f"v{n}" for n in range(10)]
    evaluator = DiscreteEvaluator({value: float(value != "v0") for value in values})
    return AdditiveUtilitySpace(
        domain=Domain("wide", [DiscreteIssue(f"i{n}", values) for n in range(n_issues)]),
        weights=[1 / n_issues] * n_issues,
        evaluators=[evaluator] * n_issues,
    )


def test_random_bids_of_a_space_too_large_to_list_are_those_of_the_space() -> None:
    space, rng = wide(30), np.random.default_rng(2)
    drawn = [random_bid(space, 0.0, rng) for _ in range(300)]
    shares = [space.utility(bid) for bid in drawn if bid is not None]
    assert np.mean(shares) == pytest.approx(0.9, abs=0.02)


def test_random_bids_that_are_too_rare_to_be_drawn_come_from_the_ladder() -> None:
    space = wide(100)
    bid = random_bid(space, 1.0 - 1e-9, np.random.default_rng(2))
    assert bid is not None
    assert space.utility(bid) == pytest.approx(1.0)
    assert random_bid(space, 1.1, np.random.default_rng(2)) is None
