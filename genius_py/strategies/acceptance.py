"""Acceptance conditions: is the opponent's offer good enough to end the negotiation?

Baarslag, Hindriks & Jonker (2013), "Acceptance conditions in automated negotiation", and
(2014) "Effective acceptance conditions in real-time automated negotiation"; the names are
theirs, the variants V2, V3 and V4 come with Genius. All utilities are the accepting party's own,
undiscounted, and `offered` is that of the opponent's last bid. A utility that does not exist yet
is NaN, and no condition that asks for it holds.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.strategies.elementwise import elementwise

__all__ = [
    "ac_abmp",
    "ac_combi",
    "ac_combi_v2",
    "ac_combi_v3",
    "ac_combi_v4",
    "ac_const",
    "ac_gap",
    "ac_next",
    "ac_previous",
    "ac_time",
    "average",
    "average_of_better",
    "best",
    "expected_better",
    "recent",
]


@elementwise
def ac_next(offered: float, planned: float, a: float = 1.0, b: float = 0.0) -> bool:
    """At least as good as the bid we are about to make: ``a * offered + b >= planned``."""
    return a * offered + b >= planned


@elementwise
def ac_previous(offered: float, previous: float, a: float = 1.0, b: float = 0.0) -> bool:
    """At least as good as the bid we made last: ``a * offered + b >= previous``."""
    return a * offered + b >= previous


@elementwise
def ac_const(offered: float, c: float = 0.9) -> bool:
    """Better than a fixed utility: ``offered > c``."""
    return offered > c


@elementwise
def ac_time(t: float, after: float = 0.99) -> bool:
    """Anything, once progress has passed a point: ``t > after``."""
    return t > after


@elementwise
def ac_gap(offered: float, previous: float, c: float = 0.01) -> bool:
    """At most c below the bid we made last: ``offered + c >= previous``."""
    return offered + c >= previous


@elementwise
def ac_abmp(offered: float, previous: float, gap: float = 0.05) -> bool:
    """At most a gap below the bid we made last: ``offered >= previous - gap``.

    The rule of the agent-based market place (Jonker, Robu & Treur, 2007); it rounds differently
    from `ac_gap`.
    """
    return offered >= previous - gap


@elementwise
def ac_combi(
    offered: float,
    planned: float,
    t: float,
    after: float = 0.99,
    alpha: float = -math.inf,
    a: float = 1.0,
    b: float = 0.0,
) -> bool:
    """`ac_next`, or from a point of progress on also anything worth at least alpha.

    The variants differ in alpha, which is taken from the bids the opponent made lately (`recent`):
    `best` gives AC_combi(MAX in window), `average`, `average_of_better` and `expected_better` give
    the variants Avg, BestAvg and Prob. The default is the plain AC_combi(T), which then accepts
    everything.
    """
    return ac_next(offered, planned, a, b) or (t >= after and offered >= alpha)


@elementwise
def ac_combi_v2(
    offered: float,
    planned: float,
    t: float,
    a: float,
    b: float,
    c: float,
    d: float,
    after: float,
    discount: float = 1.0,
) -> bool:
    """Better than d; else `ac_next`, which has to wait for the deadline if discounting is strong.

    A discount factor of c or less counts as strong.
    """
    return offered > d or (ac_next(offered, planned, a, b) and (discount > c or t >= after))


@elementwise
def ac_combi_v3(
    offered: float, planned: float, t: float, a: float, b: float, c: float, after: float
) -> bool:
    """At least ``min(1, a * planned + b)``, or after the deadline better than c."""
    # The bound comes first: min() passes a NaN on only as its first argument.
    return offered >= min(a * planned + b, 1.0) or (t > after and offered > c)


@elementwise
def ac_combi_v4(
    offered: float,
    planned: float,
    a: float,
    b: float,
    c: float,
    d: float,
    e: float,
    discount: float = 1.0,
) -> bool:
    """``min(1, a * offered + b) >= planned``, with c and d for a and b if the discount is <= e."""
    if discount <= e:
        a, b = c, d
    return min(a * offered + b, 1.0) >= planned


def recent(utilities: ArrayLike, times: ArrayLike, now: float) -> NDArray[np.float64]:
    """Utilities of the bids made lately: as long ago, at most, as there is time left.

    That is, at a time in ``(now - (1 - now), now]``. `utilities` and `times` have one element a
    bid.
    """
    when = np.asarray(times, dtype=np.float64)
    return np.asarray(utilities, dtype=np.float64)[(when > now - (1 - now)) & (when <= now)]


def best(utilities: NDArray[np.float64]) -> float:
    """The highest utility; 0 of none, since waiting promises nothing then."""
    return float(utilities.max()) if utilities.size else 0.0


def average(utilities: NDArray[np.float64]) -> float:
    """The mean utility; 0 of none."""
    return float(utilities.mean()) if utilities.size else 0.0


def average_of_better(utilities: NDArray[np.float64], offered: float) -> float:
    """The mean of the utilities above `offered`; 0 if none is."""
    return average(utilities[utilities > offered])


def expected_better(utilities: NDArray[np.float64], offered: float) -> float:
    """What waiting promises: the share of utilities above `offered`, times their mean."""
    return average(np.where(utilities > offered, utilities, 0.0))
