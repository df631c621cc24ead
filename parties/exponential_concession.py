"""Exponential concession: little at first, all in the end."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.concession import ConcessionParty
from genius_py.strategies.concession import exponential_concession

__all__ = ["ExponentialConcession"]


class ExponentialConcession(ConcessionParty):
    """Gives up the square of the progress as a share of what is left, down to its reservation."""

    name: ClassVar[str] = "exponential-concession"

    def concede(self, round: int, rounds: int, reservation: float) -> float:
        """One step, which grows with the rounds."""
        return exponential_concession(round, rounds, reservation, self.current)
