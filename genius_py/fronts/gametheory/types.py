"""The values of the game layer: events, outcomes, what a player observes, and its errors.

This package stands alone: it imports nothing but the standard library, so that it can be taken
into any agent framework. That is why its errors are not among those of `genius_py.errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict

__all__ = [
    "ACTION",
    "OUTCOME",
    "SCOPES",
    "Action",
    "Event",
    "GameError",
    "InvalidAction",
    "NotResolved",
    "Observation",
    "Outcome",
    "Payoff",
    "Player",
    "Scope",
    "Strategy",
]

Player: TypeAlias = str
Action: TypeAlias = Any
Scope: TypeAlias = Literal["public", "sealed", "private"]
SCOPES: tuple[Scope, ...] = ("public", "sealed", "private")
"""Seen at once; seen when the round is resolved; never seen by another player."""

ACTION = "action"
"""The kind of event in which a player acts."""
OUTCOME = "outcome"
"""The kind of event in which a round is resolved."""


class GameError(Exception):
    """Something about a game, or the way it is played, is impossible."""


class InvalidAction(GameError):
    """A player that is none, an action that the game does not have, or an unknown scope."""


class NotResolved(GameError):
    """What must happen before the round can be resolved has not happened yet."""


@dataclass(frozen=True)
class Event:
    """One line of a session's log.

    For an action, `payload` is the action and `scope` says who may know of it. For an outcome,
    `player` is empty and `payload` is what was paid, by player. `ts` is in seconds since the epoch.
    """

    kind: str
    round: int
    player: Player
    payload: Any
    scope: Scope
    ts: float


@dataclass(frozen=True)
class Outcome:
    """How a round, counted from 0, was resolved: the actions, and what they paid to whom.

    Payoffs may name others than players, such as the payer of a transfer.
    """

    round: int
    actions: dict[Player, Action]
    payoffs: dict[Player, float]


class Observation(TypedDict):
    """What a strategy is told: nothing that its player may not know."""

    round: int
    history: list[Outcome]
    visible_actions: dict[Player, Action]
    self: Player


Payoff: TypeAlias = Callable[[dict[Player, Action]], Mapping[Player, float]]
Strategy: TypeAlias = Callable[[Observation], Action]
