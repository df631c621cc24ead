"""What asking language models came to, party by party, as a session's log has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self

import attrs

from genius_py.log import Event, Kind

__all__ = ["ModelCounts", "model_counts", "sum_counts"]


@attrs.frozen
class ModelCounts:
    """Counts of one party over a session, or the sum over several.

    Of `replies`, `unreadable` ones held no whole object of the form asked for and `illegal` ones
    an action that was not possible; neither is ever mended. A turn whose first reply was refused
    is one of the `retries`; when that was refused too, one of the `unread_turns`, and one of the
    `fallbacks` when a classical party then played it. `leaks` are messages that told the party's
    own reservation value. All of it follows from the replies: a session that is replayed from a
    cache has the same.
    """

    turns: int = 0
    replies: int = 0
    retries: int = 0
    unreadable: int = 0
    illegal: int = 0
    unread_turns: int = 0
    fallbacks: int = 0
    leaks: int = 0
    prompt_tokens: int = 0
    new_tokens: int = 0

    @property
    def refused(self) -> float | None:
        """The share of replies that did not count; None without replies."""
        return (self.unreadable + self.illegal) / self.replies if self.replies else None

    def __add__(self, other: ModelCounts) -> ModelCounts:
        both = zip(attrs.astuple(self), attrs.astuple(other), strict=True)
        return ModelCounts(*(one + another for one, another in both))

    @classmethod
    def noted(cls, notes: Mapping[str, object]) -> Self:
        """Those that a party wrote down; whatever else it wrote is not looked at."""
        known = {field.name: notes.get(field.name, 0) for field in attrs.fields(cls)}
        return cls(**{name: n if isinstance(n, int) else 0 for name, n in known.items()})

    def __str__(self) -> str:
        told = [
            _counted(self.turns, "turn"),
            f"{self.replies} repl{'y' if self.replies == 1 else 'ies'} "
            f"({self.unreadable} unreadable, {self.illegal} illegal)",
            f"{_counted(self.fallbacks, 'turn')} by the fallback",
            f"{self.prompt_tokens} + {self.new_tokens} tokens",
        ]
        return ", ".join(told + ([_counted(self.leaks, "leak")] if self.leaks else []))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def sum_counts(several: Iterable[ModelCounts]) -> ModelCounts | None:
    """The sum; None of nothing."""
    total: ModelCounts | None = None
    for counts in several:
        total = counts if total is None else total + counts
    return total


def model_counts(log: Iterable[Event]) -> dict[str, ModelCounts]:
    """What each party that asked a model noted at the end of its session, by its id."""
    found: dict[str, ModelCounts] = {}
    for event in log:
        if event.kind == Kind.NOTE and event.party and isinstance(event.detail, Mapping):
            notes = event.detail.get("llm")
            if isinstance(notes, Mapping):
                found[event.party] = ModelCounts.noted(notes)
    return found
