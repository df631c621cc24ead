"""What other negotiation platforms compute under the names of bargaining solutions.

For comparing results with theirs; `genius_py.analysis.solutions` has the textbook's. Java Genius
has a module of its own.
"""

import numpy as np
from numpy.typing import ArrayLike

from genius_py.analysis.pareto import undominated
from genius_py.analysis.points import as_points, as_reservation

__all__ = ["negmas_kalai_smorodinsky", "negolog_kalai", "negolog_nash"]


def negmas_kalai_smorodinsky(
    utilities: ArrayLike, reservation: ArrayLike | None = None
) -> int | None:
    """Index of negmas's Kalai-Smorodinsky point: on the frontier, nearest the line of equal ratios.

    As in negmas 0.16: of the individually rational Pareto-optimal outcomes, the first with the
    smallest difference between the largest and the smallest gain ratio, where a party's full gain
    reaches from its reservation value (or its worst outcome, if that is better) to its best
    outcome, rational or not. It can lie nearer the line than the textbook's point, and yet give the
    worst-off party less. None where a party has no full gain: negmas then answers the whole
    frontier.

    `utilities` are those of all outcomes, shape (n_outcomes, n_parties).
    """
    points = as_points(utilities)
    values = as_reservation(reservation, points.shape[1])
    kept = undominated(points)
    kept = kept[(points[kept] >= values).all(axis=1)]
    if len(kept) == 0:
        return None
    start = np.maximum(values, points.min(axis=0))
    full_gain = points.max(axis=0) - start
    if (full_gain <= 1e-12).any():
        return None
    ratios = (points[kept] - start) / full_gain
    return int(kept[np.argmin(ratios.max(axis=1) - ratios.min(axis=1))])


def negolog_nash(utilities: ArrayLike) -> int | None:
    """Index of NegoLog's Nash point: the first outcome with the largest product of utilities.

    Reservation values have no part in it.
    """
    points = as_points(utilities)
    return int(points.prod(axis=1).argmax()) if len(points) else None


def negolog_kalai(utilities: ArrayLike) -> int | None:
    """Index of NegoLog's Kalai point: the first outcome with the largest sum of utilities."""
    points = as_points(utilities)
    return int(points.sum(axis=1).argmax()) if len(points) else None
