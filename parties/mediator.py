"""What mediators have in common: they know no preferences and draw at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeVar

import numpy as np

from genius_py.bid import Bid
from genius_py.issue import Issue, RealIssue, Value
from genius_py.java import JavaRandom
from genius_py.party import NegotiationInfo, NegotiationParty

__all__ = ["Mediator"]

T = TypeVar("T")


class Mediator(NegotiationParty):
    """The base of mediators: random values, bids and orders.

    In a faithful session the numbers are those of `java.util.Random`, drawn in the original's
    order.
    """

    is_mediator: ClassVar[bool] = True

    def init(self, info: NegotiationInfo) -> None:
        """Seed the random numbers."""
        super().init(info)
        self._chance = self.chance()

    def chance(self) -> JavaRandom | np.random.Generator:
        """Where the random numbers of a session come from; asked once."""
        return JavaRandom(self.info.seed) if self.info.faithful else self.rng

    def draw(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        chance = self._chance
        return chance.next_int(n) if isinstance(chance, JavaRandom) else int(chance.integers(n))

    def draw_share(self) -> float:
        """A number in [0, 1)."""
        chance = self._chance
        return chance.next_double() if isinstance(chance, JavaRandom) else float(chance.random())

    def draw_value(self, issue: Issue) -> Value:
        """A value of an issue; of a real one, a point of its grid."""
        drawn = self.draw(issue.size)
        if self.info.faithful and isinstance(issue, RealIssue):
            # Genius divides by the number of points, so that it never draws the upper bound.
            return issue.lower + (issue.upper - issue.lower) / issue.size * drawn
        return issue.value_at(drawn)

    def draw_bid(self) -> Bid:
        """A bid, drawn issue by issue."""
        return self.domain.bid({issue.name: self.draw_value(issue) for issue in self.domain.issues})

    def in_random_order(self, items: Sequence[T]) -> Iterator[T]:
        """The items, each drawn when it is asked for."""
        left = list(items)
        while left:
            yield left.pop(self.draw(len(left)))
