"""The Pareto frontier of hyper-rectangle profiles, without listing the bids.

What a bid is worth depends only on which boxes it lies in. So bids are built issue by issue, and of
those beginnings that lie in the same boxes so far one is enough. A beginning is given up when all
that its boxes could still be worth is no better than some bid that is known (branch and bound).
"""

from collections.abc import Iterable

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.frontier import Frontier
from genius_py.analysis.pareto import efficient, is_covered
from genius_py.analysis.points import Points
from genius_py.analysis.sampling import sampled_frontier
from genius_py.errors import OptionError

__all__ = ["BoxProfiles", "box_frontier"]

# Bids that are looked at to know some good ones; or better ones, where that is all there will be.
_FEW = 20_000
_MANY = 100_000
_FLOAT_NOISE = 1e-12
_ROWS = 1 << 12


def _places(given: ArrayLike) -> NDArray[np.int64]:
    return np.asarray(given, dtype=np.int64)


def _flags(given: ArrayLike) -> NDArray[np.bool_]:
    return np.asarray(given, dtype=np.bool_)


def _sizes(given: Iterable[int]) -> tuple[int, ...]:
    return tuple(given)


def _floats(given: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(given, dtype=np.float64)


@attrs.frozen(eq=False)
class BoxProfiles:
    """The hyper-rectangle profiles of all parties over the same issues.

    Issue i has `sizes[i]` values. Box b reaches, in each issue, from the value at place
    `lower[b, i]` to that at `upper[b, i]`, both inside. A bid gets `worth[b, party]` if it is
    inside, or, where `excludes[b]`, if it is not. A party's utility is the sum of what it gets, in
    the order of the boxes, over `divisor[party]`, and at most `cap` (None for no cap).

    Raises:
        OptionError: shapes do not fit, or a divisor is not positive.
    """

    sizes: tuple[int, ...] = attrs.field(converter=_sizes)
    lower: NDArray[np.int64] = attrs.field(converter=_places)
    upper: NDArray[np.int64] = attrs.field(converter=_places)
    worth: NDArray[np.float64] = attrs.field(converter=_floats)
    excludes: NDArray[np.bool_] = attrs.field(converter=_flags)
    divisor: NDArray[np.float64] = attrs.field(converter=_floats)
    cap: float | None = 1.0

    def __attrs_post_init__(self) -> None:
        n_boxes, n_parties = self.worth.shape if self.worth.ndim == 2 else (-1, -1)
        if (
            self.lower.shape != (n_boxes, len(self.sizes))
            or self.upper.shape != self.lower.shape
            or self.excludes.shape != (n_boxes,)
            or self.divisor.shape != (n_parties,)
            or not (self.divisor > 0).all()
        ):
            raise OptionError(
                f"Boxes over {len(self.sizes)} issues need bounds of shape (n_boxes, n_issues), "
                f"worths of shape (n_boxes, n_parties) and a positive divisor for each party; got "
                f"{self.lower.shape}, {self.upper.shape}, {self.worth.shape} and {self.divisor}."
            )

    def points(self, bids: ArrayLike) -> Points:
        """Utilities of bids of shape (n_bids, n_issues), value places, as (n_bids, n_parties)."""
        places = np.asarray(bids, dtype=np.int64).reshape(-1, len(self.sizes))
        total = np.zeros((len(places), len(self.divisor)))
        is_bounded = self.is_bounded
        columns = np.ascontiguousarray(places.T)
        for box, (worth, excludes) in enumerate(zip(self.worth, self.excludes, strict=True)):
            inside = np.ones(len(places), dtype=np.bool_)
            for issue in np.flatnonzero(is_bounded[box]):
                inside &= self.lower[box, issue] <= columns[issue]
                inside &= columns[issue] <= self.upper[box, issue]
            total += (inside ^ excludes)[:, None] * worth
        return self._utility(total)

    @property
    def is_bounded(self) -> NDArray[np.bool_]:
        """Whether a box leaves out some value of an issue, shape (n_boxes, n_issues)."""
        return (self.lower > 0) | (self.upper < np.array(self.sizes) - 1)

    def at_most(self, alive: NDArray[np.bool_], is_decided: NDArray[np.bool_]) -> Points:
        """The most that bids can be worth, shape (n_bids, n_parties), if built so far.

        `alive`, shape (n_bids, n_boxes), tells which boxes' bounds hold so far, and `is_decided`
        which boxes have no bounds in the issues to come.
        """
        gains, losses = np.maximum(self.worth, 0.0), np.minimum(self.worth, 0.0)
        total = np.empty((len(alive), len(self.divisor)))
        # Some at a time: a product of truth values first makes numbers of eight bytes of them.
        for start in range(0, len(alive), _ROWS):
            some = alive[start : start + _ROWS]
            inside = some & is_decided
            may_get = np.where(self.excludes, ~inside, some)
            must_get = np.where(self.excludes, ~some, inside)
            total[start : start + _ROWS] = may_get @ gains + must_get @ losses
        return self._utility(total)

    def _utility(self, total: NDArray[np.float64]) -> Points:
        utility = total / self.divisor
        return utility if self.cap is None else np.minimum(utility, self.cap)


def box_frontier(profiles: BoxProfiles, *, limit: int = 1 << 15) -> Frontier:
    """The Pareto frontier of hyper-rectangle profiles, with one bid for each of its points.

    It is exact (but for bids less than 1e-12 better than another) as long as no more than `limit`
    beginnings of bids are open at a time, as in domains of some ten issues and fifty boxes. Beyond,
    it is what a local search found, and `Frontier.error` is by how much a bid could be better.
    """
    if limit < 1:
        raise OptionError(f"The limit of open bids must be at least 1; got {limit}.")
    known = _known(profiles, _FEW)
    if known.complete:
        return known
    is_bounded = profiles.is_bounded
    is_decided = ~is_bounded
    alive = np.ones((1, len(profiles.worth)), dtype=np.bool_)
    bids = np.zeros((1, len(profiles.sizes)), dtype=np.intp)
    examined = known.examined
    # The issues of the most boxes first: they tell most bids apart from the best.
    for issue in np.argsort(-is_bounded.sum(axis=0), kind="stable"):
        is_decided[:, issue] = True
        # Where a box begins, and behind its end: only there do values tell boxes apart.
        edges = np.unique([0, *profiles.lower[:, issue], *(profiles.upper[:, issue] + 1)])
        places = edges[(edges >= 0) & (edges < profiles.sizes[issue])][:, None]
        inside = (profiles.lower[:, issue] <= places) & (places <= profiles.upper[:, issue])
        holds, values = np.unique(inside, axis=0, return_index=True)
        longer = (alive[:, None, :] & holds).reshape(-1, alive.shape[1])
        examined += len(longer)
        _, kept = np.unique(np.packbits(longer, axis=1), axis=0, return_index=True)
        at_most = profiles.at_most(longer[kept], np.asarray(is_decided.all(axis=1)))
        is_open = ~is_covered(at_most - _FLOAT_NOISE, known.points)
        kept, at_most = kept[is_open], at_most[is_open]
        if len(kept) > limit:
            known = _known(profiles, _MANY)
            error = _excess(at_most, known.points)
            return attrs.evolve(known, examined=known.examined + examined, error=error)
        alive = longer[kept]
        bids = bids[kept // len(holds)]
        bids[:, issue] = places[values[kept % len(holds)], 0]
    bids = np.concatenate([known.bids, bids])
    points = profiles.points(bids)
    kept = efficient(points)
    kept = kept[np.lexsort(bids[kept].T)]
    return Frontier(points[kept], bids[kept], examined)


def _known(profiles: BoxProfiles, n: int) -> Frontier:
    """The best of `n` bids; always the same, so that they are no matter of chance."""
    rng = np.random.default_rng(0)
    return sampled_frontier(profiles.points, profiles.sizes, rng, budget=n)


def _excess(points: Points, frontier: Points) -> float:
    """The least error by which every point is matched by one of the frontier."""
    worst = 0.0
    for start in range(0, len(points), 1024):
        excess = points[start : start + 1024, None, :] - frontier
        worst = max(worst, float(excess.max(axis=2).min(axis=1).max()))
    return worst
