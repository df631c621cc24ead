"""The session manager: statements S0.100 to S0.107, and S0.134 as far as results go."""

import inspect
import json
import logging
import re
import uuid
from collections.abc import Mapping
from typing import Any

import pytest

from genius_py import replay
from genius_py.fronts.platform import (
    BaseGame,
    CompanyCarGame,
    GameEngine,
    MetricsCalculator,
    PlayerAction,
    SessionManager,
)
from tests.spec.platform_games import ACCEPT, NOOP, Script, play, price, session


def test_s0_100_the_signatures_of_the_seed() -> None:
    made = inspect.signature(SessionManager)
    assert list(made.parameters)[:5] == [
        "llm_manager",
        "game_engine",
        "metrics_calculator",
        "max_turn_retries",
        "logger",
    ]
    assert made.parameters["max_turn_retries"].kind is inspect.Parameter.KEYWORD_ONLY
    assert made.parameters["max_turn_retries"].default == 3
    run = inspect.signature(SessionManager.run_negotiation)
    keywords = {
        name: parameter.default
        for name, parameter in run.parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert list(keywords) == ["game_type", "players", "game_config", "session_id", "seed_messages"]
    assert [v for v in keywords.values() if v is not inspect.Parameter.empty] == [None] * 3


def test_s0_101_the_result_holds_state_history_metrics_and_metadata() -> None:
    result = play([price(39000)], [ACCEPT])
    assert result["agreed_price"] == 39000
    assert result["actions_history"] == [{"round": 1, "actions": {"b": price(39000), "s": ACCEPT}}]
    assert set(result["metrics"]) == {
        "utility_surplus",
        "risk_minimization",
        "deadline_sensitivity",
        "feasibility",
    }
    assert result["metrics"]["utility_surplus"] == {"b": 2000, "s": 0}
    assert result["llm_model_mapping"] == {"b": "b", "s": "s"}
    metadata = result["session_metadata"]
    assert metadata["game_type"] == "company_car"
    assert metadata["players"] == ["b", "s"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", metadata["timestamp_utc"])
    assert json.loads(json.dumps(result)) == result


def test_s0_102_a_session_has_an_id_of_its_own_or_the_one_that_is_given() -> None:
    models = {"b": Script(NOOP), "s": Script(NOOP)}

    def identity(session_id: str | None = None) -> str:
        result = session(models).run_negotiation(
            game_type="company_car", players=["b", "s"], session_id=session_id
        )
        found: str = result["session_metadata"]["session_id"]
        return found

    assert uuid.UUID(identity()).version == 4
    assert identity() != identity()
    assert identity("mine") == "mine"


def test_s0_103_players_move_in_list_order_and_see_earlier_moves() -> None:
    first, second = Script(price(38123)), Script(price(42321))
    session({"b": first, "s": second}).run_negotiation(
        game_type="company_car", players=["b", "s"], game_config={"max_rounds": 2}
    )
    assert "38123" in second.prompts[0]
    assert "42321" not in first.prompts[0]
    assert "42321" in first.prompts[1]


@pytest.mark.parametrize("order", ["alternate", "shuffle"])
def test_s0_103_other_orders_are_options_and_repeatable(order: str) -> None:
    def starters(seed: int) -> str:
        result = play([NOOP], [NOOP], max_rounds=8, turn_order=order, seed=seed)
        return "".join(next(iter(entry["actions"])) for entry in result["actions_history"])

    assert starters(1) == starters(1)
    if order == "alternate":
        assert starters(1) == "bsbsbsbs"
    else:
        assert len({starters(seed) for seed in range(5)}) > 1


def test_s0_104_seed_messages_are_put_before_the_prompts() -> None:
    first, second = Script(NOOP), Script(NOOP)
    result = session({"b": first, "s": second}).run_negotiation(
        game_type="company_car", players=["b", "s"], seed_messages={"b": "Be tough."}
    )
    assert all(prompt.startswith("Be tough.\n\nYou are ROLE A") for prompt in first.prompts)
    assert all(prompt.startswith("You are ROLE B") for prompt in second.prompts)
    assert result["system_prompts"] == {"b": "Be tough."}


@pytest.mark.parametrize(
    ("game", "players"),
    [("chess", ["b", "s"]), ("company_car", ["b"]), ("company_car", ["b", "s", "b"])],
)
def test_s0_105_a_wrong_game_or_number_of_players_is_a_value_error(
    game: str, players: list[str]
) -> None:
    models = {"b": Script(NOOP), "s": Script(NOOP)}
    with pytest.raises(ValueError, match=r"registered|exactly two"):
        session(models).run_negotiation(game_type=game, players=players)


def test_s0_105_an_unknown_model_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="'nobody'"):
        session({"b": Script(NOOP)}).run_negotiation(
            game_type="company_car", players=["b", "nobody"]
        )


def test_s0_105_a_model_that_cannot_be_reached_is_a_runtime_error() -> None:
    def broken(prompt: str) -> str:
        raise ConnectionError("server down")

    manager = session({"b": broken, "s": Script(NOOP)})
    with pytest.raises(RuntimeError, match="server down"):
        manager.run_negotiation(game_type="company_car", players=["b", "s"])


def test_s0_105_a_game_without_prompts_is_a_runtime_error() -> None:
    class Mute(CompanyCarGame):
        get_game_prompt = None  # type: ignore[assignment]

    engine = GameEngine()
    engine.register_game_type("company_car", Mute, replace=True)
    manager = SessionManager({"b": Script(NOOP), "s": Script(NOOP)}, engine, MetricsCalculator())
    with pytest.raises(RuntimeError, match="get_game_prompt"):
        manager.run_negotiation(game_type="company_car", players=["b", "s"])


class Manager:
    """What the language models' manager has, as far as a session needs it."""

    def __init__(self) -> None:
        self.models = {"b": None, "s": None}
        self.unloaded: list[str] = []

    def get_response(self, prompt: str, model_id: str | None = None, **kwargs: Any) -> str:
        return '{"type": "offer", "price": 40000}' if model_id == "b" else '{"type": "accept"}'

    def unload_model(self, model_id: str) -> None:
        self.unloaded.append(model_id)


def test_s0_106_models_stay_loaded_unless_they_are_not_to_be_kept() -> None:
    kept, dropped = Manager(), Manager()
    for models, keep in ((kept, True), (dropped, False)):
        manager = SessionManager(models, GameEngine(), MetricsCalculator(), keep_models=keep)
        result = manager.run_negotiation(game_type="company_car", players=[("ann", "b"), "s"])
        assert result["agreed_price"] == 40000
    assert kept.unloaded == []
    assert dropped.unloaded == ["b", "s"]
    with pytest.raises(ValueError, match="nobody"):
        SessionManager(kept, GameEngine(), MetricsCalculator()).run_negotiation(
            game_type="company_car", players=["b", "nobody"]
        )


def test_s0_107_players_are_ids_and_the_same_model_may_play_itself() -> None:
    model = Script(price(40000))
    result = session({"m": model}).run_negotiation(game_type="company_car", players=["m", "m"])
    assert result["players"] == ["m", "m#2"]
    assert result["final_utilities"] == {"m": 42000, "m#2": 40000}
    assert result["llm_model_mapping"] == {"m": "m", "m#2": "m"}
    assert len(model.prompts) == 2


def test_s0_107_players_may_have_names_besides_their_models() -> None:
    model = Script(price(40000))
    result = session({"m": model}).run_negotiation(
        game_type="company_car", players=[("ann", "m"), ("bob", model)]
    )
    assert result["players"] == ["ann", "bob"]
    assert result["llm_model_mapping"] == {"ann": "m", "bob": "Script"}
    with pytest.raises(ValueError, match="A player is"):
        session({"m": model}).run_negotiation(game_type="company_car", players=["m", 7])  # type: ignore[list-item]


def test_s0_134_the_keys_at_the_top_of_a_result() -> None:
    result = play([price(39000)], [ACCEPT])
    expected = {
        "game_type": "company_car",
        "players": ["b", "s"],
        "agreement_reached": True,
        "final_utilities": {"b": 43000, "s": 39000},
        "current_round": 1,
    }
    assert {key: result[key] for key in expected} == expected
    assert {"actions_history", "metrics", "session_metadata"} <= set(result)


def test_s0_132_the_session_manager_keeps_what_it_was_made_with() -> None:
    models, engine, metrics = {"b": Script(NOOP)}, GameEngine(), MetricsCalculator()
    logger = logging.getLogger("mine")
    manager = SessionManager(models, engine, metrics, max_turn_retries=7, logger=logger)
    assert manager.llm_manager is models
    assert manager.game_engine is engine
    assert manager.metrics_calculator is metrics
    assert manager.max_turn_retries == 7
    assert manager.logger is logger
    assert set(engine.registered_games) == set(engine.get_available_games())
    assert isinstance(engine.logger, logging.Logger)


@pytest.mark.parametrize("game", ["company_car", "resource_allocation", "integrative_negotiations"])
def test_every_session_of_the_games_can_be_replayed(game: str) -> None:
    manager = session({"b": Script("what?", ACCEPT, NOOP), "s": Script(NOOP, ACCEPT)})
    manager.run_negotiation(
        game_type=game, players=["b", "s"], game_config={"turn_order": "shuffle", "seed": 3}
    )
    assert manager.outcome is not None
    assert replay(manager.outcome) == manager.outcome


class Nim(BaseGame):
    """Take one to three sticks in turn; who takes the last has won."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__("nim", config)
        self.sticks = int(config["sticks"])

    def initialize_game(self, players: list[str]) -> dict[str, Any]:
        self.players = players
        self.last = ""
        self.game_data = {"game_type": "nim", "players": players, "current_round": 1}
        return self.game_data

    def is_valid_action(
        self, player: str, action: Mapping[str, Any], game_state: Mapping[str, Any]
    ) -> bool:
        return action.get("take") in (1, 2, 3)

    def process_action(self, action: PlayerAction) -> dict[str, Any]:
        if self.sticks > 0 and action.action_type == "take":
            self.sticks -= action.action_data["take"]
            self.last = action.player_id
        number = action.round_number + (action.player_id == self.players[-1])
        return {
            **self.game_data,
            "current_round": number,
            "agreement_reached": self.sticks <= 0,
            "agreement": {"winner": self.last},
            "final_utilities": self.calculate_scores(),
        }

    def check_end_conditions(self) -> bool:
        return self.sticks <= 0

    def calculate_scores(self) -> dict[str, float]:
        return {player: float(player == self.last) for player in self.players}

    def get_game_prompt(self, player_id: str) -> str:
        return f"{self.sticks} sticks are left."


def test_a_game_of_ones_own_is_played_by_the_same_engine() -> None:
    engine = GameEngine()
    engine.register_game_type("nim", Nim)
    first, second = Script({"type": "take", "take": 3}), Script('{"type": "take", "take": 9}', "?")
    manager = SessionManager(
        {"x": first, "y": second}, engine, MetricsCalculator(), max_turn_retries=1
    )
    result = manager.run_negotiation(
        game_type="nim", players=["x", "y"], game_config={"sticks": 8, "max_rounds": 10}
    )
    assert result["final_utilities"] == {"x": 1.0, "y": 0.0}
    assert [entry["actions"]["y"] for entry in result["actions_history"]] == [NOOP] * 3
    assert first.prompts == ["8 sticks are left.", "5 sticks are left.", "2 sticks are left."]
    assert manager.outcome is not None
    assert manager.outcome.utilities == {"x": 1.0, "y": 0.0}
    assert str(manager.outcome.agreement) == 'deal: {"winner": "x"}'
    assert len(manager.outcome.faults) == 6
    with pytest.raises(RuntimeError, match="its log does not hold"):
        replay(manager.outcome)
    with pytest.raises(TypeError, match="'sticks'"):
        engine.create_game("nim", {})
