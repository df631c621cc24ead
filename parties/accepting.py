"""Accepting: says yes to everything."""

from __future__ import annotations

from typing import ClassVar

from genius_py.action import Feedback
from genius_py.bid import Bid
from genius_py.bidding import BiddingParty

__all__ = ["Accepting"]


class Accepting(BiddingParty):
    """Accepts every bid, even below its reservation value, and proposes bids at random.

    It is an opponent for tests and a lower bound for comparisons.
    """

    name: ClassVar[str] = "accepting"

    def propose(self) -> Bid:
        """Any bid."""
        return self.domain.random_bid(self.rng)

    def accepts(self, bid: Bid) -> bool:
        """Always."""
        return True

    def compare(self, bid: Bid, before: float) -> Feedback:
        """Nothing is ever worse."""
        return Feedback.SAME
