"""The Pareto frontier of additive profiles of any size, without listing the bids.

The points of an additive space are the Minkowski sum of its issues' points, and the frontier of a
sum is the frontier of the sum of the frontiers. So issues are merged one after the other, and after
each merge everything dominated is dropped: what beats a partial bid still beats it when the same
values are added to both. (Rounding is monotone, so this holds for float sums too.)
"""

import math

import numpy as np
from numpy.typing import NDArray

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.frontier import Frontier
from genius_py.analysis.pareto import undominated
from genius_py.analysis.points import Points
from genius_py.errors import OptionError

__all__ = ["additive_frontier"]


def additive_frontier(
    factors: AdditiveFactors, *, epsilon: float = 0.0, limit: int = 1 << 18
) -> Frontier:
    """The Pareto frontier of additive profiles, with one bid for each of its points.

    It is exact, float for float the frontier of the listed space, as long as no merge of an issue
    looks at more than `limit` combinations of a partial bid and a value. Where one would, points
    are thinned out as far as needed first; with `epsilon` they are after every merge.

    Thinning keeps one point in each cell of a grid, the best for the last party, and so loses at
    most one cell's width of the others' utility. `Frontier.error` is the sum of all widths where a
    point was lost: at most `epsilon`, unless `limit` forced more.
    """
    if epsilon < 0 or limit < 4:
        raise OptionError(
            f"epsilon must be at least 0 and limit at least 4; got {epsilon} and {limit}."
        )
    width = epsilon / len(factors.contributions)
    reached = np.zeros((1, factors.n_parties))
    steps: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
    examined, error = 0, 0.0
    for contributions in factors.contributions:
        values = undominated(contributions)
        origins = np.arange(len(reached))
        if len(values) * len(reached) > limit:
            few = max(math.isqrt(limit), limit // len(values))
            origins, lost = _thinned_to(reached, few)
            error += lost
            kept, lost = _thinned_to(contributions[values], limit // len(origins))
            values = values[kept]
            error += lost
        # Later issues weigh more in a bid's index: this order keeps the bids in index order.
        sums = np.array(
            [
                np.add.outer(added, before).ravel()
                for added, before in zip(contributions[values].T, reached[origins].T, strict=True)
            ]
        ).T
        examined += len(sums)
        kept = undominated(sums)
        if width > 0:
            sparse, lost = _thinned(sums[kept], width)
            kept = kept[sparse]
            error += lost
        steps.append((values[kept // len(origins)], origins[kept % len(origins)]))
        reached = sums[kept]
    bids = _walk_back(steps)
    # The cap can make points equal that were not.
    points = factors.points(bids)
    kept = undominated(points)
    return Frontier(points[kept], bids[kept], examined, error)


def _walk_back(steps: list[tuple[NDArray[np.intp], NDArray[np.intp]]]) -> NDArray[np.intp]:
    """The bids, shape (n_points, n_issues), from each merge's (value, place in the one before)."""
    place = np.arange(len(steps[-1][0]))
    bids = np.empty((len(place), len(steps)), dtype=np.intp)
    for issue in reversed(range(len(steps))):
        values, origins = steps[issue]
        bids[:, issue] = values[place]
        place = origins[place]
    return bids


def _thinned_to(points: Points, size: int) -> tuple[NDArray[np.intp], float]:
    """Indices of at most `size` of the points, and how much is lost at most."""
    if len(points) <= size:
        return np.arange(len(points)), 0.0
    others = points[:, :-1]
    # One cell more on each axis than there are widths, for the largest value itself.
    n_widths = max(1, int(size ** (1.0 / others.shape[1])) - 1)
    return _thinned(points, float(np.ptp(others, axis=0).max()) / n_widths)


def _thinned(points: Points, width: float) -> tuple[NDArray[np.intp], float]:
    """Indices of the best point for the last party in each cell, and the width if any was lost."""
    others = points[:, :-1]
    if len(points) < 2 or width == 0:
        return np.arange(len(points)), 0.0
    cells = np.floor((others - others.min(axis=0)) / width)
    order = np.lexsort((-points[:, -1], *cells.T))
    is_first = np.ones(len(points), dtype=np.bool_)
    np.any(cells[order[1:]] != cells[order[:-1]], axis=1, out=is_first[1:])
    kept = np.sort(order[is_first])
    return kept, (width if len(kept) < len(points) else 0.0)
