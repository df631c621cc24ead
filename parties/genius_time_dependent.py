"""Genius's time-dependent parties for multilateral protocols, for faithful runs."""

from __future__ import annotations

from typing import ClassVar

from genius_py.action import Accept, Action, NoAction, Offer, OfferForVoting, Reject
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.parties.genius_party import GeniusParty
from genius_py.party import NegotiationInfo
from genius_py.strategies.bid_search import ladder
from genius_py.strategies.time_dependent import BOULWARE, CONCEDER, concession

__all__ = ["GeniusBoulware", "GeniusConceder", "GeniusNonDeterministicConceder"]


class _TimeDependent(GeniusParty):
    """Bids near ``1 - F(t)``, whatever its best, worst and reservation utilities are.

    Time is moved so that the first round of a deadline in rounds counts 0.
    """

    e: ClassVar[float]

    def init(self, info: NegotiationInfo) -> None:
        """Sort the bids."""
        super().init(info)
        self.bids = ladder(self.utility_space, "genius")

    def target(self) -> float:
        """The undiscounted utility to ask for."""
        rounds = self.info.deadline.rounds
        t = self.time if rounds is None else self.time - 1 / (rounds + 1)
        return 1 - concession(t, self.e)

    def plan(self) -> Bid:
        """The bid to make now."""
        return self.bids.near(self.target())

    def choose_action(self, allowed: Allowed) -> Action:
        """Accept what is worth more than the plan; else offer, or else reject."""
        planned, heard = self.plan(), self.last_offer
        if (
            Accept in allowed
            and heard is not None
            and self.discounted_utility(planned) < self.discounted_utility(heard)
        ):
            return Accept(self.id, heard)
        if Offer in allowed:
            return Offer(self.id, planned)
        if OfferForVoting in allowed:
            return OfferForVoting(self.id, planned)
        if Reject in allowed and heard is not None:
            return Reject(self.id, heard)
        return NoAction(self.id)


class GeniusBoulware(_TimeDependent):
    """Genius's BoulwareNegotiationParty (e = 0.2)."""

    name: ClassVar[str] = "genius-boulware"
    aliases: ClassVar[tuple[str, ...]] = ("BoulwareNegotiationParty",)
    e = BOULWARE


class GeniusConceder(_TimeDependent):
    """Genius's ConcederNegotiationParty (e = 2)."""

    name: ClassVar[str] = "genius-conceder"
    aliases: ClassVar[tuple[str, ...]] = ("ConcederNegotiationParty",)
    e = CONCEDER


class GeniusNonDeterministicConceder(_TimeDependent):
    """Genius's NonDeterministicConcederNegotiationParty: any bid within 0.05 of the target."""

    name: ClassVar[str] = "genius-nondeterministic-conceder"
    aliases: ClassVar[tuple[str, ...]] = ("NonDeterministicConcederNegotiationParty",)
    e = CONCEDER

    def plan(self) -> Bid:
        """A bid drawn from those near the target."""
        target = self.target()
        rungs = self.bids.in_range(target - 0.05, target + 0.05)
        return self.bids.bid(rungs[self.random.next_int(len(rungs))])
