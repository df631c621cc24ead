"""When a session must be over, and how far it has come."""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs

from genius_py.errors import OptionError

__all__ = ["Deadline", "Timeline", "TimelineView"]

_MOST_ROUNDS = 10**15
"""Beyond it, progress would not tell one round from the next."""

_MOST_SECONDS = 1e9
"""Thirty years."""

_LONGEST = 400
"""Digits of a number that is read."""


@attrs.frozen
class Deadline:
    """A limit in rounds, in seconds, or both (whichever comes first).

    N rounds means exactly N rounds. There is no unlimited session.

    >>> print(Deadline(rounds=60), Deadline.parse("30s"))
    60rounds 30s

    Raises:
        OptionError: no limit at all, or one that is not positive.
    """

    rounds: int | None = None
    seconds: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.rounds is None and self.seconds is None:
            raise OptionError("A deadline needs a number of rounds or of seconds.")
        if self.rounds is not None and (
            not isinstance(self.rounds, int) or isinstance(self.rounds, bool) or self.rounds < 1
        ):
            raise OptionError(f"A deadline of {self.rounds!r} rounds is impossible; use 1 or more.")
        if self.rounds is not None and self.rounds > _MOST_ROUNDS:
            raise OptionError(f"A deadline of more than {_MOST_ROUNDS:.0e} rounds never comes.")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise OptionError(f"A deadline of {self.seconds!r} seconds is impossible; use > 0.")
        if self.seconds is not None and self.seconds > _MOST_SECONDS:
            raise OptionError(f"A deadline of more than {_MOST_SECONDS:.0e} seconds never comes.")

    @classmethod
    def parse(cls, text: str | int | Deadline) -> Deadline:
        """Read ``60rounds``, ``60``, ``30s`` or ``60rounds,30s``.

        Raises:
            OptionError: the text says none of these.
        """
        if isinstance(text, Deadline):
            return text
        limits: dict[str, float] = {}
        for part in str(text).split(","):
            match = re.fullmatch(
                r"\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(rounds?|r|seconds?|secs?|s)?\s*",
                part,
                re.IGNORECASE,
            )
            if not match:
                raise OptionError(f"{text!r} is not a deadline; write '60rounds' or '30s'.")
            unit = "seconds" if (match[2] or "r").lower().startswith("s") else "rounds"
            if unit in limits:
                raise OptionError(f"{text!r} says twice how many {unit}; name one number of them.")
            if unit == "rounds" and not match[1].isdecimal():
                raise OptionError(f"{text!r} is not a deadline; rounds are whole numbers.")
            if len(match[1]) > _LONGEST:  # Python reads no whole numbers of thousands of digits
                raise OptionError(f"A deadline of a number of {len(match[1])} digits never comes.")
            limits[unit] = float(match[1]) if unit == "seconds" else int(match[1])
        return cls(**limits)  # type: ignore[arg-type]

    @property
    def in_words(self) -> str:
        """As people read it.

        >>> Deadline.parse("1,2.5s").in_words
        '1 round or 2.5 s'
        """
        parts = [] if self.rounds is None else [f"{self.rounds} round{'s' * (self.rounds > 1)}"]
        parts += [] if self.seconds is None else [f"{self.seconds:g} s"]
        return " or ".join(parts)

    def __str__(self) -> str:
        parts = []
        if self.rounds is not None:
            parts.append(f"{self.rounds}rounds")
        if self.seconds is not None:
            parts.append(f"{repr(float(self.seconds)).removesuffix('.0')}s")
        return ",".join(parts)


class TimelineView:
    """How much of the deadline has passed, as a party may see it.

    `time` is progress in [0, 1]. With a deadline of N rounds it is r / (N + 1) in round r, as in
    Genius: never 0 and never 1 when a party is asked. With seconds it is the share of them that
    has passed, at most 1. With both it is the larger one.

    `round` counts from 1. A party has a view of its own, so that one that writes to it deceives
    only itself.
    """

    __slots__ = ("_rounds", "deadline", "round", "time")

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self._rounds = deadline.rounds
        self.round = 1
        self.time = 0.0 if deadline.rounds is None else 1 / (deadline.rounds + 1)

    def show(self, round_number: int, time: float) -> None:
        """Turn to a round and a time; done by whoever asks the party."""
        self.round, self.time = round_number, time

    @property
    def rounds(self) -> int | None:
        """How many rounds there are, None when only seconds count."""
        return self._rounds

    @property
    def rounds_left(self) -> int | None:
        """How many rounds follow the present one, None when only seconds count."""
        return None if self._rounds is None else self._rounds - self.round


class Timeline(TimelineView):
    """The engine's own view, which it moves by the clock.

    `clock` gives the seconds since the session began; it is only read for a deadline that has
    seconds, and only here. Progress does not run back when the clock does.
    """

    __slots__ = ("_clock", "_elapsed", "_seconds")

    def __init__(self, deadline: Deadline, clock: Callable[[], float]) -> None:
        super().__init__(deadline)
        self._clock = clock
        self._elapsed = 0.0
        self._seconds = deadline.seconds

    def reached(self, round_number: int) -> bool:
        """Look at the clock: is it past the deadline, in this round?

        Progress is brought up to date, but never beyond the last allowed round.
        """
        rounds, seconds = self._rounds, self._seconds
        if rounds is not None and round_number > rounds:
            return True
        self.round = round_number
        time = 0.0 if rounds is None else round_number / (rounds + 1)
        over = False
        if seconds is not None:
            elapsed = self._elapsed = max(self._elapsed, self._clock())
            over = elapsed > seconds
            time = max(time, min(1.0, elapsed / seconds))
        self.time = time
        return over
