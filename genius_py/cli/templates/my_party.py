"""A party to start from; change what it proposes, and perhaps what it accepts."""

from __future__ import annotations

from typing import ClassVar

from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.strategies.bid_search import bid_near, utility_range

__all__ = ["MyParty"]


class MyParty(BiddingParty):
    """Concedes from its best bid towards its reservation value, evenly over time.

    Args:
        concession: the share of the way that it has gone at the deadline, in [0, 1].
    """

    name: ClassVar[str] = "my_party"

    def __init__(self, concession: float = 0.9) -> None:
        self.concession = concession

    def propose(self) -> Bid | None:
        """The bid to offer now; None would walk away."""
        _, best = utility_range(self.utility_space)
        if best < self.reservation:
            return None
        target = best - self.concession * self.time * (best - self.reservation)
        return bid_near(self.utility_space, target)

    def accepts(self, bid: Bid) -> bool:
        """Whether to agree to another's bid: here, when it is no worse than the own proposal."""
        return super().accepts(bid)
