"""Ladders for spaces whose bids cannot be listed: too many of them, or with real values.

They hold a bounded number of bids, the same ones in each run.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.bid import Bid, unchecked_bid
from genius_py.domain import Domain
from genius_py.issue import IntegerIssue, Issue, RealIssue, TextIssue, Value
from genius_py.strategies.ladder import Ladder, Liking
from genius_py.strategies.trade_off import trade_offs
from genius_py.utility import (
    AdditiveUtilitySpace,
    LinearUtilitySpace,
    RealTriangularEvaluator,
    UtilitySpace,
)

__all__ = ["Separable", "listed_place", "merged_ladder", "sampled_ladder", "separable"]

_RUNGS = 1 << 14
"""Most bids of a merged ladder."""

_SUMS = 1 << 18
"""Most sums of a partial bid and a value that are looked at when an issue is merged."""

_WEIGHED = 10_000
"""Issues with at most this many values have the worth of each looked at; others, of a grid."""

_MERGED = 256
"""Most values of an issue that are merged; fitting finds the numbers in between."""

_CLOSE = 1e-12
"""How far above its target a fitted utility may stay."""

_DRAWS = 5_000
"""Bids drawn for a sampled ladder."""

_TRIED = 20
"""Values of an issue, about, that a local search tries."""


@attrs.frozen
class Separable:
    """A profile that is a sum over the issues: ``utility = total(sum of part(place, value))``.

    The parts are added in issue order, from 0. `total` is monotone and takes arrays; `needed` is
    the sum that a utility takes.
    """

    part: Callable[[int, Value], float]
    total: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    needed: Callable[[float], float]


def separable(space: UtilitySpace) -> Separable | None:
    """The parts of an additive profile, or of a linear one for all bids alike; None for others."""
    match space:
        case AdditiveUtilitySpace():
            return Separable(
                space.part, lambda sums: np.minimum(sums, 1.0), lambda utility: utility
            )
        case LinearUtilitySpace(limits=(), where=()):
            return Separable(
                lambda place, value: c * float(value) if (c := space.coefficients[place]) else 0.0,
                lambda sums: (space.constant + sums) / space.scale,
                lambda utility: utility * space.scale - space.constant,
            )
    return None


def merged_ladder(space: UtilitySpace, parts: Separable) -> Ladder:
    """Merge issue by issue, thinning out the partial bids to an even spread of their sums.

    The best and the worst bid are kept. If there are at most 16,384 bids, no issue of which has
    more than 256 values, the ladder is complete. Else, in a space with bids everywhere, its gaps
    are about a 16,384th of the range of utilities; numbers that were left out (those between a
    grid of a real or very wide issue, say) are then fitted to each target.
    """
    sums = np.zeros(1)
    merged: list[list[Value]] = []
    worths: list[NDArray[np.float64]] = []
    steps: list[tuple[NDArray[np.uint8], NDArray[np.uint16]]] = []
    for place in range(len(space.domain.issues)):
        values = _candidates(space, place)
        worth = np.array([parts.part(place, value) for value in values])
        chosen = _spread(worth, _MERGED)
        rows = _spread(sums, _SUMS // chosen.size)
        pairs = (worth[chosen, np.newaxis] + sums[rows]).ravel()
        kept = _spread(pairs, _RUNGS)
        sums = pairs[kept]
        choice, origin = kept // rows.size, rows[kept % rows.size]
        # Below 256 and 16,384; a fifth of the memory, which grows with the issues.
        steps.append((choice.astype(np.uint8), origin.astype(np.uint16)))
        merged.append([values[i] for i in chosen.tolist()])
        worths.append(worth[chosen])
    utilities = parts.total(sums)
    order = np.argsort(-utilities, kind="stable")

    def make(rung: int) -> Bid:
        content: list[Value] = []
        row = int(order[rung])
        for values, (choice, origin) in zip(reversed(merged), reversed(steps), strict=True):
            content.append(values[choice[row]])
            row = int(origin[row])
        return unchecked_bid(space.domain, tuple(reversed(content)))

    return _MergedLadder(utilities[order], make, space, parts, merged, worths)


class _MergedLadder(Ladder):
    """A ladder of some bids, and what it takes to find others.

    `merged` holds values of each issue, rising where they are numbers, and `worths` their parts.
    Where these are a grid of numbers, bids are fitted to each target.
    """

    def __init__(
        self,
        utilities: NDArray[np.float64],
        make: Callable[[int], Bid],
        space: UtilitySpace,
        parts: Separable,
        merged: Sequence[Sequence[Value]],
        worths: Sequence[NDArray[np.float64]],
    ) -> None:
        super().__init__(utilities, make)
        self._space, self._parts = space, parts
        self._merged, self._worths = merged, worths
        self._grids = {
            place: values
            for place, (issue, values) in enumerate(zip(space.domain.issues, merged, strict=True))
            if isinstance(issue, RealIssue)
            or (isinstance(issue, IntegerIssue) and len(values) < issue.size)
        }

    def trade_offs(self, lowest: float, highest: float, liking: Liking) -> list[Bid]:
        """Bids worth from `lowest` to `highest` that are much liked, the most liked one first.

        Exactly so where the liking is a sum over the issues, too (see `strategies.trade_off`).
        """
        if len(self._merged) < 2:
            return []  # only one bid is worth as much
        domain, needed = self._space.domain, self._parts.needed
        widths = [len(values) for values in self._merged]
        listed = np.concatenate(
            [
                [listed_place(issue, value) for value in values]
                for issue, values in zip(domain.issues, self._merged, strict=True)
            ]
        )
        starts = np.cumsum([0, *widths[:-1]])
        # One bid, and all that differ from it in one value: what each value adds to the liking.
        places = np.tile(listed[starts], (len(listed), 1))
        places[np.arange(len(listed)), np.repeat(np.arange(len(widths)), widths)] = listed
        theirs = np.split(liking(places), starts[1:])
        bids = trade_offs(self._worths, theirs, needed(lowest), needed(highest))
        return [
            unchecked_bid(domain, tuple(v[i] for v, i in zip(self._merged, bid, strict=True)))
            for bid in bids.tolist()
        ]

    def near(self, target: float) -> Bid:
        """A bid at or above the target that no other value of one fitted issue brings nearer."""
        bid = super().near(target)
        if target < self.maximum:
            for place, grid in self._grids.items():
                bid = self._fitted(bid, place, grid, target)
        return bid

    def _fitted(self, bid: Bid, place: int, grid: Sequence[Value], target: float) -> Bid:
        at = bisect_left(grid, bid.content[place])
        found = [bid]
        for neighbour in (*grid[max(at - 1, 0) : at], *grid[at + 1 : at + 2]):
            if self._space.utility(_with(bid, place, neighbour)) < target:
                found.append(self._crossing(bid, place, neighbour, target))
        return min(found, key=self._space.utility)

    def _crossing(self, bid: Bid, place: int, short: Value, target: float) -> Bid:
        """The bid with a value between its own, which is enough, and one that falls short."""
        surplus = self._space.utility(bid) - target
        lack = target - self._space.utility(_with(bid, place, short))
        # Interpolation hits a straight line at once; the other two steps make sure of an end.
        for step in range(150):
            if surplus <= _CLOSE:
                break
            share = (surplus / (surplus + lack) * (1 - 1e-6), 0.0, 0.5)[step % 3]
            value = _between(bid.content[place], short, share)
            if value is None:
                break
            tried = _with(bid, place, value)
            gap = self._space.utility(tried) - target
            if gap >= 0:
                bid, surplus = tried, gap
            else:
                short, lack = value, -gap
        return bid


def listed_place(issue: Issue, value: Value) -> int:
    """The place of a value in its issue's listing: of a real number the grid point next to it."""
    if isinstance(issue, RealIssue) and isinstance(value, float):
        width = issue.upper - issue.lower
        return round((value - issue.lower) / width * (issue.size - 1)) if width else 0
    return 0 if isinstance(issue, TextIssue) else issue.position(value)


def sampled_ladder(space: UtilitySpace) -> Ladder:
    """Bids drawn at random, and those that a local search for the best and the worst came across.

    Its ends are local optima: whether there are better bids is not known.
    """
    domain = space.domain
    rng = np.random.default_rng(0)
    worth: dict[Bid, float] = {}
    for _ in range(_DRAWS):
        bid = domain.random_bid(rng)
        worth[bid] = space.utility(bid)
    for sign in (1, -1):
        bid = max(worth, key=lambda known: sign * worth[known])
        improved = True
        while improved:
            improved = False
            for neighbour in _neighbours(domain, bid):
                worth[neighbour] = space.utility(neighbour)
                if sign * worth[neighbour] > sign * worth[bid]:
                    bid, improved = neighbour, True
    ranked = sorted(worth, key=lambda known: -worth[known])
    return Ladder(np.array([worth[bid] for bid in ranked]), ranked.__getitem__)


def _candidates(space: UtilitySpace, place: int) -> list[Value]:
    """Values of an issue to look at, rising where they are numbers."""
    issue = space.domain.issues[place]
    if not isinstance(issue, RealIssue):
        return [issue.value_at(i) for i in _positions(issue, _WEIGHED)]
    values = set(np.linspace(issue.lower, issue.upper, _MERGED // 4).tolist())
    if isinstance(space, AdditiveUtilitySpace):
        evaluator = space.evaluators[place]
        if isinstance(evaluator, RealTriangularEvaluator):
            corners = (evaluator.left, evaluator.top, evaluator.right)
            values.update(x for x in corners if issue.lower <= x <= issue.upper)
    return sorted(values)


def _positions(issue: Issue, most: int) -> Sequence[int]:
    """All positions of an issue, or `most` of them, evenly spread from the first to the last."""
    if issue.size <= most:
        return range(issue.size)
    return [i * (issue.size - 1) // (most - 1) for i in range(most)]


def _spread(numbers: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """Places of at most `most` of the numbers, the extremes and one from each of even cells."""
    if numbers.size <= most:
        return np.arange(numbers.size)
    low, high = numbers.min(), numbers.max()
    if low == high:
        return np.zeros(1, dtype=np.intp)
    cells = ((numbers - low) * ((most - 2) / (high - low))).astype(np.intp)
    chosen = np.full(most, -1, dtype=np.intp)
    # Backwards, so that the first number of a cell is the one that stays.
    chosen[cells[::-1]] = np.arange(numbers.size)[::-1]
    chosen[0], chosen[-1] = numbers.argmin(), numbers.argmax()
    return np.unique(chosen[chosen >= 0])


def _neighbours(domain: Domain, bid: Bid) -> Iterator[Bid]:
    """Bids that differ from one in a single issue: in any value, or in some of a wide issue's."""
    for place, issue in enumerate(domain.issues):
        for position in _positions(issue, _TRIED):
            value = issue.value_at(position)
            if value != bid.content[place]:
                yield _with(bid, place, value)


def _with(bid: Bid, place: int, value: Value) -> Bid:
    content = bid.content
    return unchecked_bid(bid.domain, (*content[:place], value, *content[place + 1 :]))


def _between(start: Value, end: Value, share: float) -> Value | None:
    """A number strictly between two others, at a share of the way (0: the next one to `start`).

    None if there is no number between them.
    """
    if isinstance(start, int) and isinstance(end, int):
        width = abs(end - start)
        if width < 2:
            return None
        way = min(max(int(width * share), 1), width - 1)
        return start + way if end > start else start - way
    first, last = float(start), float(end)
    nearest = float(np.nextafter(first, last))
    if nearest == last:
        return None
    number = first + (last - first) * share
    return number if number not in (first, last) else nearest
