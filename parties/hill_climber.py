"""Hill climber: agrees to what is at least as good for it as what it agreed to before."""

from __future__ import annotations

from typing import ClassVar

from genius_py.action import Accept, Action, InformVotingResult, Vote
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.session import Reply

__all__ = ["HillClimber"]

_DRAWS = 1000
"""Random bids looked at before the best bid is proposed instead."""


class HillClimber(BiddingParty):
    """Never takes a step down.

    It votes for a mediator's bid that is worth at least its reservation value and no less than
    the bid that all accepted last. Where parties vote on each other's offers it accepts no less
    than it has accepted before, and proposes random bids that it would accept. Klein, Faratin,
    Sayama and Bar-Yam, "Negotiating complex contracts" (2003).
    """

    name: ClassVar[str] = "hill_climber"

    height: float = -float("inf")
    """The own utility of what it agreed to last."""

    def accepts(self, bid: Bid) -> bool:
        """Whether a bid is no step down, nor below the reservation value."""
        return self.utility(bid) >= max(self.height, self.reservation)

    def propose(self) -> Bid | None:
        """A random bid that it would accept, its best one if that is hard to find."""
        for _ in range(_DRAWS):
            bid = self.domain.random_bid(self.rng)
            if self.accepts(bid):
                return bid
        best = self.ladder.bid(0)
        return best if self.accepts(best) else None

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Stand on the bid of which a mediator says that all accepted it."""
        if isinstance(action, InformVotingResult):
            if action.vote is Vote.ACCEPT:
                self.height = self.utility(action.bid)
        else:
            super().receive_message(sender, action)

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """Accept, propose, vote or compare; stand on what was accepted."""
        action = super().choose_action(allowed)
        if isinstance(action, Accept):
            self.height = self.utility(action.bid)
        return action
