"""The Pareto frontier of listed outcomes."""

import time
import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from genius_py.analysis.pareto import efficient, is_pareto_optimal, pareto_frontier
from genius_py.errors import OptionError, ProfileError


def brute_force(points: NDArray[np.float64]) -> list[int]:
    """All outcomes that no other one dominates, by comparing each with each."""
    shape = (len(points), len(points))
    as_good, better = np.ones(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
    for utility in points.T:
        as_good &= utility >= utility[:, None]
        better |= utility > utility[:, None]
    found: list[int] = np.flatnonzero(~(as_good & better).any(axis=1)).tolist()
    return found


@st.composite
def clouds(draw: st.DrawFn) -> NDArray[np.float64]:
    """Outcomes of 1 to 6 parties: on a grid with many ties, anywhere, or nearly all efficient."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_parties = draw(st.integers(1, 6))
    n_outcomes = draw(st.integers(0, 700))
    kind = draw(st.sampled_from(["grid", "anywhere", "constant sum", "two values"]))
    if kind == "grid":
        return rng.integers(0, 12, (n_outcomes, n_parties)) / 11
    points = rng.random((n_outcomes, n_parties))
    if kind == "constant sum":
        points[:, -1] = 1.0 - points[:, :-1].sum(axis=1)
    if kind == "two values":
        points[:, 0] = points[:, 0].round()
    return points


@given(clouds())
def test_the_frontier_is_that_of_brute_force(points: NDArray[np.float64]) -> None:
    assert pareto_frontier(points, duplicates=True).tolist() == brute_force(points)


@given(clouds())
def test_duplicates_are_listed_once_by_their_first_index(points: NDArray[np.float64]) -> None:
    first: dict[tuple[float, ...], int] = {}
    for index in brute_force(points):
        first.setdefault(tuple(points[index].tolist()), index)
    assert pareto_frontier(points).tolist() == sorted(first.values())


@given(clouds(), st.randoms(use_true_random=False))
def test_the_order_of_outcomes_does_not_matter(points: NDArray[np.float64], random: Random) -> None:
    order = list(range(len(points)))
    random.shuffle(order)
    one, other = points[pareto_frontier(points)], points[order]
    assert (
        np.unique(one, axis=0).tolist() == np.unique(other[pareto_frontier(other)], axis=0).tolist()
    )


@pytest.mark.parametrize("n_parties", [2, 3])
def test_large_clouds_are_screened_without_a_loss(n_parties: int) -> None:
    # Above 4096 outcomes most are struck out by some strong ones before the sort.
    points = np.random.default_rng(7).integers(0, 60, (5000, n_parties)) / 59
    assert pareto_frontier(points, duplicates=True).tolist() == brute_force(points)
    points[-3:] = 2.0
    assert pareto_frontier(points, duplicates=True).tolist() == [4997, 4998, 4999]


@pytest.mark.parametrize("spread", [0.0, 1e-6, 0.3])
def test_large_spaces_of_two_that_are_at_odds_are_screened_without_a_loss(spread: float) -> None:
    rng = np.random.default_rng(3)
    share = rng.random(5000).round(3)
    points = np.column_stack([share, 1.0 - share - spread * rng.random(5000)])
    for cloud in (points, points[:, ::-1], points * [0.0, 1.0], points * [1.0, 0.0]):
        assert pareto_frontier(cloud, duplicates=True).tolist() == brute_force(cloud)


@pytest.mark.parametrize("n_parties", [4, 6])
@pytest.mark.parametrize("share_of_zeros", [0.5, 0.9, 1.0])
def test_utilities_that_are_mostly_equal_are_divided_all_the_same(
    n_parties: int, share_of_zeros: float
) -> None:
    rng = np.random.default_rng(n_parties)
    points = rng.dirichlet(np.ones(n_parties), 2500)
    points[rng.random(2500) < share_of_zeros, 1] = 0.0
    points[:, 2] = (8 * points[:, 2]).round() / 8
    assert pareto_frontier(points, duplicates=True).tolist() == brute_force(points)


def test_one_party_has_one_best_outcome_among_many() -> None:
    points = np.random.default_rng(0).permutation(1000)[:, None] / 1000
    assert pareto_frontier(points).tolist() == [points.argmax()]


def test_a_point_beaten_in_a_tie_is_not_on_the_frontier() -> None:
    # An incremental frontier with a strict test keeps (.5, .6) in one of the two orders.
    assert pareto_frontier([(0.5, 0.6), (0.5, 0.7)]).tolist() == [1]
    assert pareto_frontier([(0.5, 0.7), (0.5, 0.6)]).tolist() == [0]
    assert pareto_frontier([(2, 1), (1, 1), (1, 2)]).tolist() == [0, 2]
    assert pareto_frontier([(-2, -1), (-1, -1), (-1, -2)]).tolist() == [1]


def test_a_gain_of_float_noise_makes_nothing_efficient() -> None:
    points = np.array([(0.1 + 0.2, 0.4), (0.3, 0.5), (0.6, 0.1)])
    assert pareto_frontier(points).tolist() == [0, 1, 2]
    assert efficient(points).tolist() == [1, 2]
    # Noise is what it is beside the largest utility of the same party.
    assert efficient(points * [1e6, 1.0]).tolist() == [1, 2]
    assert efficient(np.array([(1e6, 0.2), (1e6, 0.2 + 1e-9)])).tolist() == [1]
    assert efficient(np.array([(0.3 + 1e-9, 0.4), (0.3, 0.5)])).tolist() == [0, 1]
    # Noise is noise wherever it lies, and however many take part.
    edge = 0.3000000000005
    assert efficient(np.array([(np.nextafter(edge, 1), 0.5), (edge, 0.9)])).tolist() == [1]
    three = np.array([(0.1 + 0.2, 0.4, 0.4), (0.3, 0.4, 0.6), (0.3, 0.5, 0.5), (0.2, 0.9, 0.1)])
    assert efficient(three).tolist() == [1, 2, 3]


@given(clouds(), st.integers(0, 2**32))
def test_what_is_efficient_is_the_frontier_of_what_was_there_before_noise(
    points: NDArray[np.float64], seed: int
) -> None:
    noise = np.random.default_rng(seed).uniform(-2e-16, 2e-16, points.shape)
    found = points[efficient(points + noise)]
    assert (
        np.unique(found, axis=0).tolist()
        == np.unique(points[pareto_frontier(points)], axis=0).tolist()
    )


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_ties_in_the_first_utility_do_not_depend_on_the_order(order: tuple[int, ...]) -> None:
    points = np.array([(0.5, 0.1), (0.5, 0.9), (0.4, 0.95), (0.5, 0.9)])[list(order)]
    assert sorted(points[pareto_frontier(points)].tolist()) == [[0.4, 0.95], [0.5, 0.9]]
    assert len(pareto_frontier(points, duplicates=True)) == 3


def test_all_of_a_zero_sum_game_is_efficient() -> None:
    assert len(pareto_frontier([(i / 10, 1 - i / 10) for i in range(11)])) == 11


def test_negative_zero_is_zero() -> None:
    assert pareto_frontier([(0.0, 0.5), (-0.0, 0.5)]).tolist() == [0]


def test_one_party_and_no_outcome() -> None:
    assert pareto_frontier([[0.1], [0.9], [0.9]]).tolist() == [1]
    assert pareto_frontier(np.empty((0, 2))).tolist() == []
    assert pareto_frontier(np.empty((0, 3))).tolist() == []


def test_nan_is_refused() -> None:
    with pytest.raises(ProfileError, match="finite"):
        pareto_frontier([(0.1, float("nan"))])


def test_a_million_outcomes_of_two_parties_are_done_at_once() -> None:
    first = np.random.default_rng(1).random(1_000_000)
    zero_sum = np.column_stack([first, 1 - first])
    tracemalloc.start()
    began = time.process_time()
    try:
        n_efficient = len(pareto_frontier(zero_sum))
        elapsed = time.process_time() - began
        memory = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert n_efficient > 999_000
    assert memory < 300e6
    # 0.2 s on one core; comparing each with each would take hours.
    assert elapsed < 10


def test_efficiency_of_an_outcome_forgives_float_noise_only() -> None:
    frontier = [(0.6, 0.4), (0.3, 0.8)]
    assert is_pareto_optimal((0.6, 0.4), frontier)
    assert is_pareto_optimal((0.6 - 1e-12, 0.4), frontier)
    assert not is_pareto_optimal((0.1 + 0.2, 0.4), [(0.3, 0.5)])
    assert is_pareto_optimal((0.5, 0.5), frontier)
    assert not is_pareto_optimal((0.6 - 1e-6, 0.4), frontier)
    assert not is_pareto_optimal((0.3, 0.7), frontier)
    assert is_pareto_optimal((0.3, 0.7), np.empty((0, 2)))


def test_efficiency_of_an_outcome_of_other_parties_is_refused() -> None:
    with pytest.raises(OptionError, match="each of the 2 parties"):
        is_pareto_optimal((0.6, 0.4, 0.2), [(0.6, 0.4)])


@given(clouds())
def test_exactly_the_frontier_is_pareto_optimal(points: NDArray[np.float64]) -> None:
    efficient = set(brute_force(points))
    for index in range(0, len(points), 37):
        assert is_pareto_optimal(points[index], points, tolerance=0.0) == (index in efficient)
