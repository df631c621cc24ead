"""Shading: bids less than the good is worth to it, to gain something when it wins."""

from __future__ import annotations

from typing import ClassVar

from genius_py.errors import OptionError
from genius_py.parties.bidder import Bidder
from genius_py.strategies.auction_bids import shaded

__all__ = ["Shading"]


class Shading(Bidder):
    """Bids its value less a share of the distance to the most favourable price.

    Args:
        value: see `Bidder`.
        share: the share, in [0, 1]. By default that of the equilibrium of the first-price auction
            among so many bidders whose values are drawn uniformly from all prices, 1 / n.
    """

    name: ClassVar[str] = "shading"

    def __init__(self, value: float | None = None, share: float | None = None) -> None:
        super().__init__(value)
        if share is not None and not 0 <= share <= 1:
            raise OptionError(f"share must lie in [0, 1], not {share!r}.")
        self._share = share

    def choose_target(self, limit: float) -> float:
        """The shaded value."""
        if self._share is None:
            return shaded(limit, self.best_price, len(self.info.seats))
        return limit + (self.best_price - limit) * self._share
