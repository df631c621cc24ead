"""Alternating multiple offers (AMOP): everybody offers, then everybody votes on every offer.

Aydogan, Festen, Hindriks and Jonker, "Alternating offers protocols for multilateral negotiation"
(2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from genius_py.action import Accept, Action, Offer, OfferForVoting, Reject
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.errors import ActionError
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["AlternatingMultipleOffersProtocol"]


class AlternatingMultipleOffersProtocol(DefaultMultilateralProtocol):
    """Rounds of offers and rounds of votes take turns; what all accept is agreed.

    In the first, third, ... round each party puts one offer to the vote. In the round after it
    they vote on the first offer, then on the second, and so on: each time every party, the one
    that made the offer included, accepts or rejects it by name. The first offer that all accept
    is the agreement and ends the session at once. Nobody can walk away. Everybody hears all.

    In a faithful session only the last offer may be named in an `Accept`, whichever is voted on;
    and the highest count of votes is kept for ever, so that as soon as one offer has all votes
    the *first* offer on the table becomes the agreement, in this session and in the next one of
    the same object (Genius 10.4).
    """

    name: ClassVar[str] = "alternating_multiple_offers"
    aliases: ClassVar[tuple[str, ...]] = ("AMOP", "AlternatingMultipleOffersProtocol")
    actions: ClassVar[tuple[type[Action], ...]] = (OfferForVoting, Accept, Reject)
    parties_range: ClassVar[tuple[int, int | None]] = (2, None)

    def __init__(self, finish_round: bool = False) -> None:
        super().__init__(finish_round)
        self._most_votes = 0  # of faithful sessions

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One offer each, or every party's vote on each offer of the round before."""
        any_bid = BidOf(session.domain)
        if session.round_number % 2 == 0:
            propose = Allowed({OfferForVoting: {"bid": any_bid}})
            return Round([Turn(seat, propose) for seat in parties])
        turns = []
        for bid in _offered(session.rounds[-1]):
            named = any_bid if session.faithful else OneOf((bid,))
            vote = Allowed({Accept: {"bid": named}, Reject: {"bid": named}})
            turns += [Turn(voter, vote) for voter in parties]
        return Round(turns)

    def apply_action(self, action: Action, session: Session) -> None:
        """The turn says which offer is voted on; Genius insists on the last one."""
        if not session.faithful:
            return
        if isinstance(action, Accept) and action.bid != self.last_offer is not None:
            raise ActionError(
                f"accepted {action.bid}, but on the table is {self.last_offer}: by Genius's rule "
                f"(`faithful`) only the last offer of a round may be accepted, whichever is voted "
                f"on; without `faithful` each may"
            )
        super().apply_action(action, session)

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else, votes included."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Agreed or ended."""
        agreed = self.get_current_agreement(session, parties) is not None
        return agreed or (self.ended and not session.faithful)

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The first offer that has the votes of all."""
        for bid, votes in self._support(session, parties):
            if session.faithful:
                votes = self._most_votes = max(self._most_votes, votes)
            if votes == len(parties):
                return bid
        return None

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """Votes of the best supported offer on the table; faithful: of any offer ever made."""
        if session.faithful:
            return self._most_votes
        return max((votes for _, votes in self._support(session, parties)), default=0)

    def _support(self, session: Session, parties: Sequence[Seat]) -> list[tuple[Bid, int]]:
        """Each offer that is voted on, in order, with how many parties accepted it so far."""
        if session.round_number == 0 or session.round_number % 2:
            return []
        offers, voting = session.rounds[-2:]
        accepts = [isinstance(vote, Accept) for vote in voting.actions]
        voters = len(parties)
        return [
            (bid, sum(accepts[place * voters : (place + 1) * voters]))
            for place, bid in enumerate(_offered(offers))
        ]


def _offered(round_: Round) -> list[Bid]:
    # A forfeited turn offers nothing, and nothing of it is voted on.
    return [action.bid for action in round_.actions if isinstance(action, Offer)]
