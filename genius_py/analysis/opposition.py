"""Opposition: how far the parties are from being able to please everybody at once."""

import numpy as np
from numpy.typing import ArrayLike

from genius_py.analysis.points import as_points

__all__ = ["opposition"]


def opposition(utilities: ArrayLike) -> float:
    """The Euclidean distance from (1, ..., 1) to the nearest outcome; infinite without outcomes.

    This is how Genius and the ANAC competitions measure it (Baarslag et al., 2013, Artificial
    Intelligence 198); it means something for utilities in [0, 1]. There the nearest outcome is
    Pareto-optimal, so that the frontier is enough.

    >>> opposition([(1.0, 0.4), (0.4, 0.2)])
    0.6
    """
    points = as_points(utilities)
    squares = np.square(points - 1.0).sum(axis=1)
    return float(np.sqrt(squares.min(initial=np.inf)))
