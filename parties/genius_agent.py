"""Genius's time-dependent agents for bilateral negotiation, for faithful runs."""

from __future__ import annotations

from typing import ClassVar

from genius_py.action import Accept, Action, EndNegotiation, Offer
from genius_py.allowed import Allowed
from genius_py.parties.genius_party import GeniusParty
from genius_py.party import NegotiationInfo
from genius_py.strategies.bid_search import ladder
from genius_py.strategies.time_dependent import (
    BOULWARE,
    CONCEDER,
    HARDLINER,
    LINEAR,
    target_utility,
)

__all__ = [
    "GeniusAgentBoulware",
    "GeniusAgentConceder",
    "GeniusAgentHardliner",
    "GeniusAgentLinear",
]


class _Agent(GeniusParty):
    """Concedes from the best bid to the worst one, or to the reservation value if that is better.

    The adapter through which these agents play multilateral protocols expects an opponent that
    has just made an offer. When it has done anything else, as happens with three parties, the
    agent answers nothing and the session fails.
    """

    e: ClassVar[float]
    heard: Action | None = None

    def init(self, info: NegotiationInfo) -> None:
        """Sort the bids."""
        super().init(info)
        self.bids = ladder(self.utility_space, "genius")

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember what the opponent did last, in so far as the adapter passes it on."""
        super().receive_message(sender, action)
        if isinstance(action, (Offer, Accept, EndNegotiation)):
            self.heard = action

    def choose_action(self, allowed: Allowed) -> Action:
        """Accept what is worth at least as much as the own plan, else offer that."""
        if self.heard is not None and not isinstance(self.heard, Offer):
            return None  # type: ignore[return-value]  # what the adapter does
        minimum = max(self.bids.minimum, self.utility_space.reservation_value)
        target = target_utility(self.time, self.e, 0.0, minimum, self.bids.maximum)
        planned = self.bids.near(target)
        if self.heard is not None and self.utility(self.heard.bid) >= self.utility(planned):
            return Accept(self.id, self.heard.bid)
        return Offer(self.id, planned)


class GeniusAgentBoulware(_Agent):
    """Genius's agents.TimeDependentAgentBoulware (e = 0.2)."""

    name: ClassVar[str] = "genius-agent-boulware"
    aliases: ClassVar[tuple[str, ...]] = ("TimeDependentAgentBoulware",)
    e = BOULWARE


class GeniusAgentConceder(_Agent):
    """Genius's agents.TimeDependentAgentConceder (e = 2)."""

    name: ClassVar[str] = "genius-agent-conceder"
    aliases: ClassVar[tuple[str, ...]] = ("TimeDependentAgentConceder",)
    e = CONCEDER


class GeniusAgentLinear(_Agent):
    """Genius's agents.TimeDependentAgentLinear (e = 1)."""

    name: ClassVar[str] = "genius-agent-linear"
    aliases: ClassVar[tuple[str, ...]] = ("TimeDependentAgentLinear",)
    e = LINEAR


class GeniusAgentHardliner(_Agent):
    """Genius's agents.TimeDependentAgentHardliner (e = 0)."""

    name: ClassVar[str] = "genius-agent-hardliner"
    aliases: ClassVar[tuple[str, ...]] = ("TimeDependentAgentHardliner",)
    e = HARDLINER
