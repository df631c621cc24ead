"""Additive profiles as arrays: what each value of each issue adds to each party's utility."""

import math
from collections.abc import Iterable

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.points import Points, as_points
from genius_py.errors import InvalidBid, OptionError, OutcomeSpaceTooLarge

__all__ = ["AdditiveFactors"]


def _as_contributions(contributions: Iterable[ArrayLike]) -> tuple[Points, ...]:
    arrays = [np.asarray(issue, dtype=np.float64) for issue in contributions]
    return tuple(as_points(a[:, None] if a.ndim == 1 else a) for a in arrays)


def _check(_: object, __: object, contributions: tuple[Points, ...]) -> None:
    if not contributions:
        raise OptionError("Additive profiles need at least one issue; got none.")
    for number, issue in enumerate(contributions):
        if issue.shape[0] == 0 or issue.shape[1] != contributions[0].shape[1]:
            raise OptionError(
                f"Issue {number} has contributions of shape {issue.shape}; "
                f"give at least one value and {contributions[0].shape[1]} parties."
            )


@attrs.frozen(eq=False)
class AdditiveFactors:
    """The additive profiles of all parties over the same issues.

    `contributions` holds one array an issue, of shape (n_values, n_parties): weight times
    evaluation of each value. (For a single party the shape (n_values,) will do.) The utility of a
    bid is the sum of its values' contributions, added in the order of the issues, and at most
    `cap` (1, as in Genius; None for no cap).

    A bid is an array of value places, shape (n_issues,).

    Raises:
        OptionError: there is no issue, an issue has no value, or issues differ in the number of
            parties.
    """

    contributions: tuple[Points, ...] = attrs.field(converter=_as_contributions, validator=_check)
    cap: float | None = 1.0

    @property
    def n_parties(self) -> int:
        """How many parties there are."""
        return int(self.contributions[0].shape[1])

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of each issue."""
        return tuple(len(issue) for issue in self.contributions)

    @property
    def n_outcomes(self) -> int:
        """The number of bids, exactly."""
        return math.prod(self.sizes)

    @property
    def highest(self) -> NDArray[np.float64]:
        """The utility of each party's best bid, shape (n_parties,)."""
        # Rounding is monotone: no other bid's sum can come out larger than the best values' sum.
        return self._capped(sum(issue.max(axis=0) for issue in self.contributions))

    @property
    def lowest(self) -> NDArray[np.float64]:
        """The utility of each party's worst bid, shape (n_parties,)."""
        return self._capped(sum(issue.min(axis=0) for issue in self.contributions))

    def of_party(self, party: int) -> "AdditiveFactors":
        """The profile of one party alone."""
        alone = tuple(issue[:, party : party + 1] for issue in self.contributions)
        return AdditiveFactors(alone, self.cap)

    def points(self, bids: ArrayLike) -> Points:
        """Utilities of bids of shape (n_bids, n_issues), as shape (n_bids, n_parties).

        Raises:
            InvalidBid: a bid names a value that its issue does not have.
        """
        places = np.asarray(bids, dtype=np.intp).reshape(-1, len(self.contributions))
        if ((places < 0) | (places >= self.sizes)).any():
            raise InvalidBid(
                f"A bid names a value that its issue does not have; the issues have "
                f"{self.sizes} values, counted from 0."
            )
        total = np.zeros((len(places), self.n_parties))
        for issue, values in zip(self.contributions, places.T, strict=True):
            total += issue[values]
        return self._capped(total)

    def listed(self, *, limit: int = 10_000_000) -> Points:
        """Utilities of all bids, in index order: the first issue varies fastest.

        Raises:
            OutcomeSpaceTooLarge: there are more than `limit` bids.
        """
        if self.n_outcomes > limit:
            raise OutcomeSpaceTooLarge(
                f"There are {self.n_outcomes} bids, more than the {limit} that may be listed; "
                "use the functions that take the factors."
            )
        total = np.zeros((1, self.n_parties))
        for issue in self.contributions:
            total = (issue[:, None, :] + total[None, :, :]).reshape(-1, self.n_parties)
        return self._capped(total)

    def _capped(self, total: ArrayLike) -> NDArray[np.float64]:
        sums = np.asarray(total, dtype=np.float64)
        return sums if self.cap is None else np.minimum(sums, self.cap)
