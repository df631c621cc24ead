"""Genius's random parties, for faithful runs."""

from __future__ import annotations

from collections import deque
from typing import ClassVar

from genius_py.action import Accept, Action, Offer, OfferForVoting, Reject
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.errors import StrategyError
from genius_py.parties.genius_party import GeniusParty
from genius_py.party import NegotiationInfo

__all__ = ["GeniusRandomAmop", "GeniusRandomCounterOffer", "GeniusRandomFiftyFifty"]

_DRAWS = 100_000
"""Bids drawn in vain before a party gives up; Genius draws for ever."""


class GeniusRandomCounterOffer(GeniusParty):
    """Offers random bids worth at least 0.1 and accepts whatever is on the table from t = 0.9.

    Its first bid may be worth anything. (Genius's RandomCounterOfferNegotiationParty.)
    """

    name: ClassVar[str] = "genius-random-counter-offer"
    aliases: ClassVar[tuple[str, ...]] = (
        "RandomCounterOfferNegotiationParty",
        "RandomCounterOffer",
        "RandomParty",
        "RandomParty2",
    )

    def choose_action(self, allowed: Allowed) -> Action:
        """Offer; accept in the last tenth of the session."""
        if Accept not in allowed:
            return Offer(self.id, self.random_bid())
        if self.time >= 0.9 and self.last_offer is not None:
            return Accept(self.id, self.last_offer)
        return Offer(self.id, self._decent_bid())

    def _decent_bid(self) -> Bid:
        for _ in range(_DRAWS):
            bid = self.random_bid()
            if self.utility(bid) >= 0.1:
                return bid
        raise StrategyError(f"{self.id} drew {_DRAWS} bids and none was worth 0.1 or more.")


class GeniusRandomFiftyFifty(GeniusParty):
    """Puts random bids to the vote and tosses a coin over those of others.

    (Genius's RandomFiftyFiftyNegotiationParty.)
    """

    name: ClassVar[str] = "genius-random-fifty-fifty"
    aliases: ClassVar[tuple[str, ...]] = (
        "RandomFiftyFiftyNegotiationParty",
        "RandomFiftyFifty",
    )
    plays: ClassVar[tuple[str, ...]] = (
        "alternating_multiple_offers",
        "alternating_majority_consensus",
    )

    def choose_action(self, allowed: Allowed) -> Action:
        """Propose or vote, at random."""
        if OfferForVoting in allowed:
            return OfferForVoting(self.id, self.random_bid())
        if self.last_offer is None:
            raise StrategyError(f"{self.id} has heard no bid that it could vote on.")
        vote = Accept if self.random.next_boolean() else Reject
        return vote(self.id, self.last_offer)


class GeniusRandomAmop(GeniusParty):
    """Puts random bids to the vote and accepts those of others with probability 0.3.

    The bids heard in the offer round are voted on one after the other. (Genius's RandomAmopParty
    and its majority variant draw their votes without a seed, so no run of theirs can be repeated.)
    """

    name: ClassVar[str] = "genius-random-amop"
    aliases: ClassVar[tuple[str, ...]] = (
        "RandomAmopNegotiationParty",
        "RandomAmopParty",
        "RandomAmopPartyMajority",
    )
    plays: ClassVar[tuple[str, ...]] = (
        "alternating_multiple_offers",
        "alternating_majority_consensus",
    )

    def init(self, info: NegotiationInfo) -> None:
        """Seed the random numbers."""
        super().init(info)
        self._unvoted: deque[Bid] = deque()

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Queue what is to be voted on."""
        super().receive_message(sender, action)
        if isinstance(action, Offer):
            self._unvoted.append(action.bid)

    def choose_action(self, allowed: Allowed) -> Action:
        """Propose or vote, at random."""
        if OfferForVoting in allowed:
            bid = self.random_bid()
            self._unvoted.append(bid)  # its own bid is voted on in its turn
            return OfferForVoting(self.id, bid)
        if not self._unvoted:
            raise StrategyError(f"{self.id} has heard no bid that it could vote on.")
        vote = Accept if self.rng.random() < 0.3 else Reject
        return vote(self.id, self._unvoted.popleft())
