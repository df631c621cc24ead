"""Linear concession: the same step of utility in each round."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.concession import ConcessionParty
from genius_py.strategies.concession import linear_concession

__all__ = ["LinearConcession"]


class LinearConcession(ConcessionParty):
    """Gives up an equal share of what is left in each round, down to its reservation value.

    From 1 to 0.5 in ten rounds it asks for 0.95, 0.9, ... 0.5.
    """

    name: ClassVar[str] = "linear-concession"

    def concede(self, round: int, rounds: int, reservation: float) -> float:
        """One step."""
        return linear_concession(round, rounds, reservation, self.current)
