"""The simple mediator protocol: a mediator proposes, the parties vote, the mediator announces.

Klein, Faratin, Sayama and Bar-Yam, "Negotiating complex contracts" (2003).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from genius_py.action import (
    Action,
    InformVotingResult,
    OfferForVoting,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.protocols.mediator import MediatorProtocol, mediator_and_others
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["SimpleMediatorBasedProtocol"]


class SimpleMediatorBasedProtocol(MediatorProtocol):
    """Each round the mediator puts one bid to the vote and announces how the vote came out.

    The search goes on until the deadline; the agreement is the bid that was accepted last. A
    bid is accepted when all vote for it, and the mediator must announce what the votes say.

    In a faithful session the mediator's word is taken, whatever the votes (Genius 10.4).
    """

    name: ClassVar[str] = "simple_mediator"
    aliases: ClassVar[tuple[str, ...]] = ("SimpleMediatorBasedProtocol",)
    actions: ClassVar[tuple[type[Action], ...]] = (
        OfferForVoting,
        VoteForOfferAcceptance,
        InformVotingResult,
    )
    default_mediator: ClassVar[str | None] = "random_flipping_mediator"

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """A proposal, everybody's vote on it, and the announcement."""
        return Round(self._turns(parties, session))

    def _turns(self, parties: Sequence[Seat], session: Session) -> Iterator[Turn]:
        mediator, voters = mediator_and_others(parties)
        any_bid, any_vote = BidOf(session.domain), OneOf(Vote)
        yield Turn(mediator, Allowed({OfferForVoting: {"bid": any_bid}}))
        actions = session.rounds[-1].actions
        proposal = actions[0]
        if not isinstance(proposal, OfferForVoting):
            return  # forfeited: there is nothing to vote on
        vote = Allowed({VoteForOfferAcceptance: {"vote": any_vote}})
        for voter in voters:
            yield Turn(voter, vote)
        truth = OneOf((proposal.bid,)), OneOf((_count(actions[1:]),))
        bid, result = (any_bid, any_vote) if session.faithful else truth
        yield Turn(mediator, Allowed({InformVotingResult: {"bid": bid, "vote": result}}))

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The bid whose acceptance was announced last; later refusals do not undo it."""
        for round_ in reversed(session.rounds):
            for action in round_.actions:
                if isinstance(action, InformVotingResult) and action.vote is Vote.ACCEPT:
                    return action.bid
        return None


def _count(votes: Sequence[Action]) -> Vote:
    in_favour = (
        isinstance(vote, VoteForOfferAcceptance) and vote.vote is Vote.ACCEPT for vote in votes
    )
    return Vote.ACCEPT if all(in_favour) else Vote.REJECT
