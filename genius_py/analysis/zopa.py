"""The zone of possible agreement: the outcomes that nobody would rather do without."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.points import Points, as_points, as_reservation

__all__ = ["is_individually_rational", "zopa"]

# 0.8 earned as 0.1 + 0.7 is no worse than a reservation value of 0.8.
_FLOAT_NOISE = 1e-9


def zopa(
    utilities: ArrayLike, reservation: ArrayLike | None = None, *, strict: bool = False
) -> NDArray[np.intp]:
    """Indices of the individually rational outcomes, ascending.

    Such an outcome gives every party at least its reservation value (Raiffa, 1982, "The Art and
    Science of Negotiation"), or more than that with `strict`. An unlistable space has a zone of
    possible agreement if and only if its Pareto frontier has one.

    >>> zopa([(0.4, 0.6), (0.5, 0.5), (0.6, 0.4)], reservation=(0.5, 0.4))
    array([1, 2])
    """
    points = as_points(utilities)
    values = as_reservation(reservation, points.shape[1])
    return np.flatnonzero(is_individually_rational(points, values, strict=strict))


def is_individually_rational(
    points: Points, reservation: NDArray[np.float64], *, strict: bool = False
) -> NDArray[np.bool_]:
    """For each point, whether it gives every party its reservation value, or with `strict` more.

    A difference of 1e-9 of the reservation value counts as none, either way.
    """
    noise = _FLOAT_NOISE * np.abs(reservation)
    enough = points > reservation + noise if strict else points >= reservation - noise
    return np.asarray(enough.all(axis=1))
