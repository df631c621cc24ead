"""Time-dependent tactics: how much of its range a party has conceded at a point of progress.

Faratin, Sierra & Jennings (1998), "Negotiation decision functions for autonomous agents",
Robotics and Autonomous Systems 24; the polynomial family is the one that Genius uses.
"""

from __future__ import annotations

import math

from genius_py.errors import StrategyError
from genius_py.strategies.elementwise import elementwise

__all__ = [
    "BOULWARE",
    "CONCEDER",
    "HARDLINER",
    "LINEAR",
    "concession",
    "faratin_exponential",
    "target_utility",
]

HARDLINER = 0.0
"""`e` of a party that never concedes."""
BOULWARE = 0.2
"""`e` of Genius's Boulware: it concedes late."""
LINEAR = 1.0
"""`e` of a party that concedes evenly."""
CONCEDER = 2.0
"""`e` of Genius's Conceder: it concedes early."""


@elementwise
def concession(t: float, e: float, k: float = 0.0) -> float:
    """Share of the range conceded at progress t: ``k + (1 - k) * t ** (1 / e)``, k if e is 0.

    Args:
        t: progress in [0, 1].
        e: speed >= 0; below 1 late (Boulware), above 1 early (Conceder).
        k: share conceded from the start, in [0, 1].

    Raises:
        StrategyError: t, e or k lies outside its range.
    """
    _check(t, e, k)
    if e == 0:
        return k
    return k + (1 - k) * math.pow(t, 1 / e)


@elementwise
def faratin_exponential(t: float, e: float, k: float) -> float:
    """Share of the range conceded by Faratin's exponential family: ``k ** ((1 - t) ** e)``.

    The arguments are those of `concession`, with k above 0. It is k at the start and 1 at the
    end, and concedes later than the polynomial for the same small e.
    """
    _check(t, e, k)
    if k == 0:
        raise StrategyError("The exponential family needs a first concession k above 0.")
    return math.exp(math.pow(1 - t, e) * math.log(k))


@elementwise
def target_utility(
    t: float, e: float, k: float = 0.0, minimum: float = 0.0, maximum: float = 1.0
) -> float:
    """Utility to ask for at progress t: from `maximum` down to `minimum` along `concession`."""
    return minimum + (maximum - minimum) * (1 - concession(t, e, k))


def _check(t: float, e: float, k: float) -> None:
    if not 0 <= t <= 1:
        raise StrategyError(f"Progress t must lie in [0, 1], not {t}.")
    if not e >= 0:
        raise StrategyError(f"The speed of concession e must be 0 or more, not {e}.")
    if not 0 <= k <= 1:
        raise StrategyError(f"The first concession k must lie in [0, 1], not {k}.")
