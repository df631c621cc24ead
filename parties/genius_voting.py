"""Genius's parties that vote on what a mediator or the others propose, for faithful runs."""

from __future__ import annotations

import math
from typing import ClassVar

from genius_py.action import (
    Action,
    Feedback,
    GiveFeedback,
    InformVotingResult,
    Offer,
    OfferForVoting,
    Reject,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.errors import StrategyError
from genius_py.parties.genius_party import GeniusParty

__all__ = [
    "GeniusAnnealer",
    "GeniusFeedbackParty",
    "GeniusHillClimber",
    "GeniusMajorityVoting",
    "GeniusMediatedHillClimber",
]


class GeniusMediatedHillClimber(GeniusParty):
    """Votes for what is worth at least what all accepted last.

    Utilities are discounted when the deadline is in seconds, and only then; the reservation value
    does not matter. (Genius's parties.simplemediator.HillClimber.)
    """

    name: ClassVar[str] = "genius-mediated-hill-climber"
    aliases: ClassVar[tuple[str, ...]] = ("parties.simplemediator.HillClimber",)
    plays: ClassVar[tuple[str, ...]] = ("simple_mediator",)

    proposal: Bid | None = None
    height: float = 0.0
    """What the bid that all accepted last was worth when it was proposed."""

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember what the mediator proposes and how the vote on it came out."""
        super().receive_message(sender, action)
        if isinstance(action, Offer):
            self.proposal = action.bid
        elif isinstance(action, InformVotingResult) and action.vote is Vote.ACCEPT:
            self.height = self.worth(action.bid)

    def worth(self, bid: Bid | None) -> float:
        """The utility that bids are compared by."""
        if self.info.deadline.rounds is None:
            return self.discounted_utility(bid)
        return self.utility(bid)

    def accepts(self, bid: Bid | None) -> bool:
        """Whether to vote for a bid."""
        return self.worth(bid) >= self.height

    def choose_action(self, allowed: Allowed) -> Action:
        """Vote."""
        if VoteForOfferAcceptance in allowed:
            vote = Vote.ACCEPT if self.accepts(self.proposal) else Vote.REJECT
            return VoteForOfferAcceptance(self.id, vote)
        raise StrategyError(f"{type(self).__name__} cannot {allowed}.")


class GeniusHillClimber(GeniusMediatedHillClimber):
    """The same on undiscounted utilities, but below the discounted reservation value it refuses.

    (Genius's negotiator.parties.HillClimber.)
    """

    name: ClassVar[str] = "genius-hill-climber"
    aliases: ClassVar[tuple[str, ...]] = ("negotiator.parties.HillClimber",)

    def worth(self, bid: Bid | None) -> float:
        """The undiscounted utility."""
        return self.utility(bid)

    def accepts(self, bid: Bid | None) -> bool:
        """Whether to vote for a bid."""
        space = self.utility_space
        least = space.discounted(space.reservation_value, self.time)
        return self.utility(bid) >= least and super().accepts(bid)


class GeniusAnnealer(GeniusHillClimber):
    """Accepts a step down with probability ``exp((utility - height) / t)``.

    So it becomes less particular as time passes. (Genius's negotiator.parties.Annealer. That of
    parties.simplemediator draws without a seed, so no run of it can be repeated.)
    """

    name: ClassVar[str] = "genius-annealer"
    aliases: ClassVar[tuple[str, ...]] = ("negotiator.parties.Annealer",)

    def accepts(self, bid: Bid | None) -> bool:
        """Whether to vote for a bid."""
        space, utility = self.utility_space, self.utility(bid)
        if utility < space.discounted(space.reservation_value, self.time):
            return False
        if utility >= self.height:
            return True
        temperature = self.time
        return self.random.next_double() < math.exp((utility - self.height) / temperature)


class GeniusFeedbackParty(GeniusMediatedHillClimber):
    """Compares a bid with the one before, the first with 0; votes like the hill climber.

    (Genius's parties.simplemediator.FeedbackParty and negotiator.parties.FeedbackHillClimber.)
    """

    name: ClassVar[str] = "genius-feedback-party"
    aliases: ClassVar[tuple[str, ...]] = ("FeedbackParty", "FeedbackHillClimber")
    plays: ClassVar[tuple[str, ...]] = ("simple_mediator", "mediator_feedback")

    _before: float = 0.0

    def choose_action(self, allowed: Allowed) -> Action:
        """Give feedback, or vote."""
        if GiveFeedback not in allowed:
            return super().choose_action(allowed)
        worth = self.worth(self.proposal)
        feedback = Feedback.between(self._before, worth)
        self._before = worth
        return GiveFeedback(self.id, feedback)


class GeniusMajorityVoting(GeniusParty):
    """Puts random bids to the vote and rejects everything, whatever its two names promise.

    What it rejects is the bid of the action that it heard last. (Genius's
    HillClimberMajorityVoting and RandomMajorityVoting; both overwrite their decision.)
    """

    name: ClassVar[str] = "genius-majority-voting"
    aliases: ClassVar[tuple[str, ...]] = ("HillClimberMajorityVoting", "RandomMajorityVoting")
    plays: ClassVar[tuple[str, ...]] = (
        "alternating_multiple_offers",
        "alternating_majority_consensus",
    )

    def choose_action(self, allowed: Allowed) -> Action:
        """Propose or reject."""
        if OfferForVoting in allowed:
            return OfferForVoting(self.id, self.random_bid())
        bid = getattr(self.last_received_action, "bid", None)
        if bid is None:
            raise StrategyError(f"{self.id} has heard no bid that it could reject.")
        return Reject(self.id, bid)
