"""Finding outcomes by utility in a list that is sorted from the best to the worst.

`descending` is always such a list of utilities, of one element or more, and the answers are
places in it. The functions `genius_*` find what Genius's sorted outcome space finds, slips
included; the others are right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genius_py.errors import StrategyError
from genius_py.java import bid_details_hash

__all__ = [
    "genius_in_range",
    "genius_nearest",
    "genius_order",
    "genius_search",
    "in_range",
    "lowest_at_or_above",
    "nearest",
]

Utilities = NDArray[np.float64]


def genius_order(utilities: Utilities, bid_hashes: NDArray[np.int64]) -> NDArray[np.intp]:
    """Indices that sort outcomes by falling utility, ties by Genius's hash of bid and utility.

    Both arrays have shape (n_bids,), in the order in which the domain lists its bids; where even
    the hashes are equal that order stays. `java.bid_hashes` makes the second one.
    """
    return np.lexsort((bid_details_hash(bid_hashes, utilities), -utilities))


def lowest_at_or_above(descending: Utilities, target: float) -> int:
    """Place of the lowest utility that reaches the target; 0, the best, if none does."""
    return max(_count_at_least(descending, target) - 1, 0)


def nearest(descending: Utilities, target: float) -> int:
    """Place of the utility nearest to the target; of two that are equally near, the higher."""
    count = _count_at_least(descending, target)
    if count == 0 or count == descending.size:
        return max(count - 1, 0)
    above, below = descending[count - 1], descending[count]
    return count - 1 if above - target <= target - below else count


def in_range(descending: Utilities, lowest: float, highest: float) -> slice:
    """The places whose utility lies in [lowest, highest]; an empty slice if there are none."""
    start = _count_above(descending, highest)
    return slice(start, max(start, _count_at_least(descending, lowest)))


def genius_search(descending: Utilities, target: float) -> int:
    """Place at which Genius's bisection ends: an equal utility, or one next to the target.

    The last place is never found in a list of more than one.
    """
    if not descending.size:
        raise StrategyError("There is no outcome to search: the domain has none.")
    low, high = 0, descending.size - 1
    middle, last = -1, 0
    while last != middle:
        last, middle = middle, (low + high) // 2
        utility = descending[middle]
        if utility == target:
            break
        if utility < target:
            high = middle
        else:
            low = middle
    return middle


def genius_nearest(descending: Utilities, target: float) -> int:
    """Place that Genius takes for the nearest to the target.

    It has the same utility as the one that `nearest` finds, but of several bids with that
    utility it may be another. (Genius also looks at the higher neighbour and forgets what it saw;
    the bisection ends where that one is never the nearer.)
    """
    place = genius_search(descending, target)
    distance = abs(descending[place] - target)
    if place + 1 < descending.size and abs(descending[place + 1] - target) < distance:
        return place + 1
    return place


def genius_in_range(descending: Utilities, lowest: float, highest: float) -> slice:
    """The places that Genius takes for those in a range: usually one above `highest` is among them.

    At least one place when lowest <= highest, even if no utility lies in the range.
    """
    first = genius_search(descending, highest)
    end = genius_search(descending, lowest)
    if descending[first] <= highest and first > 0:
        first -= 1
    if descending[end] >= lowest:
        end += 1
    return slice(first, first + 1 if first == end else end)


def _count_at_least(descending: Utilities, utility: float) -> int:
    return descending.size - int(np.searchsorted(descending[::-1], utility, side="left"))


def _count_above(descending: Utilities, utility: float) -> int:
    return descending.size - int(np.searchsorted(descending[::-1], utility, side="right"))
