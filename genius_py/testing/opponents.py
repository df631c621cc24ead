"""Whom parties meet while they are checked, and a game in which nobody hears anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from genius_py.action import Action, EndNegotiation, Offer
from genius_py.allowed import Allowed, BidOf
from genius_py.party import NegotiationParty
from genius_py.protocols.default import DefaultMultilateralProtocol
from genius_py.session import Round, Seat, Session, Turn
from genius_py.testing.legal import Temper, legal_action

__all__ = ["LegalParty", "Silence"]


class LegalParty(NegotiationParty):
    """Does something legal, drawn at random, under any protocol."""

    def __init__(self, temper: Temper = "any") -> None:
        self._temper: Temper = temper

    def choose_action(self, allowed: Allowed) -> Action:
        """Something that is allowed."""
        return legal_action(Turn(Seat(self.id), allowed), self.rng, self._temper)


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
