"""MiCRO: concedes one bid for each new bid of the opponent."""

from __future__ import annotations

from typing import ClassVar

from genius_py.action import Action, Offer, VoteForOfferAcceptance
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.party import NegotiationInfo
from genius_py.session import Reply
from genius_py.strategies.micro import willing

__all__ = ["Micro"]


class Micro(BiddingParty):
    """Offers its bids from the best on, a new one only for each new bid that it has heard.

    de Jonge (2022), "An analysis of the linear bilateral ANAC domains using the MiCRO benchmark
    strategy". It accepts what is worth as much as the bid that it is about to offer, and never
    goes below its reservation value. Of several opponents the one that has offered the fewest
    different bids counts. It needs neither time nor a model of anybody. In a space that cannot be
    listed it goes down its ladder (see `strategies.ladder`).

    Where it only votes on a mediator's bids, each vote counts as a turn in which it has offered.
    """

    name: ClassVar[str] = "micro"

    def init(self, info: NegotiationInfo) -> None:
        """Order the own bids."""
        super().init(info)
        self._offered = 0
        self._heard: dict[str, set[Bid]] = {}

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Count the different bids of each opponent."""
        super().receive_message(sender, action)
        if isinstance(action, Offer):
            self._heard.setdefault(action.party, set()).add(action.bid)

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """Offer, accept or vote."""
        action = super().choose_action(allowed)
        if VoteForOfferAcceptance in allowed:
            self._offered = self.willing()
        return action

    def willing(self) -> int:
        """How many bids, from the best on, it is willing to end with now."""
        heard = min(map(len, self._heard.values()), default=0)
        acceptable = len(self.ladder.in_range(self.reservation, self.ladder.maximum))
        return willing(self._offered, heard, max(acceptable, self._offered))

    def propose(self) -> Bid | None:
        """The next bid on the ladder, or again one of those above it."""
        willing = self.willing()
        if willing == 0:
            return None
        if willing > self._offered:
            self._offered = willing
            return self.ladder.bid(willing - 1)
        return self.ladder.bid(int(self.rng.integers(willing)))

    def accepts(self, bid: Bid) -> bool:
        """Whether the bid is worth as much as the lowest that it is willing to end with."""
        willing = self.willing()
        return willing > 0 and self.utility(bid) >= self.ladder.utilities[willing - 1]
