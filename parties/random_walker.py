"""Random walker: changes one issue at a time."""

from __future__ import annotations

from typing import ClassVar

from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.domain import random_below

__all__ = ["RandomWalker"]

_TRIES = 100


class RandomWalker(BiddingParty):
    """Walks through the outcome space from its best bid on, one random issue a step.

    It never steps below its reservation value, and accepts what is worth as much as the place it
    would go to. (Genius's agent of that name jumps instead of walking; see ``random``.)
    """

    name: ClassVar[str] = "random-walker"
    _here: Bid | None = None

    def propose(self) -> Bid | None:
        """The next place of the walk; None when even the best bid is not worth having."""
        if self._here is None:
            best = self.ladder.bid(0)
            self._here = best if self.utility(best) >= self.reservation else None
        else:
            self._here = self._step_from(self._here)
        return self._here

    def _step_from(self, here: Bid) -> Bid:
        rng, issues = self.rng, self.domain.issues
        for _ in range(_TRIES):
            place = int(rng.integers(len(issues)))
            value = issues[place].value_at(random_below(issues[place].size, rng))
            there = here.replace(**{issues[place].name: value})
            if there != here and self.utility(there) >= self.reservation:
                return there
        return here
