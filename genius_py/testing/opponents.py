"""Whom parties meet while they are checked."""

from __future__ import annotations

from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.party import NegotiationParty
from genius_py.session import Seat, Turn
from genius_py.testing.legal import Temper, legal_action

__all__ = ["LegalParty"]


class LegalParty(NegotiationParty):
    """Does something legal, drawn at random, under any protocol."""

    def __init__(self, temper: Temper = "any") -> None:
        self._temper: Temper = temper

    def choose_action(self, allowed: Allowed) -> Action:
        """Something that is allowed."""
        return legal_action(Turn(Seat(self.id), allowed), self.rng, self._temper)
