"""A mediator that only has to say what it would propose, and serves every protocol with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeVar

import numpy as np

from genius_py.action import (
    Action,
    Feedback,
    Forfeit,
    GiveFeedback,
    InformVotingResult,
    OfferForFeedback,
    OfferForVoting,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.errors import StrategyError
from genius_py.issue import Issue, RealIssue, Value
from genius_py.java import JavaRandom
from genius_py.party import NegotiationInfo, NegotiationParty

__all__ = ["Mediator"]

T = TypeVar("T")


class Mediator(NegotiationParty):
    """Override `propose`; it knows nobody's preferences and draws at random.

    Votes and feedback are opinions alike: a vote for a bid finds it better, one against it worse.
    In a faithful session the random numbers are those of `java.util.Random`, to be drawn in the
    original's order.
    """

    is_mediator: ClassVar[bool] = True

    proposed: Bid | None = None
    """The bid that it proposed last."""

    def init(self, info: NegotiationInfo) -> None:
        """Seed the random numbers; to prepare more, override and call super."""
        super().init(info)
        self.opinions: dict[str, Feedback] = {}
        self._chance = self.chance()

    def propose(self) -> Bid:
        """The next bid; `proposed` and `opinions` are still those of the one before."""
        raise NotImplementedError(f"{type(self).__name__} must override propose")

    @property
    def nobody_objects(self) -> bool:
        """Whether nobody found the last proposal worse or voted against it."""
        return Feedback.WORSE not in self.opinions.values()

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Take note of an opinion; who loses the turn has not consented."""
        if sender is None:
            return
        if isinstance(action, GiveFeedback):
            self.opinions[sender] = action.feedback
        elif isinstance(action, VoteForOfferAcceptance):
            in_favour = action.vote is Vote.ACCEPT
            self.opinions[sender] = Feedback.BETTER if in_favour else Feedback.WORSE
        elif isinstance(action, Forfeit):
            self.opinions[sender] = Feedback.WORSE

    def choose_action(self, allowed: Allowed) -> Action:
        """Propose a bid, or announce how the vote on it came out."""
        if InformVotingResult in allowed and self.proposed is not None:
            vote = Vote.ACCEPT if self.nobody_objects else Vote.REJECT
            return InformVotingResult(self.id, self.proposed, vote)
        for kind in (OfferForVoting, OfferForFeedback):
            if kind in allowed:
                self.proposed = self.propose()
                self.opinions = {}
                return kind(self.id, self.proposed)
        raise StrategyError(
            f"A mediator cannot {allowed}: it only proposes bids and announces votes; "
            f"override choose_action."
        )

    def chance(self) -> JavaRandom | np.random.Generator:
        """Where the random numbers of a session come from; asked once."""
        return JavaRandom(self.info.seed) if self.info.faithful else self.rng

    def draw(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        chance = self._chance
        return chance.next_int(n) if isinstance(chance, JavaRandom) else int(chance.integers(n))

    def draw_share(self) -> float:
        """A number in [0, 1)."""
        chance = self._chance
        return chance.next_double() if isinstance(chance, JavaRandom) else float(chance.random())

    def draw_value(self, issue: Issue) -> Value:
        """A value of an issue; of a real one, a point of its grid."""
        drawn = self.draw(issue.size)
        if self.info.faithful and isinstance(issue, RealIssue):
            # Genius divides by the number of points, so that it never draws the upper bound.
            return issue.lower + (issue.upper - issue.lower) / issue.size * drawn
        return issue.value_at(drawn)

    def draw_bid(self) -> Bid:
        """A bid, drawn issue by issue."""
        return self.domain.bid({issue.name: self.draw_value(issue) for issue in self.domain.issues})

    def in_random_order(self, items: Sequence[T]) -> Iterator[T]:
        """The items, each drawn when it is asked for."""
        left = list(items)
        while left:
            yield left.pop(self.draw(len(left)))
