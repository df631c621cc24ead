"""The worth of every bid to one party."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import attrs
import numpy as np

from genius_py.bid import HOW_TO_BID, Bid, unchecked_bid
from genius_py.domain import Domain
from genius_py.errors import InvalidBid

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["UtilitySpace", "discounted"]

_Kept = TypeVar("_Kept")

_TABULATED = 100_000
"""Spaces up to this size look single utilities up in a list once all have been computed."""


def discounted(utility: float, time: float, factor: float) -> float:
    """``utility * factor ** time``; `time` is clipped to [0, 1].

    A factor outside (0, 1] means no discount, as in Genius.
    """
    if not 0 < factor < 1:
        return utility
    return float(utility * factor ** min(1.0, max(0.0, time)))


class _Memory(dict[str, object]):
    """What has been derived from a space; copies and other processes derive it anew."""

    def __reduce__(self) -> tuple[type[_Memory], tuple[()]]:
        return _Memory, ()


@attrs.frozen(kw_only=True)
class UtilitySpace(ABC):
    """One party's profile: what each bid of a domain is worth to it.

    `reservation_value` is the utility of no agreement (any float; 0 when nothing is said).
    `discount_factor` in (0, 1] is how much of a utility is left at time 1.
    """

    domain: Domain
    reservation_value: float = attrs.field(default=0.0, converter=float)
    discount_factor: float = attrs.field(default=1.0, converter=float)
    _kept: dict[str, object] = attrs.field(factory=_Memory, init=False, eq=False, repr=False)

    @abstractmethod
    def _utility(self, bid: Bid) -> float:
        """The utility of a bid of this space's domain."""

    def _utilities(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Utilities of bids given by their value positions, shape (n, n_issues).

        The fallback asks bid by bid; spaces with structure compute on arrays.
        """
        issues = self.domain.issues
        return np.array(
            [
                self._utility(
                    unchecked_bid(
                        self.domain,
                        tuple(i.value_at(int(p)) for i, p in zip(issues, row, strict=True)),
                    )
                )
                for row in positions
            ],
            dtype=np.float64,
        )

    def _all_utilities(self) -> NDArray[np.float64]:
        """Utilities of all bids in index order; spaces with structure broadcast."""
        return self._utilities(self.domain.positions())

    def utility(self, bid: Bid) -> float:
        """The undiscounted utility of a bid; usually in [0, 1], which nothing enforces.

        Raises:
            InvalidBid: the bid is of another domain, or no bid.
            ProfileError: the profile does not say what one of the values is worth.
        """
        domain = self.domain
        try:
            is_own = bid.domain is domain or bid.domain == domain
        except AttributeError:
            raise InvalidBid(f"A {type(bid).__name__} is no bid; {HOW_TO_BID}.") from None
        if not is_own:
            raise InvalidBid(f"The bid {bid} is of domain {bid.domain.name}, not {domain.name}.")
        # Only an index that is at hand: computing one costs more than _utility does.
        table, index = self._kept.get("table"), bid._index
        if table is not None and index >= 0:
            return table[index]  # type: ignore[no-any-return, index]
        return self._utility(bid)

    def utilities(
        self, outcomes: Sequence[Bid] | NDArray[np.integer] | None = None
    ) -> NDArray[np.float64]:
        """Undiscounted utilities, shape (n,), of bids, of bid indices, or of all bids (None).

        All bids come in index order, as a read-only array that is computed once.

        Raises:
            OutcomeSpaceTooLarge: all bids were asked for and the domain is not listable.
            InvalidBid: a bid is of another domain, or an index is out of range.
        """
        if outcomes is None:
            return self.keep("all", self._listed)
        if isinstance(outcomes, np.ndarray):
            if outcomes.size and (outcomes.min() < 0 or outcomes.max() >= self.domain.size):
                raise InvalidBid(f"Bid indices must lie in 0 .. {self.domain.size - 1}.")
            if "all" in self._kept:
                chosen: NDArray[np.float64] = self.utilities()[outcomes]
                return chosen
            return self._utilities(self.domain.positions(outcomes.astype(np.int64)))
        return np.array([self.utility(bid) for bid in outcomes], dtype=np.float64)

    def utilities_at(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Undiscounted utilities, shape (n,), of bids given by their value positions.

        `positions` has shape (n, n_issues); it takes bids that are too many to have an index.
        """
        return self._utilities(positions)

    def _listed(self) -> NDArray[np.float64]:
        self.domain.require_listable()
        listed = np.ascontiguousarray(self._all_utilities(), dtype=np.float64)
        listed.setflags(write=False)
        if self.domain.size <= _TABULATED:
            self._kept["table"] = listed.tolist()
        return listed

    def keep(self, key: str, make: Callable[[], _Kept]) -> _Kept:
        """What `make` gives, remembered under `key` as long as the space lives.

        A space never changes, so whatever is derived from it (an order of its bids, say) is worth
        keeping where every party of a tournament that has this profile finds it.
        """
        kept = self._kept
        if key not in kept:
            kept[key] = make()
        return kept[key]  # type: ignore[return-value]

    @property
    def complaint(self) -> str:
        """What is missing for the profile to be complete; empty when nothing is."""
        return ""

    def discounted(self, utility: float, time: float) -> float:
        """A utility as it counts at a time in [0, 1]."""
        return discounted(utility, time, self.discount_factor)

    def reservation_at(self, round_number: int, time: float) -> float:
        """The utility of no agreement at a round (from 1) and time, discounted."""
        return self.discounted(self.reservation_value, time)
