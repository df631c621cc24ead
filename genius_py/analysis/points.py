"""Outcomes as points: what each party gets, one row an outcome and one column a party."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.errors import OptionError, ProfileError

__all__ = ["Points", "as_point", "as_points", "as_reservation"]

Points = NDArray[np.float64]
"""Utilities of shape (n_outcomes, n_parties)."""


def as_points(utilities: ArrayLike) -> Points:
    """The utilities as a float64 array of shape (n_outcomes, n_parties).

    Each party's utilities lie together in memory, which makes sums and minima over the parties many
    times faster; an array that is so already is not copied.

    Raises:
        OptionError: the shape is another one.
        ProfileError: a utility is not a finite number.
    """
    points = np.asarray(utilities, dtype=np.float64, order="F")
    if points.ndim != 2 or points.shape[1] == 0:
        raise OptionError(
            f"Points need one row an outcome and one column a party; got the shape {points.shape}."
        )
    if not np.isfinite(points).all():
        row, party = np.argwhere(~np.isfinite(points))[0]
        raise ProfileError(
            f"Outcome {row} is worth {points[row, party]} to party {party}; "
            "analysis needs a finite utility for every outcome."
        )
    return points


def as_point(utility: ArrayLike, n_parties: int | None = None) -> NDArray[np.float64]:
    """The utilities of one outcome as a float64 array of shape (n_parties,).

    Raises:
        OptionError: the shape is another one.
        ProfileError: a utility is not a finite number.
    """
    point = np.asarray(utility, dtype=np.float64)
    if point.ndim != 1 or n_parties not in {None, len(point)}:
        raise OptionError(
            f"An outcome has one utility for each of the {n_parties or 'all'} parties; "
            f"got the shape {point.shape}."
        )
    return np.asarray(as_points(point[None])[0])


def as_reservation(reservation: ArrayLike | None, n_parties: int) -> NDArray[np.float64]:
    """Reservation values of shape (n_parties,); None and a number stand for every party.

    None is 0, as in Genius.

    Raises:
        OptionError: there are not as many as parties, or one is not a finite number.
    """
    values = np.asarray(0.0 if reservation is None else reservation, dtype=np.float64)
    if values.shape not in {(), (n_parties,)} or not np.isfinite(values).all():
        raise OptionError(
            f"{n_parties} parties need {n_parties} finite reservation values; got {reservation!r}."
        )
    return np.broadcast_to(values, (n_parties,))
