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
from genius_py.analysis.pareto import efficient, undominated
from genius_py.analysis.points import Points
from genius_py.errors import OptionError

__all__ = ["additive_frontier", "supported"]

# Weights for which a supported bid is looked for, and products that this may take an issue.
_WEIGHTS = 1 << 12
_PRODUCTS = 1 << 26
_BLOCK = 1 << 20
# How much the others count where one party's best bid is looked for.
_TIE_BREAK = 1e-9


def additive_frontier(
    factors: AdditiveFactors, *, epsilon: float = 0.0, limit: int = 1 << 18
) -> Frontier:
    """The Pareto frontier of additive profiles, with one bid for each of its points.

    It is exact, float for float the frontier of the listed space, as long as no merge of an issue
    looks at more than `limit` combinations of a partial bid and a value. Where one would, points
    are thinned out as far as needed first; with `epsilon` they are after every merge.

    Thinning keeps one point in each cell of a grid, the best for the last party, and so loses at
    most one cell's width of the others' utility. `Frontier.error` is the sum of all widths where a
    point was lost: at most `epsilon`, unless `limit` forced more; and never more than what the
    best bids of all parties are worth beyond one of the points. Where points were lost, `supported`
    bids are looked at as well, which are the ones that matter most with many parties.
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
    if error > 0:
        others = supported(factors)
        examined += len(others)
        bids = np.unique(np.concatenate([bids, others]), axis=0)
        bids = bids[np.lexsort(bids.T)]
    points = factors.points(bids)
    # The cap can make points equal that were not.
    kept = efficient(points)
    points, bids = points[kept], bids[kept]
    if error > 0:
        error = min(error, float((factors.highest - points).max(axis=1).min()))
    return Frontier(points, bids, examined, error)


def supported(factors: AdditiveFactors) -> NDArray[np.intp]:
    """Bids that maximise a weighted sum of the utilities, shape (n_bids, n_issues), each once.

    All are Pareto-optimal (unless the cap makes them equal to others), and found issue by issue.
    Among them are each party's best bid, one of maximal social welfare, and some thousands for
    other weights, always the same ones. The more issues, the nearer they come to all of the
    frontier: a sum of many sets is nearly convex (Starr, 1969, "Quasi-equilibria in markets with
    non-convex preferences", Econometrica 37).
    """
    parties = factors.n_parties
    n_weights = min(_WEIGHTS, 1 + _PRODUCTS // max(factors.sizes))
    drawn = np.random.default_rng(0).dirichlet(np.ones(parties), n_weights)
    # Shares of what each party has at stake, whatever the units of its utility.
    drawn /= np.maximum(factors.highest - factors.lowest, np.finfo(float).tiny)
    weights = np.concatenate([np.eye(parties) + _TIE_BREAK, np.ones((1, parties)), drawn])
    bids = np.empty((len(weights), len(factors.sizes)), dtype=np.intp)
    for issue, contributions in enumerate(factors.contributions):
        rows = max(1, _BLOCK // len(contributions))
        for start in range(0, len(weights), rows):
            worth = weights[start : start + rows] @ contributions.T
            bids[start : start + rows, issue] = worth.argmax(axis=1)
    return np.unique(bids, axis=0)


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
