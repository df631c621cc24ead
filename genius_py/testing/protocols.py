"""Small protocols that use what few protocols use: silence, sealed rounds, and talk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from genius_py.action import Accept, Action, EndNegotiation, Offer, Say
from genius_py.allowed import Allowed, BidOf, FieldRules, OneOf, Text
from genius_py.bid import Bid
from genius_py.protocol import Listeners
from genius_py.protocols.alternating_offers import StackedAlternatingOffersProtocol
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["SealedOffers", "Silence", "SmallTalk"]


class Silence(DefaultMultilateralProtocol):
    """Everybody offers or walks away, nobody hears anything, and nothing is ever agreed."""

    name: ClassVar[str] = "silence"
    aliases: ClassVar[tuple[str, ...]] = ()
    actions: ClassVar[tuple[type[Action], ...]] = (Offer, EndNegotiation)

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn each."""
        allowed = Allowed({Offer: {"bid": BidOf(session.domain)}, EndNegotiation: {}})
        return Round([Turn(seat, allowed) for seat in parties])

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """When somebody has walked away, or it was ended."""
        return self.ended or isinstance(session.most_recent_action, EndNegotiation)


class SealedOffers(Silence):
    """All offer at once, and hear each other's offers afterwards; equal offers are agreed."""

    name: ClassVar[str] = "sealed_offers"

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn each, asked together."""
        return Round(super().get_round_structure(parties, session).turns, sealed=True)

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """When the offers were equal, somebody has walked away, or it was ended."""
        agreed = self.get_current_agreement(session, parties) is not None
        left = any(isinstance(action, EndNegotiation) for action in self._last(session))
        return self.ended or agreed or left

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """What all have offered in the last round."""
        bids = {action.bid for action in self._last(session) if isinstance(action, Offer)}
        is_agreed = self.get_number_of_agreeing_parties(session, parties) == len(parties)
        return bids.pop() if is_agreed else None

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """The most parties that have offered the same in the last round."""
        bids = [action.bid for action in self._last(session) if isinstance(action, Offer)]
        return max(map(bids.count, bids), default=0)

    def _last(self, session: Session) -> list[Action]:
        return session.rounds[-1].actions if session.rounds else []


class SmallTalk(StackedAlternatingOffersProtocol):
    """Alternating offers, in which a party may talk before it acts, to all or to one.

    Who talks has another turn in the same round, but may not talk more than twice.
    """

    name: ClassVar[str] = "small_talk"
    aliases: ClassVar[tuple[str, ...]] = ()
    actions: ClassVar[tuple[type[Action], ...]] = (Say, Accept, Offer, EndNegotiation)

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nobody has talked yet."""
        self._talked = 0
        return super().before_session(session, parties)

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        for turn in super()._turns(parties):
            others = [(seat.id,) for seat in parties if seat is not turn.party]
            talk: FieldRules = {"text": Text(200), "to": OneOf([(), *others])}
            self._talked = 0
            while self._talked < 2:
                said = self._talked
                yield Turn(turn.party, Allowed({Say: talk}, turn.allowed))
                if self._talked == said:
                    break
            else:
                yield turn

    def apply_action(self, action: Action, session: Session) -> None:
        """Talk changes nothing but the right to talk."""
        if isinstance(action, Say):
            self._talked += 1
        else:
            super().apply_action(action, session)
