"""What a negotiation of the executor is to be: its type, its limits, its numbers."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import attrs

from genius_py.errors import MissingOption, OptionError
from genius_py.fronts.executor.types import NegotiationType

__all__ = ["NegotiationConfig"]


def _duration(given: timedelta | float) -> timedelta:
    return timedelta(seconds=given) if isinstance(given, int | float) else given


@attrs.frozen
class NegotiationConfig:
    """The settings of one negotiation.

    Args:
        type: the kind of negotiation.
        max_rounds: how many rounds there are, 1 or more.
        timeout: the time limit, above 0; a number counts as seconds.
        reservation_value: where parties stop conceding. In auctions it is the reserve price, in a
            contract net the score that a proposal must reach.
        initial_offer: where the first party starts. A negative number means twice the reservation
            value and, in auctions, 100; a contract net has no use for it.
        concession_strategy: what decides each next offer: an object of
            `genius_py.fronts.executor.concession`, or a function of the same parameters.

    Raises:
        MissingOption: type, timeout or strategy is not given.
        OptionError: a setting is impossible.
    """

    type: NegotiationType
    max_rounds: int
    timeout: timedelta = attrs.field(converter=_duration)
    reservation_value: float
    initial_offer: float
    concession_strategy: Any

    def __attrs_post_init__(self) -> None:
        for name in ("type", "timeout", "concession_strategy"):
            if getattr(self, name) is None:
                raise MissingOption(f"A NegotiationConfig needs a {name}.")
        if not isinstance(self.type, NegotiationType):
            raise OptionError(f"type is a NegotiationType, not {self.type!r}.")
        if isinstance(self.max_rounds, bool) or not isinstance(self.max_rounds, int):
            raise OptionError(f"max_rounds is a whole number, not {self.max_rounds!r}.")
        if self.max_rounds < 1:
            raise OptionError(f"max_rounds must be 1 or more, not {self.max_rounds}.")
        if not isinstance(self.timeout, timedelta) or self.timeout <= timedelta(0):
            raise OptionError(f"timeout is a time above 0, not {self.timeout!r}.")
        for name in ("reservation_value", "initial_offer"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not math.isfinite(value):
                raise OptionError(f"{name} must be a finite number, not {value!r}.")
        strategy = self.concession_strategy
        if not callable(strategy) and not callable(getattr(strategy, "next_offer", None)):
            raise OptionError(
                f"concession_strategy must be a function, or have a next_offer, not {strategy!r}."
            )

    @property
    def start(self) -> float:
        """The initial offer, or what a negative one stands for outside auctions."""
        return 2 * self.reservation_value if self.initial_offer < 0 else self.initial_offer
