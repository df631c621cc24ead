"""Annealer: a hill climber that takes steps down, the smaller and the earlier the more likely."""

from __future__ import annotations

import math
from typing import ClassVar

from genius_py.bid import Bid
from genius_py.parties.hill_climber import HillClimber

__all__ = ["Annealer"]


class Annealer(HillClimber):
    """Takes a step down with probability ``exp((utility - height) / T)``.

    The temperature T is the share of time that is left, so that in the end it is a hill climber.
    It never goes below its reservation value. Klein, Faratin, Sayama and Bar-Yam, "Negotiating
    complex contracts" (2003). (In Genius, T is the share that has passed: see `genius-annealer`.)
    """

    name: ClassVar[str] = "annealer"

    def accepts(self, bid: Bid) -> bool:
        """Whether a bid is no step down, or one that chance allows."""
        utility = self.utility(bid)
        if utility < self.reservation:
            return False
        temperature = 1 - self.time
        if utility >= self.height or temperature <= 0:
            return utility >= self.height
        return float(self.rng.random()) < math.exp((utility - self.height) / temperature)
