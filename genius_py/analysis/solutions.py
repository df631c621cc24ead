"""Bargaining solutions on finite sets of outcomes, each by its textbook definition.

Each function takes `utilities` of shape (n_outcomes, n_parties), of all outcomes or of the Pareto
frontier alone, and answers the index of one outcome. Among outcomes that solve a problem equally
well the Pareto-optimal ones come first, and of these the one with the lowest index. None means that
there is no solution: no outcome, or none that is individually rational where the solution asks for
that. `reservation`, of shape (n_parties,), is what the parties get without an agreement (0 unless
given); it is the disagreement point of bargaining theory.

What other platforms compute under these names is in `genius_py.analysis.genius` and
`genius_py.analysis.peers`.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.pareto import NOISE, efficient
from genius_py.analysis.points import Points, as_points, as_reservation
from genius_py.analysis.zopa import is_individually_rational

__all__ = [
    "SOLUTIONS",
    "egalitarian",
    "kalai_smorodinsky",
    "nadir",
    "nash",
    "nash_welfare",
    "utilitarian",
    "utopia",
]


def nash(utilities: ArrayLike, reservation: ArrayLike | None = None) -> int | None:
    """The Nash bargaining solution: the largest product of gains over the reservation values.

    Nash (1950), "The bargaining problem", Econometrica 18. Only individually rational outcomes
    count.

    >>> nash([(0.2, 0.9), (0.5, 0.8), (0.9, 0.1)])
    1
    """
    points, gains, is_rational = _bargaining_problem(utilities, reservation)
    return _first_best(points, np.maximum(gains, 0.0).prod(axis=1), is_rational)


def kalai_smorodinsky(utilities: ArrayLike, reservation: ArrayLike | None = None) -> int | None:
    """The Kalai-Smorodinsky solution: the largest smallest gain, as a share of the best one.

    Kalai & Smorodinsky (1975), "Other solutions to Nash's bargaining problem", Econometrica 43.
    Each party's gain is divided by the most that it could gain in any individually rational
    outcome; a party that could gain nothing has no say. Their solution lies on the line from the
    disagreement point to the ideal point; of finitely many outcomes, which seldom lie on the line,
    this one maximises the smallest ratio (Nagahisa & Tanaka, 2002, Social Choice and Welfare 19).

    >>> kalai_smorodinsky([(0.0, 1.0), (0.2, 0.8), (0.3, 0.5), (0.5, 0.0)])
    2
    """
    points, gains, is_rational = _bargaining_problem(utilities, reservation)
    if not is_rational.any():
        return None
    most = gains.max(axis=0, where=is_rational[:, None], initial=0.0)
    least = np.full(len(points), np.inf)
    for gain, best in zip(gains.T, most, strict=True):
        if best > 0:
            np.minimum(least, gain / best, out=least)
    return _first_best(points, least, is_rational)


def egalitarian(utilities: ArrayLike, reservation: ArrayLike | None = None) -> int | None:
    """The egalitarian (Kalai) solution: the largest smallest gain, among rational outcomes.

    Kalai (1977), "Proportional solutions to bargaining situations", Econometrica 45.

    >>> egalitarian([(0.0, 1.0), (0.2, 0.8), (0.3, 0.5), (0.5, 0.0)])
    2
    """
    points, gains, is_rational = _bargaining_problem(utilities, reservation)
    return _first_best(points, gains.min(axis=1), is_rational)


def utilitarian(utilities: ArrayLike) -> int | None:
    """The outcome of maximal social welfare, the sum of all utilities (Harsanyi, 1955).

    >>> utilitarian([(0.0, 1.0), (0.2, 0.8), (0.3, 0.5), (0.5, 0.6)])
    3
    """
    points = as_points(utilities)
    return _first_best(points, points.sum(axis=1), np.ones(len(points), dtype=np.bool_))


def nash_welfare(utilities: ArrayLike) -> int | None:
    """The outcome of maximal Nash welfare, the product of all utilities.

    Kaneko & Nakamura (1979), "The Nash social welfare function", Econometrica 47. Reservation
    values have no part in it; outcomes with a negative utility are left out.
    """
    return nash(utilities)


Solution: TypeAlias = Callable[[ArrayLike, ArrayLike | None], int | None]

SOLUTIONS: Mapping[str, Solution] = {
    "nash": nash,
    "kalai_smorodinsky": kalai_smorodinsky,
    "egalitarian": egalitarian,
    "utilitarian": lambda utilities, _reservation: utilitarian(utilities),
    "nash_welfare": lambda utilities, _reservation: nash_welfare(utilities),
}
"""Each solution under its name, as a function of utilities and reservation values."""


def utopia(utilities: ArrayLike) -> NDArray[np.float64]:
    """What each party gets in the outcome that it likes best, shape (n_parties,).

    Also known as the ideal point; seldom an outcome itself.
    """
    return np.asarray(as_points(utilities).max(axis=0))


def nadir(utilities: ArrayLike) -> NDArray[np.float64]:
    """What each party gets in its least Pareto-optimal outcome, shape (n_parties,)."""
    points = as_points(utilities)
    return np.asarray(points[efficient(points)].min(axis=0))


def _bargaining_problem(
    utilities: ArrayLike, reservation: ArrayLike | None
) -> tuple[Points, Points, NDArray[np.bool_]]:
    """The points, everybody's gains in them, and which of them are individually rational."""
    points = as_points(utilities)
    values = as_reservation(reservation, points.shape[1])
    return points, points - values, is_individually_rational(points, values)


def _first_best(
    points: Points, scores: NDArray[np.float64], is_candidate: NDArray[np.bool_]
) -> int | None:
    """Index of the best-scored candidate: of equal ones the first Pareto-optimal one."""
    if not is_candidate.any():
        return None
    scores = np.where(is_candidate, scores, -np.inf)
    highest = scores.max()
    # Sums that should be equal differ by their rounding. What dominates a best one scores as well
    # and is a candidate itself.
    noise = NOISE * max(1.0, abs(highest)) if np.isfinite(highest) else 0.0
    best = np.flatnonzero(scores >= highest - noise)
    return int(best[efficient(points[best])[0]])
