"""A ladder: bids of one profile from the best to the worst, so that a utility finds its bid."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from genius_py.bid import Bid
from genius_py.errors import StrategyError
from genius_py.strategies.outcome_order import genius_in_range, genius_nearest, in_range

__all__ = ["GeniusLadder", "Ladder", "Liking"]

Liking: TypeAlias = Callable[[NDArray[np.intp]], NDArray[np.float64]]
"""What somebody is believed to get from bids, shape (n_bids,); they come as value places, shape
(n_bids, n_issues)."""

_FEW = 1 << 17
"""Most bids that a ladder keeps, and most utilities for which it affords a list of Python's."""


class Ladder:
    """Bids by falling utility; the places on it are called rungs, and rung 0 holds the best.

    Args:
        utilities: of all rungs, falling, shape (n_rungs,).
        make: gives the bid of a rung.

    Raises:
        StrategyError: there is no bid.
    """

    def __init__(self, utilities: NDArray[np.float64], make: Callable[[int], Bid]) -> None:
        if not utilities.size:
            raise StrategyError("There is no bid to choose from: an issue has no values.")
        self.utilities = utilities
        self.maximum, self.minimum = float(utilities[0]), float(utilities[-1])
        self._make = make
        # Not an array of numpy's: looking one number up in it takes longer than a turn may last.
        self._rising = _packed(utilities[::-1])
        self._bids: dict[int, Bid] = {}
        self._found: dict[int, Bid] = {}

    def __len__(self) -> int:
        return self.utilities.size

    def bid(self, rung: int) -> Bid:
        """The bid on a rung."""
        bid = self._bids.get(rung)
        if bid is None:
            bid = self._make(rung)
            _keep(self._bids, rung, bid)
        return bid

    def near(self, target: float) -> Bid:
        """The bid of lowest utility at or above the target; the best one where there is none.

        Among equals it is the first on the ladder.
        """
        place = bisect_left(self._rising, target)
        bid = self._found.get(place)
        if bid is None:
            bid = self.bid(self._first_rung(place))
            _keep(self._found, place, bid)
        return bid

    def _first_rung(self, place: int) -> int:
        """The first of the rungs that are worth as much as a place among the rising utilities."""
        if place == len(self):
            return 0
        return len(self) - bisect_right(self._rising, self._rising[place])

    def in_range(self, lowest: float, highest: float) -> range:
        """The rungs whose utility lies in [lowest, highest]; none, perhaps."""
        found = in_range(self.utilities, lowest, highest)
        return range(found.start, found.stop)

    def trade_offs(self, lowest: float, highest: float, liking: Liking) -> list[Bid]:
        """Bids worth from `lowest` to `highest` that are not on the ladder and much liked.

        None where the ladder has all bids: its rungs are those to look at.
        """
        return []


class GeniusLadder(Ladder):
    """The ladder that Genius's sorted outcome space is, slips of its searches included."""

    def near(self, target: float) -> Bid:
        """The bid that Genius takes for the nearest to the target, on either side of it."""
        return self.bid(genius_nearest(self.utilities, target))

    def in_range(self, lowest: float, highest: float) -> range:
        """The rungs that Genius takes for those in a range."""
        found = genius_in_range(self.utilities, lowest, highest)
        return range(found.start, found.stop)


def _packed(numbers: NDArray[np.float64]) -> Sequence[float]:
    if numbers.size <= _FEW:
        listed: list[float] = numbers.tolist()
        return listed
    return array("d", numbers.tobytes())


def _keep(bids: dict[int, Bid], key: int, bid: Bid) -> None:
    if len(bids) >= _FEW:
        bids.clear()
    bids[key] = bid
