"""An approximate Pareto frontier of an outcome space that has neither structure nor a list."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.frontier import Frontier
from genius_py.analysis.pareto import efficient, undominated
from genius_py.analysis.points import as_points
from genius_py.errors import OptionError

__all__ = ["sampled_frontier"]

_BATCH = 1 << 10


def sampled_frontier(
    evaluate: Callable[[NDArray[np.intp]], ArrayLike],
    sizes: Sequence[int],
    rng: np.random.Generator,
    *,
    budget: int = 100_000,
) -> Frontier:
    """The Pareto-optimal ones of `budget` bids: a tenth of them random, the rest near the best.

    `evaluate` takes bids of shape (n, n_issues), each the places of its values, and gives utilities
    of shape (n, n_parties). Issue i has `sizes[i]` values. All but the random bids come from Pareto
    local search (Paquete, Chiarandini & Stützle, 2004): frontier bids, one or two values changed.

    The error of the frontier is infinite (nothing is known of bids that were not examined), unless
    the space has no more bids than `budget`: then all are examined and the frontier is exact.
    """
    if budget < 1 or min(sizes, default=0) < 1:
        raise OptionError(
            f"Sampling needs a budget and at least one value for every issue; "
            f"got a budget of {budget} and issues of {tuple(sizes)} values."
        )
    n_outcomes = math.prod(sizes)
    if n_outcomes <= budget:
        bids = _listed(sizes)
        points = as_points(evaluate(bids))
        kept = efficient(points)
        return Frontier(points[kept], bids[kept], n_outcomes)
    bids = _drawn(sizes, rng, min(_BATCH, budget))
    points = as_points(evaluate(bids))
    examined = len(bids)
    while examined < budget:
        # As many as there are already, so that the undominated ones are not looked for too often.
        n = min(max(_BATCH, len(bids)), budget - examined)
        if examined < budget // 10:
            new = _drawn(sizes, rng, n)
        else:
            new = bids[rng.integers(len(bids), size=n)]
            for some in (n, n // 2):
                changed = rng.integers(len(sizes), size=some)
                new[np.arange(some), changed] = rng.integers(0, np.asarray(sizes)[changed])
        examined += n
        points = np.concatenate([points, as_points(evaluate(new))])
        bids = np.concatenate([bids, new])
        kept = undominated(points)
        bids, points = bids[kept], points[kept]
    kept = efficient(points)
    order = kept[np.lexsort(bids[kept].T)]
    return Frontier(points[order], bids[order], examined, math.inf)


def _drawn(sizes: Sequence[int], rng: np.random.Generator, n: int) -> NDArray[np.intp]:
    return rng.integers(0, sizes, size=(n, len(sizes)), dtype=np.intp)


def _listed(sizes: Sequence[int]) -> NDArray[np.intp]:
    """All bids, in index order: the first issue varies fastest."""
    return np.indices(sizes[::-1]).reshape(len(sizes), -1)[::-1].T
