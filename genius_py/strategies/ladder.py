"""A ladder: bids of one profile from the best to the worst, so that a utility finds its bid."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from genius_py.bid import Bid
from genius_py.errors import StrategyError
from genius_py.strategies.outcome_order import genius_in_range, genius_nearest, in_range

__all__ = ["GeniusLadder", "Ladder"]

_LISTED = 1 << 17
"""Ladders up to this length keep Python objects, the quickest to look up; others are packed."""


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
        # numpy takes longer to look one number up than a whole turn may last.
        self._rising = _packed(utilities[::-1])
        self._bids: list[Bid | None] = [None] * min(utilities.size, _LISTED)
        # What `near` answers for a place among the rising utilities; behind the last: the best.
        self._answers: list[Bid | None] = [None] * (len(self._bids) + 1)

    def __len__(self) -> int:
        return self.utilities.size

    def bid(self, rung: int) -> Bid:
        """The bid on a rung."""
        if rung >= _LISTED:
            return self._make(rung)
        bid = self._bids[rung]
        if bid is None:
            bid = self._bids[rung] = self._make(rung)
        return bid

    def near(self, target: float) -> Bid:
        """The bid of lowest utility at or above the target; the best one where there is none.

        Among equals it is the first on the ladder.
        """
        place = bisect_left(self._rising, target)
        try:
            bid = self._answers[place]
        except IndexError:
            return self.bid(self._first_rung(place))
        if bid is None:
            bid = self._answers[place] = self.bid(self._first_rung(place))
        return bid

    def _first_rung(self, place: int) -> int:
        """The first of the rungs that are worth as much as one place among the rising utilities."""
        if place == len(self):
            return 0
        utility = self._rising[place]
        return len(self) - bisect_right(self._rising, utility)

    def in_range(self, lowest: float, highest: float) -> range:
        """The rungs whose utility lies in [lowest, highest]; none, perhaps."""
        found = in_range(self.utilities, lowest, highest)
        return range(found.start, found.stop)


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
    if numbers.size <= _LISTED:
        listed: list[float] = numbers.tolist()
        return listed
    return array("d", numbers.tobytes())
