"""The random flipping mediator: changes one issue of the last accepted bid at random."""

from __future__ import annotations

from typing import ClassVar

from genius_py.action import (
    Action,
    Forfeit,
    InformVotingResult,
    OfferForVoting,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.parties.mediator import Mediator
from genius_py.party import NegotiationInfo

__all__ = ["RandomFlippingMediator"]


class RandomFlippingMediator(Mediator):
    """Proposes the bid that all accepted last, with another value for one issue.

    Until a bid has been accepted it proposes random ones. A bid is accepted when nobody votes
    against it. Klein, Faratin, Sayama and Bar-Yam, "Negotiating complex contracts" (2003): a
    single text, mutated by a mediator.
    """

    name: ClassVar[str] = "random_flipping_mediator"

    def init(self, info: NegotiationInfo) -> None:
        """Nothing has been proposed yet."""
        super().init(info)
        self._proposed: Bid | None = None
        self._accepted: Bid | None = None
        self._nobody_objects = True

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Take note of votes; who loses the turn has not voted for the bid."""
        if isinstance(action, Forfeit) or (
            isinstance(action, VoteForOfferAcceptance) and action.vote is not Vote.ACCEPT
        ):
            self._nobody_objects = False

    def choose_action(self, allowed: Allowed) -> Action:
        """Propose a bid, or announce how the vote on it came out."""
        if InformVotingResult in allowed and self._proposed is not None:
            vote = Vote.ACCEPT if self._nobody_objects else Vote.REJECT
            return InformVotingResult(self.id, self._proposed, vote)
        if self._nobody_objects:
            self._accepted = self._proposed
        self._nobody_objects = True
        self._proposed = self.draw_bid() if self._accepted is None else self._flip(self._accepted)
        return OfferForVoting(self.id, self._proposed)

    def _flip(self, bid: Bid) -> Bid:
        issues = self.domain.issues
        if self.domain.size == 1:
            return bid  # there is no other
        while True:
            issue = issues[self.draw(len(issues))]
            value = self.draw_value(issue)
            if value != bid[issue.name]:
                return self.domain.bid({**bid, issue.name: value})
