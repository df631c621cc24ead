"""Increment: outbids the others step by step."""

from __future__ import annotations

from typing import ClassVar

from genius_py.errors import OptionError
from genius_py.parties.bidder import Bidder

__all__ = ["Increment"]


class Increment(Bidder):
    """Where bids are open it bids `step` more than it must, up to its value; else its value.

    Args:
        value: see `Bidder`.
        step: how much more, 0 or above; 0 is the straightforward bidder of the English auction.
    """

    name: ClassVar[str] = "increment"

    def __init__(self, value: float | None = None, step: float = 0.0) -> None:
        super().__init__(value)
        if step < 0:
            raise OptionError(f"step must be 0 or more, not {step!r}.")
        self._step = step

    def choose_target(self, limit: float) -> float:
        """The value itself."""
        return limit

    def raise_to(self, least: float, target: float) -> float:
        """A step more than the least; less, where bids go down."""
        return least - self._step if self.sells else least + self._step
