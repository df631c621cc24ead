"""The base of the parties that concede by a strategy for numbers, applied to their utility."""

from __future__ import annotations

import math
from abc import abstractmethod

from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.party import NegotiationInfo

__all__ = ["ConcessionParty"]

_STEPS = 1000
"""Steps in which a deadline in seconds is counted."""


class ConcessionParty(BiddingParty):
    """Moves a utility from that of its best bid down to its reservation value, round by round.

    It offers the bid of lowest utility at or above that, and accepts what is worth as much as its
    offer. Of a deadline in seconds each thousandth counts as a round. When its best bid is not
    worth its reservation value it walks away.
    """

    def init(self, info: NegotiationInfo) -> None:
        """Start at the best bid."""
        super().init(info)
        self.current = self.ladder.maximum
        """The utility that it asked for last."""

    @abstractmethod
    def concede(self, round: int, rounds: int, reservation: float) -> float:
        """The utility to ask for in a round, given `current`, that of the round before."""

    def propose(self) -> Bid | None:
        """Concede, and offer what is worth the rest."""
        best, reservation = self.ladder.maximum, max(self.ladder.minimum, self.reservation)
        if reservation > best:
            return None
        timeline = self.info.timeline
        round, rounds = timeline.round, timeline.rounds
        if rounds is None:
            round, rounds = max(1, math.ceil(timeline.time * _STEPS)), _STEPS
        # Rounding must not carry it out of its range: above the best bid nothing is to be had.
        self.current = min(best, max(reservation, self.concede(round, rounds, reservation)))
        return self.ladder.near(self.current)
