"""The platform's session manager: one negotiation of models, played by the engine."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias

from genius_py import manager
from genius_py.errors import OptionError, SessionFailure
from genius_py.fronts.platform.base_game import BaseGame, GameState
from genius_py.fronts.platform.game_config import deadline_of
from genius_py.fronts.platform.game_engine import GameEngine
from genius_py.fronts.platform.model_party import ModelParty
from genius_py.fronts.platform.models import Model, ModelSource, model_of
from genius_py.log import Kind, Reason
from genius_py.metrics.calculator import MetricsCalculator
from genius_py.outcome import Outcome
from genius_py.plan import SeatPlan, SessionPlan

__all__ = ["Player", "SessionManager"]

Player: TypeAlias = str | tuple[str, str | Model]
"""A model's id, or a name with a model or its id."""


class SessionManager:
    """Runs whole negotiations between models and measures what came of them.

    `llm_manager` is a mapping from model id to model (anything that takes a prompt and replies),
    or a manager with ``get_response(prompt, model_id)``. A reply that cannot be read or is against
    the rules is asked for again, up to `max_turn_retries` times; then the player lets the turn go
    by. With ``keep_models=False`` the manager's `unload_model` is called after each session.

    After a session `outcome` is what the engine made of it, log included.
    """

    def __init__(
        self,
        llm_manager: Mapping[str, Model] | ModelSource | None,
        game_engine: GameEngine,
        metrics_calculator: MetricsCalculator,
        *,
        max_turn_retries: int = 3,
        logger: logging.Logger | None = None,
        keep_models: bool = True,
    ) -> None:
        self.llm_manager = llm_manager
        self.game_engine = game_engine
        self.metrics_calculator = metrics_calculator
        self.max_turn_retries = max_turn_retries
        self.logger = logger or logging.getLogger(type(self).__name__)
        self.keep_models = keep_models
        self.outcome: Outcome | None = None

    def run_negotiation(
        self,
        *,
        game_type: str,
        players: Sequence[Player],
        game_config: Mapping[str, Any] | None = None,
        session_id: str | None = None,
        seed_messages: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Play one game to its end.

        `players` move in their order; an id that comes twice plays twice, as ``id`` and ``id#2``.
        `seed_messages` are put before each prompt of a player, by its name or its model's id.

        The result is the game's final state with `actions_history` (a list of ``{"round": r,
        "actions": {player: action}}``), `metrics` (metric -> player -> number),
        `llm_model_mapping` (player -> model id) and `session_metadata`.

        Raises:
            OptionError: the game, a model or the players are wrong (a `ValueError`).
            SessionFailure: the session cannot go on (a `RuntimeError`).
        """
        session_id = session_id or str(uuid.uuid4())
        started = datetime.now(UTC).isoformat(timespec="seconds")
        seated = _seated(players)
        models = {name: model_of(self.llm_manager, model) for name, model in seated.items()}
        game = self.game_engine.create_game(game_type, game_config)
        if not callable(getattr(game, "get_game_prompt", None)):
            raise SessionFailure(
                f"Game {game_type!r} has no get_game_prompt, so no player can be asked."
            )
        state = game.initialize_game(list(seated))
        prompts = _prompts(seed_messages, seated)
        if prompts:
            state["system_prompts"] = prompts
        game.game_data = state
        self.logger.info("[%s] %s: %s", session_id, game_type, ", ".join(seated))
        try:
            outcome = self._play(game, models, prompts)
        finally:
            self._unload(seated.values())
        state = game.game_data
        history = _history(game, outcome)
        return {
            **state,
            "actions_history": history,
            "metrics": self.metrics_calculator.calculate_all(state, history, outcome=outcome),
            "llm_model_mapping": {name: _model_name(model) for name, model in seated.items()},
            "session_metadata": {
                "session_id": session_id,
                "game_type": game_type,
                "players": list(seated),
                "timestamp_utc": started,
                "faults": [str(fault) for fault in outcome.faults],
            },
        }

    def _play(
        self, game: BaseGame, models: Mapping[str, Model], prompts: Mapping[str, str]
    ) -> Outcome:
        plan = SessionPlan(
            protocol=game.protocol_spec,
            scenario=game.scenario,
            seats=[SeatPlan(name, game.role_of(name), "model") for name in models],
            deadline=deadline_of({**game.config, "max_rounds": game.max_rounds}),
            seed=int(game.config.get("seed", 0)),
            retries=self.max_turn_retries,
            on_fault="forfeit",
        )
        makers = {
            name: partial(ModelParty, game, name, model, prompts.get(name, ""))
            for name, model in models.items()
        }
        table = manager.SessionManager(plan, makers)
        game.join(table.protocol, table.session)
        self.outcome = outcome = table.run()
        if outcome.reason is Reason.FAULT:
            game.state = GameState.FAILED
            raise SessionFailure(f"The session failed. {outcome.faults[-1]}.")
        game.state = GameState.COMPLETED
        return outcome

    def _unload(self, models: Iterable[str | Model]) -> None:
        unload = getattr(self.llm_manager, "unload_model", None)
        if not self.keep_models and unload is not None:
            for model in dict.fromkeys(model for model in models if isinstance(model, str)):
                unload(model)


def _seated(players: Sequence[Player]) -> dict[str, str | Model]:
    """Each player's name and model, in order; a name that comes again gets a number."""
    seated: dict[str, str | Model] = {}
    for player in players:
        name, model = player if isinstance(player, tuple) else (player, player)
        if not isinstance(name, str) or not name:
            raise OptionError(f"A player is a model's id or (name, model), not {player!r}.")
        unique, number = name, 1
        while unique in seated:
            number += 1
            unique = f"{name}#{number}"
        seated[unique] = model
    return seated


def _prompts(
    seed_messages: Mapping[str, str] | None, seated: Mapping[str, str | Model]
) -> dict[str, str]:
    messages = seed_messages or {}
    found = {}
    for name, model in seated.items():
        message = messages.get(name, messages.get(model) if isinstance(model, str) else None)
        if message:
            found[name] = message
    return found


def _model_name(model: str | Model) -> str:
    return model if isinstance(model, str) else getattr(model, "__name__", type(model).__name__)


def _history(game: BaseGame, outcome: Outcome) -> list[dict[str, Any]]:
    """What was done in each round, in the words of the game."""
    rounds: dict[int, dict[str, Any]] = {}
    for event in outcome.log:
        if event.kind == Kind.ACTION and event.action is not None:
            done = game.from_action(event.action)
            if event.action.message:
                done = {**done, "message": event.action.message}
            rounds.setdefault(event.round, {})[event.party] = done
    return [{"round": number, "actions": actions} for number, actions in rounds.items()]
