"""Of the bids that are worth as much, those that the opponent likes best."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.minkowski import additive_frontier
from genius_py.strategies.trade_off import trade_offs

Worths = list[NDArray[np.float64]]


def profiles(seed: int, sizes: list[int]) -> tuple[Worths, Worths]:
    """What the values of two additive profiles add."""
    rng = np.random.default_rng(seed)
    one, other = rng.dirichlet(np.ones(len(sizes)), 2)
    own = [weight * rng.random(size) for weight, size in zip(one, sizes, strict=True)]
    theirs = [weight * rng.random(size) for weight, size in zip(other, sizes, strict=True)]
    return own, theirs


def worth(parts: Worths, bids: NDArray[np.intp]) -> NDArray[np.float64]:
    total = np.zeros(len(bids))
    for part, column in zip(parts, bids.T, strict=True):
        total += part[column]
    return total


small = st.lists(st.integers(1, 4), min_size=1, max_size=5)


@given(st.integers(0, 10**6), small, st.floats(-0.1, 1.0), st.sampled_from([0.0, 0.02, 0.3]))
def test_no_bid_is_worth_too_little_and_none_but_the_first_too_much(
    seed: int, sizes: list[int], share: float, width: float
) -> None:
    own, theirs = profiles(seed, sizes)
    lowest = share * sum(float(part.max()) for part in own)
    bids = trade_offs(own, theirs, lowest, lowest + width, most=9)
    found = worth(own, bids)
    assert 1 <= len(bids) <= 9
    assert (found >= lowest - 1e-12).all()
    assert (found[1:] <= lowest + width + 1e-12).all()
    assert len(np.unique(bids, axis=0)) == len(bids)
    liked = worth(theirs, bids)
    assert (liked[0] >= liked - 1e-9).all()
    assert (np.diff(liked[1:]) <= 1e-9).all()


@given(st.integers(0, 10**6), small)
def test_no_other_value_of_one_issue_is_enough_and_better_liked(
    seed: int, sizes: list[int]
) -> None:
    own, theirs = profiles(seed, sizes)
    lowest = 0.6 * sum(float(part.max()) for part in own)
    first = trade_offs(own, theirs, lowest, lowest)[0]
    for issue, size in enumerate(sizes):
        others = np.repeat(first[None], size, axis=0)
        others[:, issue] = np.arange(size)
        is_enough = worth(own, others) >= lowest + 1e-9
        assert (worth(theirs, others) <= worth(theirs, first[None]) + 1e-9)[is_enough].all()


@pytest.mark.parametrize("n_issues", [10, 40])
def test_in_large_spaces_it_is_nearly_the_best_there_is(n_issues: int) -> None:
    own, theirs = profiles(3, [10] * n_issues)
    factors = AdditiveFactors([np.column_stack(pair) for pair in zip(own, theirs, strict=True)])
    frontier = additive_frontier(factors).points
    for lowest in np.linspace(0.3, 0.95, 14) * float(factors.highest[0]):
        best = frontier[frontier[:, 0] >= lowest, 1].max()
        found = worth(theirs, trade_offs(own, theirs, lowest, lowest + 0.02))
        assert found[0] >= best - 0.02


def test_what_the_own_best_bid_does_not_reach_is_not_found() -> None:
    own, theirs = profiles(1, [3, 3])
    assert len(trade_offs(own, theirs, 2.0, 3.0)) == 0


def test_an_opponent_that_likes_nothing_gets_a_bid_that_is_enough() -> None:
    own, _ = profiles(1, [3, 3])
    nothing = [np.zeros(3), np.zeros(3)]
    best = sum(float(part.max()) for part in own)
    assert worth(own, trade_offs(own, nothing, best, best)).tolist() == pytest.approx([best])
