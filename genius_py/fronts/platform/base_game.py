"""What every game of the platform is."""

from __future__ import annotations

import enum
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from genius_py.action import Action, Forfeit
from genius_py.domain import Domain
from genius_py.fronts.platform.hosted import HostedGame, Move
from genius_py.fronts.platform.replies import read_reply
from genius_py.issue import TextIssue
from genius_py.metrics.record import GameResult, PlayerAction
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.session import Session
from genius_py.utility import LinearUtilitySpace

__all__ = ["BaseGame", "GameResult", "GameState", "PlayerAction"]


class GameState(enum.Enum):
    """How far a game has come."""

    WAITING = "waiting"
    ACTIVE = "active"
    COMPLETED = "completed"
    FAILED = "failed"


class BaseGame(ABC):
    """A game that two or more models play; one's own fills in the abstract methods.

    `initialize_game` makes the first state, with `current_round` counted from 1, and processing an
    action brings it up to date. What a player does is a mapping with a `type`.
    """

    def __init__(self, game_id: str, config: Mapping[str, Any] | None = None) -> None:
        self.game_id = game_id
        self.config: dict[str, Any] = dict(config or {})
        self.state = GameState.WAITING
        self.players: list[str] = []
        self._game_data: dict[str, Any] = {}

    @property
    def game_data(self) -> dict[str, Any]:
        """The state as a plain mapping; empty before the game begins."""
        return self._game_data

    @game_data.setter
    def game_data(self, state: dict[str, Any]) -> None:
        self._game_data = state

    @abstractmethod
    def initialize_game(self, players: list[str]) -> dict[str, Any]:
        """Begin; the first state.

        Raises:
            OptionError: the game is not for these players (a `ValueError`).
        """

    @abstractmethod
    def is_valid_action(
        self, player: str, action: Mapping[str, Any], game_state: Mapping[str, Any]
    ) -> bool:
        """Whether a player may do this now."""

    @abstractmethod
    def process_action(self, action: PlayerAction) -> dict[str, Any]:
        """Do one player's action; the state after it."""

    @abstractmethod
    def check_end_conditions(self) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def calculate_scores(self) -> dict[str, float]:
        """What each player has, as things stand."""

    @abstractmethod
    def get_game_prompt(self, player_id: str) -> str:
        """What a player is told when it is its turn."""

    def process_actions(
        self, actions: Mapping[str, Mapping[str, Any]], game_state: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Do what the players of one round did, in their order; the state after the round."""
        number = int(game_state.get("current_round", 1))
        for player, action in actions.items():
            kind = str(action.get("type", "unknown"))
            self.game_data = self.process_action(
                PlayerAction(player, kind, dict(action), 0.0, number)
            )
        return self.game_data

    def is_game_over(self, game_state: Mapping[str, Any]) -> bool:
        """Whether no further round is to be played."""
        return self.check_end_conditions()

    def get_winner(self, game_state: Mapping[str, Any]) -> str | None:
        """Who has the most, if it is anything and nobody has as much."""
        scores = self.calculate_scores()
        best = max(scores.values(), default=0.0)
        leaders = [player for player, score in scores.items() if score == best]
        return leaders[0] if best > 0 and len(leaders) == 1 else None

    # What follows is how the engine plays a game. A game whose rules are a protocol overrides it.

    @property
    def max_rounds(self) -> int:
        """How many rounds there are."""
        return int(self.config.get("max_rounds", self.config.get("rounds", 5)))

    @property
    def protocol_spec(self) -> str:
        """The protocol that holds the rules."""
        return "genius_py.fronts.platform.hosted:HostedGame"

    @property
    def scenario(self) -> Scenario:
        """What is negotiated; here a text that the engine does not read."""
        domain = Domain(self.game_id, [TextIssue("deal", max_length=100_000)])
        nothing = LinearUtilitySpace(domain=domain, coefficients=(0.0,))
        return Scenario(domain, dict.fromkeys(self.players, nothing))

    def role_of(self, player: str) -> str:
        """The role whose profile a player has."""
        return player

    def join(self, protocol: MultilateralProtocol, session: Session) -> None:
        """Let the engine's protocol play this game."""
        if isinstance(protocol, HostedGame):
            protocol.hosted = self

    def read_reply(self, player: str, reply: str | Mapping[str, Any]) -> dict[str, Any]:
        """The action that a model's reply means.

        Raises:
            ActionError: it cannot be read.
        """
        return read_reply(reply)

    def complaint(self, player: str, action: Mapping[str, Any]) -> str:
        """Why a player may not do this now; empty when it may."""
        if self.is_valid_action(player, action, self.game_data):
            return ""
        return f"{json.dumps(dict(action), default=str)} is not possible now"

    def to_action(self, player: str, action: Mapping[str, Any]) -> Action:
        """The engine's action for what a player does."""
        return Move(player, json.dumps(dict(action), default=str))

    def from_action(self, action: Action) -> dict[str, Any]:
        """What a player did, as the platform writes it down."""
        if isinstance(action, Move):
            found: dict[str, Any] = json.loads(action.content)
            return found
        assert isinstance(action, Forfeit)
        return {"type": "noop"}
