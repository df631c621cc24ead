"""Opponent model strategies: which of the bids near a target to offer, given a model.

Baarslag et al. (2014), "Decoupling negotiating agents to explore the space of negotiation
strategies"; figures and steps are those of Genius's BOA framework.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genius_py.strategies.outcome_order import genius_in_range

__all__ = ["best_bid", "best_bids", "candidates"]


def candidates(descending: NDArray[np.float64], target: float) -> slice:
    """Places of the bids to choose from: utilities in a window that starts at the target.

    The window is 0.01 high, or 0.02 if it would hold fewer than 100 bids. `descending` are the
    utilities of all bids from the best on. As Genius's ranges go, there is always one bid at
    least, and it may lie above the window.
    """
    top = target + 0.01
    window = genius_in_range(descending, target, top)
    if window.stop - window.start >= 100 or top >= 1.01:
        return window
    return genius_in_range(descending, target, top + 0.01)


def best_bid(values: NDArray[np.float64]) -> int | None:
    """Place of the bid that the model values most, the first of equals.

    None if it values no bid above 0.0001; such a model knows nothing, and Genius then draws one
    of the bids at random.
    """
    best = int(values.argmax())
    return best if values[best] > 0.0001 else None


def best_bids(values: NDArray[np.float64], n: int) -> NDArray[np.intp]:
    """Places of the n bids that the model values most, best first, equals in their order."""
    return np.argsort(-values, kind="stable")[:n]
