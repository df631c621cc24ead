"""Game engine and base game: statements S0.22 to S0.29."""

from collections.abc import Mapping
from typing import Any

import pytest

from genius_py.fronts.platform import (
    BaseGame,
    CompanyCarGame,
    GameEngine,
    GameResult,
    GameState,
    PlayerAction,
)


class Undocumented(BaseGame):
    def initialize_game(self, players: list[str]) -> dict[str, Any]:
        return {}

    def is_valid_action(
        self, player: str, action: Mapping[str, Any], game_state: Mapping[str, Any]
    ) -> bool:
        return True

    def process_action(self, action: PlayerAction) -> dict[str, Any]:
        return {}

    def check_end_conditions(self) -> bool:
        return True

    def calculate_scores(self) -> dict[str, float]:
        return {"a": 1.0, "b": 3.0}

    def get_game_prompt(self, player_id: str) -> str:
        return ""


def test_s0_022_a_fresh_engine_has_three_games_in_this_order() -> None:
    assert GameEngine().get_available_games() == [
        "company_car",
        "resource_allocation",
        "integrative_negotiations",
    ]


@pytest.mark.parametrize("no_game", [dict, "company_car", None, 7])
def test_s0_023_only_games_can_be_registered(no_game: Any) -> None:
    with pytest.raises(ValueError, match="derive it from BaseGame"):
        GameEngine().register_game_type("new", no_game)


def test_s0_023_a_registered_game_is_listed() -> None:
    engine = GameEngine()
    engine.register_game_type("new", CompanyCarGame)
    assert engine.get_available_games()[-1] == "new"


def test_s0_023_a_name_is_taken_only_once_unless_it_is_to_be_replaced() -> None:
    engine = GameEngine()
    with pytest.raises(ValueError, match="replace=True"):
        engine.register_game_type("company_car", Undocumented)
    engine.register_game_type("company_car", Undocumented, replace=True)
    assert engine.registered_games["company_car"] is Undocumented
    assert len(engine.get_available_games()) == 3


def test_s0_024_an_unknown_game_is_an_error() -> None:
    with pytest.raises(ValueError, match="Did you mean 'company_car'"):
        GameEngine().create_game("company_cart", {})


@pytest.mark.parametrize("kind", [ValueError, TypeError])
def test_s0_024_a_missing_setting_is_an_error_of_both_kinds(kind: type[Exception]) -> None:
    with pytest.raises(kind, match="starting_price"):
        GameEngine().create_game("company_car", {"starting_price": None})
    with pytest.raises(kind, match="batnas, max_rounds"):
        CompanyCarGame({"starting_price": 1, "buyer_budget": 2, "seller_cost": 3})


def test_s0_025_settings_are_filled_up_with_the_shipped_ones() -> None:
    game = GameEngine().create_game("company_car", {"max_rounds": 5, "batna_decay_rate": 0.1})
    assert isinstance(game, CompanyCarGame)
    assert game.max_rounds == 5
    assert game.decays == {"buyer": 0.1, "seller": 0.1}
    assert game.batnas == {"buyer": 41000, "seller": 39000}


@pytest.mark.parametrize(
    ("config", "decays"),
    [
        ({"batna_decay": 0.2}, {"buyer": 0.2, "seller": 0.2}),
        ({"batna_decay_rate": {"buyer": 0.3, "seller": 0.0}}, {"buyer": 0.3, "seller": 0.0}),
        ({"batna_decay": {"seller": -0.1}}, {"buyer": 0.015, "seller": -0.1}),
    ],
)
def test_s0_025_decay_has_two_names_and_two_shapes(
    config: dict[str, Any], decays: dict[str, float]
) -> None:
    game = GameEngine().create_game("company_car", {"rounds": 3, **config})
    assert isinstance(game, CompanyCarGame)
    assert game.max_rounds == 3
    assert game.decays == decays


def test_s0_026_a_game_tells_its_name_class_and_description() -> None:
    info = GameEngine().get_game_info("company_car")
    assert info["name"] == "company_car"
    assert info["class"] == "CompanyCarGame"
    assert "price of a company car" in info["description"]
    with pytest.raises(ValueError, match="chess"):
        GameEngine().get_game_info("chess")


def test_s0_026_a_game_without_docstring_has_a_fixed_description() -> None:
    engine = GameEngine()
    engine.register_game_type("plain", Undocumented)
    assert engine.get_game_info("plain")["description"] == "No description available."


def test_s0_027_price_bargaining_is_the_car_but_is_not_listed() -> None:
    engine = GameEngine()
    assert isinstance(engine.create_game("price_bargaining", {}), CompanyCarGame)
    assert engine.get_game_info("price_bargaining")["class"] == "CompanyCarGame"
    assert "price_bargaining" not in engine.get_available_games()


def test_s0_028_a_game_must_have_the_abstract_methods() -> None:
    assert BaseGame.__abstractmethods__ == {
        "initialize_game",
        "is_valid_action",
        "process_action",
        "check_end_conditions",
        "calculate_scores",
        "get_game_prompt",
    }


def test_s0_028_what_the_session_needs_besides_has_a_default() -> None:
    game = Undocumented("mine")
    assert game.is_game_over({})
    assert game.get_winner({}) == "b"
    assert game.process_actions({"a": {"type": "x"}}, {"current_round": 1}) == {}


def test_s0_029_states_and_records() -> None:
    assert [state.name for state in GameState] == ["WAITING", "ACTIVE", "COMPLETED", "FAILED"]
    action = PlayerAction(
        player_id="a", action_type="offer", action_data={"price": 1}, timestamp=2.0, round_number=3
    )
    assert (action.player_id, action.round_number) == ("a", 3)
    result = GameResult(
        game_id="g",
        players=["a"],
        winner="a",
        final_scores={"a": 1.0},
        total_rounds=3,
        game_data={},
        success=True,
    )
    assert (result.winner, result.total_rounds, result.success) == ("a", 3, True)


def test_s0_029_a_game_goes_from_waiting_through_active_to_completed() -> None:
    game = GameEngine().create_game("company_car", {})
    seen = [game.state]
    state = game.initialize_game(["a", "b"])
    seen.append(game.state)
    offer = {"type": "offer", "price": 40000}
    game.process_actions({"a": offer, "b": offer}, state)
    seen.append(game.state)
    assert seen == [GameState.WAITING, GameState.ACTIVE, GameState.COMPLETED]
