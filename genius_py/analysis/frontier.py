"""A Pareto frontier together with the bids that reach it, and how sure it is."""

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.points import Points
from genius_py.errors import OptionError

__all__ = ["Frontier"]


@attrs.frozen(eq=False)
class Frontier:
    """Pareto-optimal outcomes, in the order of their bids, each utility vector once.

    `points` has shape (n_points, n_parties). `bids` says which outcomes they are: shape
    (n_points,), the place of each in the list of outcomes, or shape (n_points, n_issues), the
    place of each issue's value among the issue's values.

    `complete` tells whether this is the exact frontier of the whole space. If it is not, either
    `error` is the bound: every outcome of the space is matched, in every party's utility, by one
    point of the frontier up to `error` (and 1e-12 of float noise); or `error` is infinite and only
    the `examined` outcomes are accounted for.
    """

    points: Points
    bids: NDArray[np.intp]
    examined: int
    error: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether it is the exact frontier of the whole space."""
        return self.error == 0.0

    def scaled(self, factors: ArrayLike) -> "Frontier":
        """The frontier where each party's utility counts a positive factor, shape (n_parties,).

        With ``discount_factor ** time`` that is the frontier of what an agreement at a time would
        be worth; the same bids are on it.

        Raises:
            OptionError: a factor is not positive, or there are not as many as parties.
        """
        scale = np.asarray(factors, dtype=np.float64)
        if scale.shape != self.points.shape[1:] or not (scale > 0).all():
            raise OptionError(
                f"{self.points.shape[1]} parties need as many positive factors; got {scale}."
            )
        error = self.error * float(scale.max())
        return Frontier(self.points * scale, self.bids, self.examined, error)

    def __len__(self) -> int:
        return len(self.points)
