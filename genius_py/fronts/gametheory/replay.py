"""From a log of events to the outcomes they tell, without playing anything again."""

from __future__ import annotations

from collections.abc import Iterable

from .types import ACTION, OUTCOME, Action, Event, Outcome, Player

__all__ = ["replay"]


def replay(events: Iterable[Event]) -> list[Outcome]:
    """The outcomes of a session, in order.

    A fold: each action takes the place of its player's standing one, each outcome closes over
    those that stand. What was paid is read, not computed. Actions that were never resolved leave
    no trace.
    """
    history: list[Outcome] = []
    standing: dict[Player, Action] = {}
    for event in events:
        if event.kind == ACTION:
            standing[event.player] = event.payload
        elif event.kind == OUTCOME:
            history.append(Outcome(event.round, standing, dict(event.payload)))
            standing = {}
    return history
