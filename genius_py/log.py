"""The event log of a session: what happened, in order, and who may know of it."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, overload

import attrs

from genius_py.action import Action
from genius_py.bid import Bid

__all__ = ["Ending", "Event", "History", "Kind", "Log", "Reason", "Standing"]


class Kind:
    """The kinds of event."""

    INFORM = "inform"
    """The protocol told a party something before the session began."""
    ACTION = "action"
    """A turn was done."""
    FAULT = "fault"
    """A party failed, or its action was refused; `detail` is the `Fault`."""
    NOTE = "note"
    """A party's private notes; `detail` is a mapping."""
    STANDING = "standing"
    """In faithful sessions, what the protocol called the agreement after a turn (it is asked
    because some originals change when they are); `detail` is a `Standing`."""
    END = "end"
    """The session is over; `detail` is its `Ending`."""


class Reason(enum.Enum):
    """Why a session ended."""

    AGREEMENT = "agreement"
    DEADLINE = "deadline"
    WALKAWAY = "walkaway"
    FAULT = "fault"
    ENDED = "ended"


@attrs.frozen
class Standing:
    """The agreement as things stood at some moment, and how many parties backed it."""

    agreement: Bid | None
    agreeing_parties: int


@attrs.frozen
class Ending:
    """How a session ended, as far as its rules know.

    `detail` is the protocol's own word for it; `rounds` are those that count; `payoffs` are what
    the rules give each party, None when the profiles decide.
    """

    agreement: Bid | None
    reason: Reason
    detail: str
    agreeing_parties: int
    rounds: int
    payoffs: Mapping[str, float] | None = None


class Event(NamedTuple):
    """One line of the log; a tuple, because thousands are made in a second.

    `round` and `turn` count from 1 (0: before the first); `time` is progress in [0, 1]; `party`
    is the id of who acted or failed, empty for the protocol itself. `audience` holds the ids of
    all who may know of the event, besides `party`.
    """

    kind: str
    round: int
    turn: int
    time: float
    party: str
    action: Action | None
    audience: tuple[str, ...]
    detail: object = None

    @property
    def sender(self) -> str | None:
        """Who is heard: the acting party's id, None when the protocol itself speaks."""
        return self.party or None

    def is_visible_to(self, party: str) -> bool:
        """Whether the party with this id may know of the event."""
        return party == self.party or party in self.audience

    def __str__(self) -> str:
        if self.action is not None:
            what = str(self.action)
        elif self.kind == Kind.NOTE:
            what = f"{self.party} notes {self.detail}"
        elif isinstance(self.detail, Ending):
            agreed = self.detail.agreement
            what = self.detail.reason.value + ("" if agreed is None else f": {agreed}")
        else:
            what = f"{self.kind}: {self.detail}"
        return f"round {self.round}, turn {self.turn}: {what}"


class Log(Sequence[Event]):
    """All events of one session; the engine appends, everybody else reads."""

    __slots__ = ("_events", "append")

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self._events = list(events)
        self.append = self._events.append

    def seen_by(self, party: str) -> History:
        """The live view of what one party may know."""
        return History(self, party)

    @property
    def actions(self) -> list[Action]:
        """The actions of all done turns, in order."""
        return [e.action for e in self._events if e.kind == Kind.ACTION and e.action is not None]

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> list[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | list[Event]:
        return self._events[place]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __len__(self) -> int:
        return len(self._events)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Log) and self._events == other._events

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return Log, (self._events,)

    def __repr__(self) -> str:
        return f"<Log of {len(self)} events>"


class History(Sequence[Event]):
    """The part of a log that one party may know, oldest first; it grows as the session does."""

    __slots__ = ("_log", "_party", "_read", "_visible")

    def __init__(self, log: Log, party: str) -> None:
        self._log = log
        self._party = party
        self._visible: list[Event] = []
        self._read = 0

    def _refreshed(self) -> list[Event]:
        # Each event is looked at once, so reading the history every turn stays linear.
        if self._read < len(self._log):
            party = self._party
            new = self._log[self._read :]
            self._visible.extend(event for event in new if event.is_visible_to(party))
            self._read += len(new)
        return self._visible

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> list[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | list[Event]:
        return self._refreshed()[place]

    def __len__(self) -> int:
        return len(self._refreshed())

    def __repr__(self) -> str:
        return f"<History of {self._party}: {len(self)} events>"
