"""The approximate frontier of a space without structure."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.pareto import pareto_frontier
from genius_py.analysis.sampling import sampled_frontier
from genius_py.errors import OptionError


def factors(n_issues: int, n_values: int) -> AdditiveFactors:
    rng = np.random.default_rng(2)
    return AdditiveFactors([rng.random((n_values, 2)) / n_issues for _ in range(n_issues)])


def test_a_space_within_the_budget_is_examined_whole() -> None:
    space = factors(4, 5)
    found = sampled_frontier(space.points, space.sizes, np.random.default_rng(0), budget=625)
    assert found.complete
    assert found.examined == 625
    listed = space.listed()
    assert found.points.tolist() == listed[pareto_frontier(listed)].tolist()
    assert space.points(found.bids).tolist() == found.points.tolist()


def test_a_larger_space_is_said_to_be_incomplete() -> None:
    space = factors(12, 10)
    asked = 0

    def evaluate(bids: NDArray[np.intp]) -> NDArray[np.float64]:
        nonlocal asked
        asked += len(bids)
        return space.points(bids)

    found = sampled_frontier(evaluate, space.sizes, np.random.default_rng(0), budget=20_000)
    assert not found.complete
    assert found.error == math.inf
    assert found.examined == asked == 20_000
    assert space.points(found.bids).tolist() == found.points.tolist()
    assert len(pareto_frontier(found.points)) == len(found)


def test_local_search_comes_nearer_than_drawing_at_random() -> None:
    space = factors(12, 10)
    rng = np.random.default_rng(1)
    found = sampled_frontier(space.points, space.sizes, rng, budget=20_000)
    drawn = space.points(rng.integers(0, 10, (20_000, 12)))
    assert found.points.sum(axis=1).max() > drawn.sum(axis=1).max() + 0.05


def test_the_same_generator_gives_the_same_frontier() -> None:
    space = factors(12, 10)
    one, other = (
        sampled_frontier(space.points, space.sizes, np.random.default_rng(3), budget=9_000)
        for _ in range(2)
    )
    assert one.bids.tolist() == other.bids.tolist()


def test_no_budget_and_no_value_are_refused() -> None:
    for sizes, budget in (((2, 2), 0), ((2, 0), 10), ((), 10)):
        with pytest.raises(OptionError, match="at least one value for every issue"):
            sampled_frontier(lambda bids: bids, sizes, np.random.default_rng(0), budget=budget)
