"""Distances between outcomes in utility space."""

import numpy as np
from numpy.typing import ArrayLike

from genius_py.analysis.points import as_points

__all__ = ["distance", "distance_to_nearest"]


def distance(one: ArrayLike, other: ArrayLike) -> float:
    """The Euclidean distance between two outcomes' utilities, each of shape (n_parties,).

    The outcome of a session without an agreement is the point of the reservation values.
    """
    return float(np.sqrt(np.square(np.subtract(one, other)).sum()))


def distance_to_nearest(utility: ArrayLike, utilities: ArrayLike) -> float:
    """The Euclidean distance from an outcome to the nearest of many; infinite if there is none.

    `utility` has shape (n_parties,), `utilities` (n_outcomes, n_parties); with the Pareto frontier
    as `utilities` this is the distance to Pareto.
    """
    squares = np.square(as_points(utilities) - np.asarray(utility)).sum(axis=1)
    return float(np.sqrt(squares.min(initial=np.inf)))
