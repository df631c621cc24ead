"""How a bilateral trade is set up: statements S1.1 to S1.5."""

import inspect
from pathlib import Path

import pytest

from genius_py.errors import DomainError, OptionError
from genius_py.fronts.trade import BilateralTradeGame, Match

HYDRA = """\
game_id: bilateral-trade
mode: price_only
fixed_scope: "Build a web shop"
max_budget: 100
reservation_values:
  agent_1: 30
  agent_2: 30
dispute_resolution: no_payment
negotiate_turn_order: round_robin
"""


def test_s1_1_the_options_and_their_defaults_are_those_of_the_seed() -> None:
    parameters = list(inspect.signature(BilateralTradeGame).parameters.values())
    positional = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert {p.name: p.default for p in positional} == {
        "mode": "full",
        "dispute_resolution": "no_payment",
        "negotiate_turn_order": "round_robin",
        "fixed_scope": "",
        "max_budget": 100,
        "reservation_values": None,
    }


@pytest.mark.parametrize(
    "option",
    [
        {"mode": "half"},
        {"dispute_resolution": "duel"},
        {"negotiate_turn_order": "alphabetical"},
        {"max_budget": -1},
        {"max_budget": float("nan")},
        {"reservation_values": {"seller": float("inf")}},
    ],
)
def test_s1_2_an_impossible_option_is_a_value_error(option: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(option)).partition("_")[0]):
        BilateralTradeGame(**option)  # type: ignore[arg-type]


def test_s1_3_the_number_of_agents_decides_between_classic_and_competitive() -> None:
    game = BilateralTradeGame()
    for agents, is_competitive in ((("a", "b"), False), (("a", "b", "c"), True)):
        state = Match(game, agents).visible_state("a")
        assert ("proposals" in state) is is_competitive


@pytest.mark.parametrize("agents", [(), ("a",)])
def test_s1_3_fewer_than_two_agents_are_refused(agents: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="two or more"):
        Match(BilateralTradeGame(), agents)


@pytest.mark.parametrize("agents", [("a",), ("a", "b", "c")])
def test_s1_3_a_price_only_game_is_for_exactly_two(agents: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="exactly two"):
        Match(BilateralTradeGame("price_only"), agents)


def test_s1_3_two_agents_of_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="same id"):
        Match(BilateralTradeGame(), ("a", "a"))


def test_s1_4_the_first_agent_needs_something_and_the_others_provide() -> None:
    full = Match(BilateralTradeGame(), ("x", "y", "z")).visible_state("z")
    assert (full["initiator"], full["providers"], full["my_role"]) == ("x", ["y", "z"], "provider")
    price_only = Match(BilateralTradeGame("price_only"), ("x", "y")).visible_state("y")
    assert (price_only["buyer"], price_only["seller"]) == ("x", "y")
    assert price_only["my_role"] == "seller"


def test_s1_5_a_yaml_file_has_the_same_keys(tmp_path: Path) -> None:
    file = tmp_path / "bilateral_trade.yaml"
    file.write_text(HYDRA)
    game = BilateralTradeGame.from_yaml(file)
    assert game.config | {"reservation_values": None} == {
        **BilateralTradeGame().config,
        "mode": "price_only",
        "fixed_scope": "Build a web shop",
    }
    state = Match(game, ("agent_1", "agent_2")).visible_state("agent_2")
    assert state["my_reservation_value"] == 30


def test_s1_5_a_configuration_makes_the_game_that_it_came_from() -> None:
    game = BilateralTradeGame("price_only", max_budget=7, reservation_values={"seller": 2})
    assert BilateralTradeGame.from_config(game.config).config == game.config


@pytest.mark.parametrize("key", ["agent_2", "seller"])
def test_s1_5_reservation_values_go_by_role_or_by_agent_id(key: str) -> None:
    game = BilateralTradeGame("price_only", reservation_values={key: 30})
    assert game.reservations(("agent_1", "agent_2")) == {"agent_1": 0, "agent_2": 30}


def test_s1_5_one_agent_cannot_have_two_reservation_values() -> None:
    game = BilateralTradeGame("price_only", reservation_values={"seller": 30, "agent_2": 40})
    with pytest.raises(OptionError, match="agent_2 is the seller"):
        Match(game, ("agent_1", "agent_2"))


def test_s1_5_a_reservation_value_of_a_stranger_is_an_error() -> None:
    game = BilateralTradeGame("price_only", reservation_values={"seller": 30, "agent_3": 1})
    with pytest.raises(OptionError, match="agent_3"):
        Match(game, ("agent_1", "agent_2"))


def test_s1_5_an_unknown_key_is_an_error_that_says_where_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "bilateral_trade.yaml"
    file.write_text(HYDRA.replace("max_budget", "budget"))
    with pytest.raises(DomainError, match=r"bilateral_trade.yaml:4:1: .*max_budget"):
        BilateralTradeGame.from_yaml(file)
    with pytest.raises(ValueError, match="game"):
        BilateralTradeGame.from_config({"game_id": "chess"})
