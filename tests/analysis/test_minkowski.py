"""The frontier of additive profiles, found without listing the bids."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.minkowski import additive_frontier, supported
from genius_py.analysis.pareto import efficient, pareto_frontier
from genius_py.errors import OptionError


def profiles(
    rng: np.random.Generator, sizes: list[int], n_parties: int, kind: str = "anywhere"
) -> AdditiveFactors:
    """Additive profiles with weights that add up to 1 and evaluations up to 1."""
    weights = rng.dirichlet(np.ones(len(sizes)), n_parties)
    contributions = []
    for issue, size in enumerate(sizes):
        evaluations = rng.random((size, n_parties))
        if kind == "grid":
            weights = np.full((n_parties, len(sizes)), 1 / len(sizes))
            evaluations = rng.integers(0, 5, (size, n_parties)) / 4
        if kind == "opposed":
            evaluations.sort(axis=0)
            evaluations[:, 1::2] = evaluations[::-1, 1::2]
        contributions.append(evaluations * weights[:, issue])
    return AdditiveFactors(contributions)


@st.composite
def small_spaces(draw: st.DrawFn) -> AdditiveFactors:
    """Listable additive spaces of 1 to 5 parties; some exceed the cap, some go below 0."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    kind = draw(st.sampled_from(["anywhere", "grid", "opposed"]))
    factors = profiles(rng, sizes, draw(st.integers(1, 5)), kind)
    scale, shift = draw(st.sampled_from([(1.0, 0.0), (1.5, 0.0), (1.0, -0.3)]))
    cap = draw(st.sampled_from([1.0, None]))
    return AdditiveFactors([scale * issue + shift for issue in factors.contributions], cap)


@given(small_spaces())
def test_the_frontier_is_that_of_the_listed_space_float_for_float(factors: AdditiveFactors) -> None:
    listed = factors.listed()
    frontier = additive_frontier(factors)
    expected = np.unique(listed[efficient(listed)], axis=0)
    assert frontier.complete
    assert len(frontier) == len(expected)
    assert np.unique(frontier.points, axis=0).tolist() == expected.tolist()


@given(small_spaces())
def test_every_point_has_a_bid_that_is_worth_it(factors: AdditiveFactors) -> None:
    frontier = additive_frontier(factors)
    assert factors.points(frontier.bids).tolist() == frontier.points.tolist()


@given(small_spaces())
def test_points_come_in_the_order_of_their_bids(factors: AdditiveFactors) -> None:
    indices = np.ravel_multi_index(additive_frontier(factors).bids.T, factors.sizes, order="F")
    assert (np.diff(indices) > 0).all()


@given(
    small_spaces(),
    st.sampled_from([0.0, 1e-6, 0.01, 0.1, 1.0]),
    st.sampled_from([4, 9, 30, 1 << 18]),
)
def test_no_outcome_is_missed_by_more_than_the_error(
    factors: AdditiveFactors, epsilon: float, limit: int
) -> None:
    frontier = additive_frontier(factors, epsilon=epsilon, limit=limit)
    missed = factors.listed()[:, None, :] - frontier.points[None, :, :]
    assert missed.max(axis=2).min(axis=1).max() <= frontier.error + 1e-12
    assert factors.points(frontier.bids).tolist() == frontier.points.tolist()
    if limit == 1 << 18:
        assert frontier.error <= epsilon * (1 + 1e-12)


@given(small_spaces(), st.sampled_from([4, 9, 30]))
def test_no_merge_looks_at_more_combinations_than_the_limit(
    factors: AdditiveFactors, limit: int
) -> None:
    frontier = additive_frontier(factors, limit=limit)
    assert frontier.examined <= limit * len(factors.sizes) + len(supported(factors))


@given(small_spaces())
def test_supported_bids_are_efficient_and_among_them_are_the_extremes(
    factors: AdditiveFactors,
) -> None:
    uncapped = AdditiveFactors(factors.contributions, cap=None)
    listed, found = uncapped.listed(), uncapped.points(supported(uncapped))
    assert (found.max(axis=0) >= uncapped.highest - 1e-12).all()
    assert found.sum(axis=1).max() >= listed.sum(axis=1).max() - 1e-12
    is_better = (listed[:, None] > found + 1e-6).any(axis=2)
    is_as_good = (listed[:, None] >= found - 1e-12).all(axis=2)
    assert not (is_better & is_as_good).any()


@pytest.mark.parametrize("kind", ["anywhere", "opposed"])
def test_with_six_parties_what_is_lost_is_little_next_to_what_there_is(kind: str) -> None:
    factors = profiles(np.random.default_rng(1), [10] * 20, 6, kind)
    frontier = additive_frontier(factors, limit=1 << 12)
    assert not frontier.complete
    assert frontier.error < 0.4
    welfare = sum(float(issue.sum(axis=1).max()) for issue in factors.contributions)
    assert frontier.points.sum(axis=1).max() == pytest.approx(welfare)
    assert frontier.points.max(axis=0) == pytest.approx(factors.highest)


def test_thinning_leaves_points_of_the_frontier_and_says_so() -> None:
    # All 10^8 bids of this zero-sum space are efficient.
    rng = np.random.default_rng(3)
    weights = rng.dirichlet(np.ones(8))
    evaluations = rng.random((8, 10))
    factors = AdditiveFactors(
        [np.column_stack([w * e, w * (1 - e)]) for w, e in zip(weights, evaluations, strict=True)]
    )
    frontier = additive_frontier(factors, epsilon=1e-3)
    assert not frontier.complete
    assert frontier.error <= 1e-3
    assert 500 < len(frontier) < 100_000
    assert np.allclose(frontier.points.sum(axis=1), 1.0)
    # Any share of the first party is met up to the error.
    shares = np.sort(frontier.points[:, 0])
    lowest, highest = factors.lowest[0], factors.highest[0]
    assert shares[0] - lowest <= 1e-3
    assert highest - shares[-1] <= 1e-3
    assert np.diff(shares).max() <= 1e-2


def test_ten_to_the_forty_outcomes_are_no_trouble() -> None:
    factors = profiles(np.random.default_rng(0), [10] * 40, 2)
    tracemalloc.start()
    try:
        frontier = additive_frontier(factors)
        memory = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert factors.n_outcomes == 10**40
    assert frontier.complete
    assert memory < 50e6
    # The extremes are the bids that each party likes best.
    assert frontier.points.max(axis=0).tolist() == factors.highest.tolist()
    # No swap of one value, or of two, improves on any of them.
    some = frontier.bids[:: max(1, len(frontier) // 20)]
    for bid, point in zip(some, factors.points(some), strict=True):
        swaps = np.repeat(bid[None], 400, axis=0)
        swaps[np.arange(400), np.repeat(np.arange(40), 10)] = np.tile(np.arange(10), 40)
        twice = np.where(swaps != bid, swaps, np.roll(swaps, 17, axis=0))
        for worth in (factors.points(swaps), factors.points(twice)):
            assert not ((worth >= point).all(axis=1) & (worth > point).any(axis=1)).any()


def test_a_wide_integer_issue_is_merged_without_trouble() -> None:
    price = np.linspace(0, 0.6, 100_001)
    factors = AdditiveFactors(
        [np.column_stack([price, 0.6 - price]), [(0.4, 0.0), (0.3, 0.3), (0.0, 0.4)], [(0, 0)] * 9]
    )
    frontier = additive_frontier(factors)
    assert frontier.error < 1e-4
    assert frontier.points.max(axis=0).tolist() == pytest.approx([1.0, 1.0])


def test_three_parties_are_merged_exactly() -> None:
    factors = profiles(np.random.default_rng(5), [5] * 10, 3)
    frontier = additive_frontier(factors)
    assert frontier.complete
    sample = factors.points(np.random.default_rng(6).integers(0, 5, (20_000, 10)))
    merged = np.concatenate([frontier.points, sample])
    assert pareto_frontier(merged).tolist() == list(range(len(frontier)))


@pytest.mark.parametrize("options", [{"epsilon": -0.1}, {"limit": 3}])
def test_impossible_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="epsilon must be at least 0"):
        additive_frontier(AdditiveFactors([[(0.1, 0.2)]]), **options)  # type: ignore[arg-type]
