"""The mediator feedback protocol: a mediator proposes, the parties say better, same or worse.

Aydogan, Hindriks and Jonker, "Multilateral mediated negotiation protocols with feedback" (2014).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from genius_py.action import Action, Feedback, GiveFeedback, OfferForFeedback
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.protocols.mediator import MediatorProtocol, mediator_and_others
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["MediatorFeedbackBasedProtocol"]


class MediatorFeedbackBasedProtocol(MediatorProtocol):
    """Each round the mediator proposes a bid, which everybody compares with the one before.

    The search goes on until the deadline; the agreement is the last bid that nobody found worse.
    Only rounds in which all have spoken count, and who forfeits the turn has not consented.

    In a faithful session a bid counts as agreed from the moment it is proposed until somebody
    finds it worse (Genius 10.4).
    """

    name: ClassVar[str] = "mediator_feedback"
    aliases: ClassVar[tuple[str, ...]] = ("MediatorFeedbackBasedProtocol",)
    actions: ClassVar[tuple[type[Action], ...]] = (OfferForFeedback, GiveFeedback)
    default_mediator: ClassVar[str | None] = "feedback_mediator"

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """A proposal and everybody's feedback on it."""
        return Round(self._turns(parties, session))

    def _turns(self, parties: Sequence[Seat], session: Session) -> Iterator[Turn]:
        mediator, others = mediator_and_others(parties)
        yield Turn(mediator, Allowed({OfferForFeedback: {"bid": BidOf(session.domain)}}))
        if not isinstance(session.rounds[-1].actions[0], OfferForFeedback):
            return  # forfeited: there is nothing to judge
        judge = Allowed({GiveFeedback: {"feedback": OneOf(Feedback)}})
        for seat in others:
            yield Turn(seat, judge)

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The last bid that nobody found worse."""
        judges = sum(not seat.is_mediator for seat in parties)
        for round_ in reversed(session.rounds):
            if not round_.actions:
                continue
            proposal, *feedback = round_.actions
            if not isinstance(proposal, OfferForFeedback):
                continue
            if len(feedback) < judges and not session.faithful:
                continue
            if all(_is_consent(action) for action in feedback):
                return proposal.bid
        return None


def _is_consent(action: Action) -> bool:
    return isinstance(action, GiveFeedback) and action.feedback is not Feedback.WORSE
