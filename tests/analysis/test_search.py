"""Searching bids by utility without listing them."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from genius_py.analysis import halves
from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.search import BidSearch
from genius_py.errors import OptionError


@st.composite
def profiles(draw: st.DrawFn) -> AdditiveFactors:
    """Profiles of one party in listable spaces: generic, with many ties, capped, or negative."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=6))
    scale = draw(st.sampled_from([1.0, 1.5]))
    shift = draw(st.sampled_from([0.0, -0.1]))
    digits = draw(st.sampled_from([1, 2, 17]))
    weights = scale * rng.dirichlet(np.ones(len(sizes)))
    contributions = [
        (weight * rng.random(size)).round(digits) + shift
        for weight, size in zip(weights, sizes, strict=True)
    ]
    return AdditiveFactors(contributions)


def targets(listed: NDArray[np.float64]) -> st.SearchStrategy[float]:
    return st.one_of(
        st.floats(-0.2, 1.1), st.sampled_from(listed.tolist()), st.sampled_from([0.0, 0.5, 1.0])
    )


@given(profiles(), st.data())
def test_the_nearest_bid_above_is_that_of_the_listed_space(
    factors: AdditiveFactors, data: st.DataObject
) -> None:
    listed = factors.listed()[:, 0]
    target = data.draw(targets(listed))
    found = BidSearch(factors).nearest_at_or_above(target)
    above = listed[listed >= target]
    assert found.complete
    assert len(found) == min(1, len(above))
    if len(above):
        assert found.utilities[0] >= target
        assert found.utilities[0] <= above.min() + 1e-9
        assert factors.points(found.bids)[0, 0] == found.utilities[0]


@given(profiles(), st.data(), st.sampled_from([1, 4, 100_000]))
def test_a_range_holds_the_best_bids_of_the_listed_space(
    factors: AdditiveFactors, data: st.DataObject, limit: int
) -> None:
    listed = factors.listed()[:, 0]
    low, high = sorted([data.draw(targets(listed)), data.draw(targets(listed))])
    found = BidSearch(factors).in_range(low, high, limit)
    within = np.sort(listed[(low <= listed) & (listed <= high)])[::-1]
    assert found.complete == (len(within) <= limit)
    assert len(np.unique(found.bids, axis=0)) == len(found)
    assert found.utilities == pytest.approx(within[:limit], abs=2e-12)
    assert ((low <= found.utilities) & (found.utilities <= high)).all()
    if found.complete:
        assert found.utilities.tolist() == within.tolist()


@given(profiles(), st.data(), st.integers(0, 9))
def test_bids_are_drawn_from_the_range_if_it_holds_any(
    factors: AdditiveFactors, data: st.DataObject, seed: int
) -> None:
    listed = factors.listed()[:, 0]
    low, high = sorted([data.draw(targets(listed)), data.draw(targets(listed))])
    found = BidSearch(factors).draw(low, high, 5, np.random.default_rng(seed))
    assert len(found) == (5 if ((low <= listed) & (listed <= high)).any() else 0)
    assert ((low <= found.utilities) & (found.utilities <= high)).all()
    assert found.complete


def test_every_bid_of_a_range_is_equally_likely() -> None:
    factors = AdditiveFactors([[0.0, 0.1, 0.2], [0.0, 0.3, 0.35], [0.0, 0.4]])
    listed = factors.listed()[:, 0]
    n_within = ((listed >= 0.2) & (listed <= 0.6)).sum()
    found = BidSearch(factors).draw(0.2, 0.6, 20_000, np.random.default_rng(0))
    _, counts = np.unique(found.bids, axis=0, return_counts=True)
    assert len(counts) == n_within
    # Four standard deviations of a binomial count.
    mean = 20_000 / n_within
    assert abs(counts - mean).max() < 4 * mean**0.5


@pytest.fixture
def _small_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Halves that hold next to nothing, so that small spaces are too large for them."""
    monkeypatch.setattr(halves, "_ALL", 12)
    monkeypatch.setattr(halves, "_SOME", 8)


@pytest.mark.usefixtures("_small_halves")
@pytest.mark.parametrize("seed", range(40))
def test_a_search_that_does_not_know_all_bids_claims_nothing_wrong(seed: int) -> None:
    rng = np.random.default_rng(seed)
    factors = AdditiveFactors([rng.random(4) / 6 for _ in range(6)])
    listed = np.sort(factors.listed()[:, 0])
    search = BidSearch(factors)
    claims = 0
    for target in np.linspace(listed[0], listed[-1], 50):
        nearest = search.nearest_at_or_above(target)
        assert nearest.utilities[0] >= target
        if nearest.complete:
            claims += 1
            assert nearest.utilities[0] <= listed[listed >= target].min() + 1e-9
        bids = search.in_range(target, 1.0, 10_000)
        n_within = int((listed >= target).sum())
        assert len(bids) == n_within if bids.complete else len(bids) <= n_within
        assert (bids.utilities >= target).all()
    assert 0 < claims < 50


def space(n_issues: int, n_values: int) -> AdditiveFactors:
    rng = np.random.default_rng(n_issues)
    weights = rng.dirichlet(np.ones(n_issues))
    return AdditiveFactors([weight * rng.random(n_values) for weight in weights])


def test_ten_to_the_ten_bids_are_searched_exactly() -> None:
    search = BidSearch(space(10, 10))
    best = search.factors.highest[0]
    for target in np.linspace(0.3, best, 8):
        found = search.nearest_at_or_above(target)
        assert found.complete
        # Nothing between the target and what was found.
        below = search.in_range(target, np.nextafter(found.utilities[0], 0.0), 5)
        assert len(below) == 0 or below.utilities[0] >= found.utilities[0] - 1e-9


def test_in_fifty_issues_a_bid_lies_at_every_target() -> None:
    tracemalloc.start()
    try:
        search = BidSearch(space(50, 10))
        memory = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert memory < 200e6
    best, worst = search.factors.highest[0], search.factors.lowest[0]
    for share in np.linspace(0.02, 0.98, 25):
        target = worst + share * (best - worst)
        found = search.nearest_at_or_above(target)
        assert target <= found.utilities[0] <= target + 1e-6
    near = search.in_range(best - 0.01, best, 50)
    assert len(near) == 50
    assert (np.diff(near.utilities) <= 0).all()
    drawn = search.draw(best - 0.02, best - 0.01, 50, np.random.default_rng(0))
    assert len(np.unique(drawn.bids, axis=0)) > 40
    assert ((best - 0.02 <= drawn.utilities) & (drawn.utilities <= best - 0.01)).all()


def test_the_best_bid_is_found_though_its_utility_is_below_1() -> None:
    # Weights that add up to less than 1 (stock file Phone-A-prof2 has a best utility of .99357745).
    factors = AdditiveFactors([[0.5, 0.2], [0.49357745, 0.1]])
    search = BidSearch(factors)
    assert len(search.nearest_at_or_above(1.0)) == 0
    assert search.nearest_at_or_above(factors.highest[0]).bids.tolist() == [[0, 0]]


def test_a_lone_wide_issue_is_searched() -> None:
    search = BidSearch([np.linspace(0, 1, 1_000_001)])
    assert search.nearest_at_or_above(0.123_456_7).bids.tolist() == [[123_457]]


def test_a_target_on_which_thousands_of_bids_lie_is_met_exactly() -> None:
    # Sums of tenths: float noise puts many bids a hair below .8, many on it or above.
    search = BidSearch([np.arange(5) / 40 for _ in range(10)])
    found = search.nearest_at_or_above(0.8)
    assert 0.8 <= found.utilities[0] <= 0.8 + 1e-12
    assert len(search.in_range(0.8, 0.8, 10)) == 10


@pytest.mark.parametrize("limit", [0, -1])
def test_a_range_of_no_bids_is_refused(limit: int) -> None:
    with pytest.raises(OptionError, match="at least 1"):
        BidSearch([[0.1, 0.2]]).in_range(0.0, 1.0, limit)


def test_a_search_is_in_one_profile() -> None:
    factors = AdditiveFactors([[(0.1, 0.2), (0.3, 0.4)]])
    with pytest.raises(OptionError, match="of_party"):
        BidSearch(factors)
    assert BidSearch(factors.of_party(1)).nearest_at_or_above(0.3).utilities.tolist() == [0.4]
