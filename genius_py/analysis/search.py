"""Finding bids of one additive profile by their utility, in spaces too large to list."""

from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.halves import Halves
from genius_py.errors import OptionError

__all__ = ["BidSearch", "Found"]

_AS_GOOD = 1e-9


@attrs.frozen(eq=False)
class Found:
    """Bids that a search found: value places, shape (n_bids, n_issues), and their utilities.

    `complete` tells whether this is certainly the whole answer.
    """

    bids: NDArray[np.intp]
    utilities: NDArray[np.float64]
    complete: bool

    def __len__(self) -> int:
        return len(self.bids)


class BidSearch:
    """Searches the bids of one additive profile by utility; made once, asked often.

    `factors` has one party. (A list of arrays of shape (n_values,), one an issue, will do.)

    In spaces of up to about 10^10 bids every answer is exact. In larger ones the search knows all
    of the best bids, and billions of the others, spread over the range of utilities.

    >>> search = BidSearch([[0.0, 0.3, 0.6], [0.0, 0.4]])
    >>> search.nearest_at_or_above(0.5).utilities
    array([0.6])
    >>> search.in_range(0.4, 0.7).bids
    array([[1, 1],
           [2, 0],
           [0, 1]])
    """

    def __init__(self, factors: AdditiveFactors | Sequence[ArrayLike]) -> None:
        if not isinstance(factors, AdditiveFactors):
            factors = AdditiveFactors(factors)
        if factors.n_parties != 1:
            raise OptionError(
                f"A search is in one party's profile, not in {factors.n_parties}; "
                "take factors.of_party(i)."
            )
        self.factors = factors
        self._halves = Halves.of(factors)

    def nearest_at_or_above(self, target: float) -> Found:
        """The bid of least utility that is not below the target; no bid if none reaches it.

        Of equally good bids any. If `complete`, no bid is nearer by more than 1e-9.
        """
        if target > self.factors.highest[0]:
            return self._found(np.empty((0, len(self.factors.sizes)), dtype=np.intp), True)
        best = np.array([[int(issue.argmax()) for issue in self.factors.contributions]])
        bids = np.concatenate([self._halves.least_above(target), best])
        utilities = self.factors.points(bids)[:, 0]
        least = int(np.where(utilities >= target, utilities, np.inf).argmin())
        is_near = bool(utilities[least] <= target + _AS_GOOD)
        return self._found(bids[least, None], is_near or target > self._halves.floor)

    def in_range(self, low: float, high: float, limit: int = 1000) -> Found:
        """Bids of a utility from `low` to `high`, both included, from the best down.

        At most `limit` of them; `complete` if these are all there are. Equally good bids are in
        index order, but which of them a limit cuts off is not specified. Where the search does not
        know every bid of the range, better ones may be missing.
        """
        if limit < 1:
            raise OptionError(f"The limit of a search must be at least 1; got {limit}.")
        bids, is_all = self._halves.between(low, high, limit)
        order = np.lexsort((*bids.T, -self.factors.points(bids)[:, 0]))
        return self._found(bids[order[:limit]], is_all and len(bids) <= limit)

    def draw(self, low: float, high: float, n: int, rng: np.random.Generator) -> Found:
        """Bids drawn at random, with replacement, from those of a utility from `low` to `high`.

        `n` of them, or none if the range is empty. `complete` tells whether every bid of the range
        was equally likely; otherwise every one that the search knows was.
        """
        bids = self._halves.draw(low, high, n, rng)
        return self._found(bids, low > self._halves.floor)

    def _found(self, bids: NDArray[np.intp], complete: bool) -> Found:
        return Found(bids, self.factors.points(bids)[:, 0], complete)
