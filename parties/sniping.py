"""Sniping: shows what it can pay when it is too late to answer."""

from __future__ import annotations

from typing import ClassVar

from genius_py.errors import OptionError
from genius_py.parties.bidder import Bidder

__all__ = ["Sniping"]


class Sniping(Bidder):
    """Where bids are open it bids no more than it must until the end is near, then its value.

    Where bids are sealed, or the price falls by itself, it bids its value too: there is nothing to
    wait for.

    Args:
        value: see `Bidder`.
        last: the share of the deadline, in [0, 1], that counts as the end; of a deadline in rounds
            the last one belongs to it in any case.
    """

    name: ClassVar[str] = "sniping"

    def __init__(self, value: float | None = None, last: float = 0.05) -> None:
        super().__init__(value)
        if not 0 <= last <= 1:
            raise OptionError(f"last must lie in [0, 1], not {last!r}.")
        self._last = last

    def choose_target(self, limit: float) -> float:
        """The value itself."""
        return limit

    def raise_to(self, least: float, target: float) -> float:
        """The least; at the end, all."""
        is_end = self.info.timeline.rounds_left == 0 or self.time >= 1 - self._last
        return target if is_end else least
