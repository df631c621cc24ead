"""Meeting in the middle: the bids of one additive profile as pairs of half bids.

For each half bid of some issues, bisection among the sorted half bids of the others finds the one
that comes nearest to a wanted sum (Horowitz & Sahni, 1974, "Computing partitions with applications
to the knapsack problem", Journal of the ACM 21).
"""

import math
from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.analysis.additive import AdditiveFactors

__all__ = ["Half", "Halves"]

# Most half bids in a half; and while issues are still to be added to one that will not hold all.
_ALL = 1 << 17
_SOME = 1 << 15
# Pairs that are looked at to list a range, and to settle a target that many meet.
_PAIRS = 1 << 16
_NEAR = 256
# Draws until a range is taken to hold bids within float noise of its bounds only, all outside.
_REDRAWS = 64
# The halves add a bid's contributions in another order than its profile does.
_FLOAT_NOISE = 1e-12


@attrs.frozen(eq=False)
class Half:
    """Values of some issues, one row a half bid, in ascending order of their sums.

    All combinations are here whose sum is above `floor`; of the others some, spread over the range.
    """

    issues: tuple[int, ...]
    values: NDArray[np.int32]
    sums: NDArray[np.float64]
    floor: float

    @classmethod
    def of(cls, factors: AdditiveFactors, issues: Sequence[int]) -> "Half":
        """All combinations of the issues' values, or if they are too many, some."""
        holds_all = len(issues) < 2 or math.prod(factors.sizes[i] for i in issues) <= _ALL
        values, sums = np.empty((1, 0), dtype=np.int32), np.zeros(1)
        for issue in issues:
            longer = (factors.contributions[issue] + sums).reshape(-1)
            order = np.argsort(longer, kind="stable")
            if not holds_all:
                most = _ALL if issue == issues[-1] else _SOME
                order = order[_best_and_spread(longer[order], most)]
            added = (order // len(sums)).astype(np.int32)
            values = np.column_stack([values[order % len(sums)], added])
            sums = longer[order]
        # The beginning of one of the best combinations is one of the best beginnings, so that the
        # best half of what is kept all the way misses none.
        floor = -math.inf if holds_all else float(sums[-_SOME // 2])
        return cls(tuple(issues), values, sums, floor)


@attrs.frozen(eq=False)
class Halves:
    """The half bids of all issues of one profile; each pair of a long and a short one is a bid."""

    factors: AdditiveFactors
    short: Half
    long: Half

    @classmethod
    def of(cls, factors: AdditiveFactors) -> "Halves":
        """Halves of about the same size, with issues of all importances in both."""
        widths = [float(np.ptp(issue)) for issue in factors.contributions]
        groups: tuple[list[int], list[int]] = ([], [])
        for issue in sorted(range(len(widths)), key=lambda i: -widths[i]):
            smaller = min(groups, key=lambda group: math.prod(factors.sizes[i] for i in group))
            smaller.append(issue)
        # In issue order most contributions are added as the profile adds them.
        halves = [Half.of(factors, sorted(group)) for group in groups]
        short, long = sorted(halves, key=lambda half: len(half.sums))
        return cls(factors, short, long)

    @property
    def floor(self) -> float:
        """A sum above which the pairs are all bids that there are; -inf if they are all anyway."""
        return _FLOAT_NOISE + max(
            self.short.floor + float(self.long.sums[-1]),
            self.long.floor + float(self.short.sums[-1]),
        )

    def least_above(self, target: float) -> NDArray[np.intp]:
        """Bids of which one has the least utility at or above the target.

        These are one pair that is surely above, and some that are on it but for float noise.
        """
        missing = target - self.short.sums
        on = np.searchsorted(self.long.sums, missing - _FLOAT_NOISE)
        above = np.searchsorted(self.long.sums, missing + _FLOAT_NOISE)
        reaching = np.flatnonzero(above < len(self.long.sums))
        excess = self.long.sums[above[reaching]] - missing[reaching]
        least = reaching[excess == excess.min(initial=np.inf)][:1]
        long, short = _pairs(on, above, _NEAR)
        return self._bids(np.append(long, above[least]), np.append(short, least))

    def between(self, low: float, high: float, limit: int) -> tuple[NDArray[np.intp], bool]:
        """The best bids of a utility from `low` to `high`, at least `limit`; and whether all."""
        lowest, end = self._range(low, high)
        n_pairs = _n_pairs(lowest, end)
        wanted = limit
        while True:
            first, tied = self._best_pairs(low, lowest, end, wanted)
            long, short = np.hstack([_pairs(first, end, _PAIRS), _pairs(tied, first, _PAIRS)])
            bids = self._bids(long, short)
            # Bids within float noise of a bound may be on either side of it.
            utilities = self.factors.points(bids)[:, 0]
            bids = bids[(low <= utilities) & (utilities <= high)]
            if len(bids) >= limit or len(long) >= min(n_pairs, _PAIRS):
                return bids, len(long) == n_pairs and low > self.floor
            wanted *= 8

    def draw(self, low: float, high: float, n: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """`n` bids drawn independently from all pairs of a utility in the range; none if empty."""
        lowest, end = self._range(low, high)
        upto: NDArray[np.intp] = np.cumsum((end - lowest).clip(min=0))
        bids = np.empty((0, len(self.factors.sizes)), dtype=np.intp)
        for _ in range(_REDRAWS if upto[-1] else 0):
            ranks = rng.integers(upto[-1], size=n - len(bids))
            short = np.searchsorted(upto, ranks, side="right")
            # Counted from the end of the short half bid's pairs.
            drawn = self._bids(end[short] - (upto[short] - ranks), short)
            utilities = self.factors.points(drawn)[:, 0]
            # Bids within float noise of a bound may be on the wrong side of it.
            bids = np.concatenate([bids, drawn[(low <= utilities) & (utilities <= high)]])
            if len(bids) == n:
                break
        return bids

    def _range(self, low: float, high: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Where pairs start and end whose utility is in a range, some but for float noise."""
        cap = self.factors.cap
        # The cap makes every larger sum worth as much.
        top = math.inf if cap is not None and high >= cap else high
        return self._reaching(low - _FLOAT_NOISE), self._reaching(top + _FLOAT_NOISE)

    def _best_pairs(
        self, low: float, lowest: NDArray[np.intp], end: NDArray[np.intp], wanted: int
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Where pairs start of which there are fewer than wanted, and where enough of them do.

        Between the two lie pairs of about the same sum, perhaps too many. `lowest` is where pairs
        start that reach `low`.
        """
        below, tied = low, lowest
        above, first = float(self.long.sums[-1] + self.short.sums[-1]), end
        while _n_pairs(tied, end) > 2 * wanted:
            middle = (below + above) / 2
            if not below < middle < above:
                break
            start = np.minimum(self._reaching(middle), end)
            if _n_pairs(start, end) >= wanted:
                below, tied = middle, start
            else:
                above, first = middle, start
        return first, tied

    def _reaching(self, bound: float) -> NDArray[np.intp]:
        """For each short half bid, the first long one that reaches the bound with it."""
        return np.searchsorted(self.long.sums, bound - self.short.sums)

    def _bids(self, long: NDArray[np.intp], short: NDArray[np.intp]) -> NDArray[np.intp]:
        bids = np.empty((len(long), len(self.factors.sizes)), dtype=np.intp)
        bids[:, self.long.issues] = self.long.values[long]
        bids[:, self.short.issues] = self.short.values[short]
        return bids


def _best_and_spread(sums: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """Places of the best `most / 2` of ascending sums, and of others, one in each interval."""
    if len(sums) <= most:
        return np.arange(len(sums))
    cut = len(sums) - most // 2
    width = (sums[cut] - sums[0]) / (most // 2 - 1)
    intervals = np.floor((sums[:cut] - sums[0]) / width) if width > 0 else np.zeros(cut)
    return np.append(np.flatnonzero(np.diff(intervals, append=np.inf)), np.arange(cut, len(sums)))


def _n_pairs(first: NDArray[np.intp], end: NDArray[np.intp]) -> int:
    return int((end - first).clip(min=0).sum())


def _pairs(
    first: NDArray[np.intp], end: NDArray[np.intp], limit: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """At most `limit` pairs (i, j) with first[j] <= i < end[j], as two arrays."""
    counts = (end - first).clip(min=0)
    with_pairs = np.flatnonzero(counts)
    upto = np.cumsum(counts[with_pairs])
    some = with_pairs[: int(np.searchsorted(upto, limit)) + 1]
    short = np.repeat(some, counts[some])[:limit]
    began = np.repeat(upto[: len(some)] - counts[some], counts[some])[:limit]
    return first[short] + np.arange(len(short)) - began, short
