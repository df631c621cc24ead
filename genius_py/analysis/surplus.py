"""How the parties shared what an agreement gained them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.points import as_point, as_reservation

__all__ = ["surplus_shares"]


def surplus_shares(
    utility: ArrayLike, reservation: ArrayLike | None = None
) -> NDArray[np.float64] | None:
    """Each party's share of the joint surplus, shape (n_parties,), adding up to 1.

    A party's surplus is what it gets beyond its reservation value, negative if it would have been
    better off without the agreement. None where the joint surplus is not positive: there is
    nothing to share.

    >>> surplus_shares((0.7, 0.6), reservation=(0.4, 0.5))
    array([0.75, 0.25])
    """
    point = as_point(utility)
    surplus = point - as_reservation(reservation, len(point))
    total = float(surplus.sum())
    return np.asarray(surplus / total) if total > 0 else None
