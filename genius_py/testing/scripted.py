"""A party that does what a test tells it, and remembers what it was told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, TypeAlias

from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.party import NegotiationParty
from genius_py.session import Reply

__all__ = ["Move", "ScriptedParty"]

Move: TypeAlias = (
    Action | Reply | BaseException | Callable[[NegotiationParty, Allowed], Action | Reply] | None
)
"""What to do in one turn: this, raise this, or whatever this function says."""


class ScriptedParty(NegotiationParty):
    """Makes its moves in order; the last one repeats for ever.

    `asked` and `heard` keep every turn and every message with its sender, `ended` the agreements
    that it was told (one, when all went well). `deaf` and `ill` are raised when it is told
    something or is prepared, `farewell` is returned (or raised) when the session ends.

    >>> from genius_py.action import EndNegotiation
    >>> print(ScriptedParty(EndNegotiation("ann")).choose_action(Allowed(EndNegotiation)))
    ann walks away
    """

    name: ClassVar[str] = ""

    def __init__(
        self,
        *moves: Move,
        deaf: Exception | None = None,
        ill: Exception | None = None,
        farewell: Mapping[str, object] | Exception | None = None,
    ) -> None:
        self._moves = moves
        self._deaf, self._ill, self._farewell = deaf, ill, farewell
        self.asked: list[Allowed] = []
        self.heard: list[tuple[str | None, Action]] = []
        self.ended: list[Bid | None] = []

    def init(self, info: object) -> None:
        """Be prepared, or fail."""
        super().init(info)  # type: ignore[arg-type]
        if self._ill is not None:
            raise self._ill

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember, or fail."""
        self.heard.append((sender, action))
        if self._deaf is not None:
            raise self._deaf

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """The next move."""
        move = self._moves[min(len(self.asked), len(self._moves) - 1)]
        self.asked.append(allowed)
        if isinstance(move, BaseException):
            raise move
        if callable(move):
            return move(self, allowed)
        return move  # type: ignore[return-value]  # None is how a party fails to answer

    def negotiation_ended(self, agreement: Bid | None) -> Mapping[str, object] | None:
        """Remember the result."""
        self.ended.append(agreement)
        if isinstance(self._farewell, Exception):
            raise self._farewell
        return self._farewell
