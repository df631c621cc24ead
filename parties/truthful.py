"""Truthful: bids what the good is worth to it."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.bidder import Bidder

__all__ = ["Truthful"]


class Truthful(Bidder):
    """Bids its value where bids are sealed, and raises up to that where they are open.

    In the Vickrey auction nothing else is better, whatever the others bid (Vickrey, 1961). Where
    winners pay their own bid it wins nothing by winning.
    """

    name: ClassVar[str] = "truthful"

    def choose_target(self, limit: float) -> float:
        """The value itself."""
        return limit
