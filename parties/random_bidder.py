"""Random bidder: any price that is worth it."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.bidder import Bidder

__all__ = ["RandomAuctionBidder"]


class RandomAuctionBidder(Bidder):
    """Draws its target uniformly between the most favourable price and its value, then keeps to it.

    It never loses by winning, and serves as the yardstick of every better bidder.
    """

    name: ClassVar[str] = "random_bidder"

    def choose_target(self, limit: float) -> float:
        """A price drawn uniformly."""
        return limit + (self.best_price - limit) * self.rng.random()
