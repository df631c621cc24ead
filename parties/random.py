"""Random: any bid that is worth having."""

from __future__ import annotations

from typing import ClassVar

from genius_py.bid import Bid
from genius_py.bidding import BiddingParty

__all__ = ["RandomBidder"]


class RandomBidder(BiddingParty):
    """Proposes bids at random, none below its reservation value, and accepts what is as good.

    Every bid on its ladder that is worth its reservation value is equally likely (all such bids
    of the domain, when that can be listed). It walks away when there is none. Genius's random
    parties, which know no reservation value, are ``genius-random-counter-offer`` and others.
    """

    name: ClassVar[str] = "random"

    def propose(self) -> Bid | None:
        """A rational bid, drawn uniformly."""
        rungs = self.ladder.in_range(self.reservation, self.ladder.maximum)
        return self.ladder.bid(rungs[self.rng.integers(len(rungs))]) if rungs else None
