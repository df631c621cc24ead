"""Price conceder: moves a number, such as a price, step by step to where it would stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import ClassVar

from genius_py.action import Accept, Action, EndNegotiation, Offer, Reject
from genius_py.allowed import Allowed, Number
from genius_py.errors import DomainError, OptionError, StrategyError
from genius_py.issue import IntegerIssue, RealIssue
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocols.monotonic_concession import Position
from genius_py.strategies.auction_bids import break_even
from genius_py.strategies.concession import (
    exponential_concession,
    last_concession,
    linear_concession,
    time_dependent_concession,
    tit_for_tat_concession,
)

__all__ = ["PriceConceder"]

_STRATEGIES: Mapping[str, Callable[[int, int, float, float], float]] = {
    "linear": linear_concession,
    "exponential": exponential_concession,
    "time_dependent": time_dependent_concession,
}

_STEPS = 1000
"""Steps in which a deadline in seconds is counted."""


class PriceConceder(NegotiationParty):
    """Concedes from the number it likes best to the worst that it would settle for.

    The strategies are those of `genius_py.strategies.concession`, applied to the number itself
    rather than to its utility. It accepts what is as good as its own position.

    Args:
        strategy: ``linear``, ``exponential``, ``time_dependent`` or ``tit_for_tat``.
        initial: where it starts; the end of the range that its profile likes best unless given.
        reservation: where it stops; what its profile finds just worth it unless given.
    """

    name: ClassVar[str] = "price_conceder"
    plays: ClassVar[tuple[str, ...]] = ("monotonic_concession",)

    sells: bool
    """Whether higher numbers are better for it."""

    current: float
    """Its position: what it offered last, or will start from."""

    reservation: float
    """Where it stops."""

    def __init__(
        self,
        strategy: str = "linear",
        initial: float | None = None,
        reservation: float | None = None,
    ) -> None:
        if strategy.replace("-", "_") not in (*_STRATEGIES, "tit_for_tat"):
            raise OptionError(
                f"strategy is one of {', '.join(_STRATEGIES)} and tit_for_tat, not {strategy!r}."
            )
        self._strategy = strategy.replace("-", "_")
        self._initial, self._reservation = initial, reservation
        self.heard: dict[str, list[float]] = {}
        """What each of the others has offered, oldest first."""

    def init(self, info: NegotiationInfo) -> None:
        """Look up start and end in the profile."""
        super().init(info)
        issue = info.domain.issues[0]
        if len(info.domain.issues) != 1 or not isinstance(issue, IntegerIssue | RealIssue):
            raise DomainError(
                f"{info.agent_id} concedes a single number, but domain {info.domain.name!r} is "
                f"about {', '.join(info.domain.issue_names)}."
            )
        self._issue: IntegerIssue | RealIssue = issue
        low, high = issue.lower, issue.upper
        self.sells = self._worth(high) > self._worth(low)
        best, worst = (high, low) if self.sells else (low, high)
        self.current = best if self._initial is None else self._initial
        self.reservation = self._stop(best, worst)

    def _worth(self, number: float) -> float:
        return self.utility_space.utility(self.domain.bid({self._issue.name: number}))

    def _stop(self, best: float, worst: float) -> float:
        if self._reservation is not None:
            return self._reservation
        floor = self.utility_space.reservation_value
        whole = isinstance(self._issue, IntegerIssue)
        stop = break_even(lambda number: self._worth(number) >= floor, best, worst, whole=whole)
        return best if stop is None else stop

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember what the others offer."""
        number: object = None
        if isinstance(action, Position):
            number = action.value
        elif isinstance(action, Offer):
            number = action.bid[self._issue.name]
        if isinstance(number, int | float):
            self.heard.setdefault(action.party, []).append(number)

    def choose_action(self, allowed: Allowed) -> Action:
        """Accept what is good enough, else concede."""
        bid = self.info.domain.bid
        if Accept in allowed:
            number = self.heard[next(iter(self.heard))][-1]
            offered = bid({self._issue.name: number})
            if self.is_good(number):
                return Accept(self.id, offered)
            if Reject in allowed:
                return Reject(self.id, offered)
        if Position in allowed:
            rule = allowed[Position]["value"]
            assert isinstance(rule, Number)
            self.current = min(max(self.position(rule), rule.minimum), rule.maximum)
            return Position(self.id, self.current)
        if Offer in allowed:
            self.current = self._next()
            return Offer(self.id, bid({self._issue.name: self.current}))
        if EndNegotiation in allowed:
            return EndNegotiation(self.id)
        raise StrategyError(f"A price conceder cannot {allowed}.")

    def position(self, rule: Number) -> float:
        """Where to stand next: the next step or, where the others' numbers all do, the middle."""
        own = self._next()
        if self.heard and all(self._is_as_good(heard[-1], own) for heard in self.heard.values()):
            middle = (rule.minimum + rule.maximum) / 2
            return self._rounded(middle)
        return own

    def is_good(self, number: float) -> bool:
        """Whether a number is at least as good as its own position."""
        return self._is_as_good(number, self.current)

    def _is_as_good(self, number: float, other: float) -> bool:
        return number >= other if self.sells else number <= other

    def _next(self) -> float:
        timeline = self.info.timeline
        round_number, rounds = timeline.round, timeline.rounds
        if rounds is None:
            round_number, rounds = max(1, math.ceil(timeline.time * _STEPS)), _STEPS
        return self._rounded(self.concede(round_number, rounds))

    def _rounded(self, number: float) -> float:
        """A number of the issue that is no worse for itself."""
        if not isinstance(self._issue, IntegerIssue):
            return number
        return math.ceil(number) if self.sells else math.floor(number)

    def concede(self, round_number: int, rounds: int) -> float:
        """The next position, in a round counted from 1."""
        if self._strategy == "tit_for_tat":
            given = [last_concession(heard, self.current) for heard in self.heard.values()]
            least = min((g for g in given if not math.isnan(g)), default=math.nan)
            return tit_for_tat_concession(
                round_number, rounds, self.reservation, self.current, least
            )
        return _STRATEGIES[self._strategy](round_number, rounds, self.reservation, self.current)
