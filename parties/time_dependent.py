"""Time-dependent concession in utility, compounding or anchored at the first offer."""

from __future__ import annotations

from typing import ClassVar

from genius_py.errors import OptionError
from genius_py.parties.concession import ConcessionParty
from genius_py.strategies.concession import time_dependent_concession

__all__ = ["TimeDependentConcession"]


class TimeDependentConcession(ConcessionParty):
    """Keeps the share ``1 - (round / rounds) ** (1 / e)`` of its distance to the reservation value.

    Args:
        e: speed of concession, 0 or more. The default, 1/2, squares the progress.
        anchored: measure the distance from the best bid, so that the curve is one of time alone,
            as those of ``boulware`` and ``conceder``; else from the last offer, and concessions
            compound.

    Raises:
        OptionError: e is negative.
    """

    name: ClassVar[str] = "time-dependent"

    def __init__(self, e: float = 0.5, anchored: bool = False) -> None:
        if not e >= 0:
            raise OptionError(f"The speed of concession e must be 0 or more, not {e!r}.")
        self.e, self.anchored = e, anchored

    def concede(self, round: int, rounds: int, reservation: float) -> float:
        """One step along the curve."""
        initial = self.ladder.maximum if self.anchored else None
        return time_dependent_concession(round, rounds, reservation, self.current, self.e, initial)
