"""A protocol whose rules are a game object: how the engine plays games that users write."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

import attrs

from genius_py.action import Action, Forfeit
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.errors import ActionError, SessionFailure
from genius_py.protocol import Listeners, MultilateralProtocol
from genius_py.protocols.default import listen_to_all
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["HostedGame", "Move"]


@attrs.frozen
class Move(Action):
    """An action of a game whose rules the engine does not know, as JSON text."""

    content: str

    def _deed(self) -> str:
        return f"plays {self.content}"


class Rules(Protocol):
    """What the protocol asks of a game; every `BaseGame` has it."""

    @property
    def game_data(self) -> dict[str, Any]:
        """The state as a plain mapping."""
        ...

    @game_data.setter
    def game_data(self, state: dict[str, Any]) -> None: ...

    def complaint(self, player: str, action: Mapping[str, Any]) -> str:
        """Why a player may not do this now."""
        ...

    def from_action(self, action: Action) -> dict[str, Any]:
        """What a player did."""
        ...

    def process_actions(
        self, actions: Mapping[str, Mapping[str, Any]], game_state: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The state after a round."""
        ...

    def is_game_over(self, game_state: Mapping[str, Any]) -> bool:
        """Whether no further round is to be played."""
        ...

    def calculate_scores(self) -> dict[str, float]:
        """What each player has."""
        ...


class HostedGame(MultilateralProtocol):
    """Each player moves once a round, then the game processes the moves of the round.

    A round ends early when a move is of type "accept". Everybody hears everybody. What is agreed
    is the game's own affair: the payoffs are its scores. A log of such a session can be read but
    not replayed, because it does not hold the game.
    """

    name: ClassVar[str] = "hosted_game"
    actions: ClassVar[tuple[type[Action], ...]] = (Move,)
    parties_range: ClassVar[tuple[int, int | None]] = (1, None)

    def __init__(self) -> None:
        self.hosted: Rules | None = None

    @property
    def game(self) -> Rules:
        """The game that is played.

        Raises:
            SessionFailure: there is none, as in a replay.
        """
        if self.hosted is None:
            raise SessionFailure(
                "The rules of this session were a game object, which its log does not hold; "
                "play it again through the platform's SessionManager."
            )
        return self.hosted

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing is told."""
        self._moves: dict[str, dict[str, Any]] = {}
        self._players = len(parties)
        self._is_closed = True
        self._is_ended = self.game.is_game_over(self.game.game_data)
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """A turn for each; none after an acceptance."""
        self._is_closed = False
        self._moves = {}
        return Round(self._turns(parties))

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        for seat in parties:
            if self._is_closed:
                return
            yield Turn(seat, Allowed(Move))

    def apply_action(self, action: Action, session: Session) -> None:
        """Keep a move that the game allows; process them all when the round is complete."""
        move = self.game.from_action(action)
        if not isinstance(action, Forfeit) and (why := self.game.complaint(action.party, move)):
            raise ActionError(why)
        self._moves[action.party] = move
        if len(self._moves) == self._players or move.get("type") == "accept":
            self._is_closed = True
            self.game.game_data = self.game.process_actions(self._moves, self.game.game_data)

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """When the game says so after a round, or somebody ended it."""
        return self._is_ended or (self._is_closed and self.game.is_game_over(self.game.game_data))

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The state's `agreement`, as JSON text; None while the state tells of none."""
        state = self.game.game_data
        if not state.get("agreement_reached"):
            return None
        return session.domain.bid(deal=json.dumps(state.get("agreement", True), default=str))

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """All when there is an agreement, else 0."""
        return len(parties) if self.game.game_data.get("agreement_reached") else 0

    def end_negotiation(self, reason: str | None = None) -> None:
        """Finish before the next turn."""
        self._is_ended = True

    def after_session(self, session: Session, parties: Sequence[Seat]) -> None:
        """Nothing to tidy up."""

    def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float] | None:
        """The game's scores."""
        return {player: float(s) for player, s in self.game.calculate_scores().items()}
