"""Where events go: a list in memory, with subscribers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from .types import Event

__all__ = ["InMemoryTransport", "Transport"]

_logger = logging.getLogger(__name__)


class Transport(Protocol):
    """What a session writes its events to."""

    def publish(self, event: Event) -> None:
        """Take one event."""
        ...


class InMemoryTransport:
    """Keeps all events, in order, and hands each on to the subscribers.

    Subscribers see everything, private actions included: they are the referee's, not players'. One
    that raises is logged and does not disturb the session or the others.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._subscribers: list[Callable[[Event], None]] = []

    def publish(self, event: Event) -> None:
        """Keep an event and hand it on."""
        self.events.append(event)
        for subscriber in tuple(self._subscribers):
            try:
                subscriber(event)
            except Exception:
                _logger.exception("Subscriber %r failed at %r", subscriber, event)

    def subscribe(self, subscriber: Callable[[Event], None]) -> Callable[[], None]:
        """Hand every further event to a function; what is returned ends that."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)
