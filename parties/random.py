"""Random: any bid that is worth having."""

from __future__ import annotations

from typing import ClassVar

from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.strategies.bid_search import random_bid

__all__ = ["RandomBidder"]


class RandomBidder(BiddingParty):
    """Proposes bids at random, none below its reservation value, and accepts what is as good.

    Every bid that is worth its reservation value is equally likely (in a domain that cannot be
    listed, where few of them are, every one on its ladder). It walks away when there is none.
    Genius's random parties, which know no reservation value, are ``genius-random-counter-offer``
    and others.
    """

    name: ClassVar[str] = "random"

    def propose(self) -> Bid | None:
        """A rational bid, drawn uniformly."""
        return random_bid(self.utility_space, self.reservation, self.rng)
