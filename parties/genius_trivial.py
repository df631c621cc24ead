"""Genius's parties that always do the same thing, for faithful runs."""

from __future__ import annotations

from typing import ClassVar

from genius_py.action import Accept, Action, EndNegotiation, Offer
from genius_py.allowed import Allowed
from genius_py.errors import StrategyError
from genius_py.parties.genius_party import GeniusParty

__all__ = ["GeniusAccepting", "GeniusEnding"]


class GeniusAccepting(GeniusParty):
    """Accepts the bid that it heard last in any action, and offers at random where it may not.

    (Genius's AcceptingNegotiationParty.)
    """

    name: ClassVar[str] = "genius-accepting"
    aliases: ClassVar[tuple[str, ...]] = ("AcceptingNegotiationParty",)

    def choose_action(self, allowed: Allowed) -> Action:
        """Accept or offer."""
        if Accept not in allowed:
            return Offer(self.id, self.random_bid())
        bid = getattr(self.last_received_action, "bid", None)
        if bid is None:
            raise StrategyError(f"{self.id} has heard no bid that it could accept.")
        return Accept(self.id, bid)


class GeniusEnding(GeniusParty):
    """Walks away as soon as it may, and offers at random until then.

    (Genius's NegotiationEndingParty.)
    """

    name: ClassVar[str] = "genius-ending"
    aliases: ClassVar[tuple[str, ...]] = ("NegotiationEndingParty", "EndingNegotiationParty")

    def choose_action(self, allowed: Allowed) -> Action:
        """Walk away or offer."""
        if EndNegotiation in allowed:
            return EndNegotiation(self.id)
        return Offer(self.id, self.random_bid())
