"""Names and shapes that the seed shows: statements S1.70 to S1.72."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import genius_py.fronts.trade as trade
from genius_py.errors import OptionError
from genius_py.fronts.trade import (
    BilateralTradeGame,
    ExperimentConfig,
    ExperimentRunner,
    LangChainNegotiationAgent,
    Match,
)
from genius_py.fronts.trade.prompts import (
    SYSTEM_PROMPT_COMPETITIVE_INITIATOR,
    SYSTEM_PROMPT_COMPETITIVE_PROVIDER,
    SYSTEM_PROMPT_COMPETITIVE_PROVIDER_COLLUDER,
    SYSTEM_PROMPT_INITIATOR,
    SYSTEM_PROMPT_PROVIDER,
    preset,
)
from tests.spec.trades import do, haggling


def model(*replies: str) -> Any:
    waiting = list(replies)
    return lambda prompt: waiting.pop(0)


def classic_models() -> dict[str, Any]:
    return {
        "one": model(
            '{"action": "post_request", "payload": {"description": "Ten pages", "max_budget": 50}}',
            '{"action": "accept_proposal"}',
            '{"action": "accept_delivery"}',
        ),
        "two": model(
            '{"action": "propose", "payload": {"scope": "All ten", "price": 35}}',
            '{"action": "submit_deliverable", "payload": {"content": "Dix pages."}}',
        ),
    }


def test_s1_70_the_game_goes_by_the_id_of_the_seed() -> None:
    assert BilateralTradeGame.game_id == "bilateral-trade"
    assert ExperimentConfig().game_id == "bilateral-trade"


def test_s1_70_the_outcome_has_payoffs_by_agent_and_a_reason() -> None:
    match = haggling()
    do(match, "sell", "reject_and_exit", {"reason": "no"})
    assert match.outcome == {
        "payoffs": [{"agent_id": "buy", "utility": 0.0}, {"agent_id": "sell", "utility": 0.0}],
        "reason": "negotiation_failed",
    }


def test_s1_70_the_price_only_view_is_that_of_the_seed() -> None:
    match = haggling()
    do(match, "sell", "propose", {"price": 65})
    assert match.visible_state("sell") == {
        "num_agents": 2,
        "agent_ids": ["buy", "sell"],
        "buyer": "buy",
        "seller": "sell",
        "my_role": "seller",
        "fixed_scope": "A web shop",
        "max_budget": 100,
        "my_reservation_value": 30.0,
        "proposal": {"scope": "A web shop", "price": 65, "proposed_by": "sell"},
        "agreement": None,
        "action_history": [{"agent_id": "sell", "action": "propose", "payload": {"price": 65}}],
    }


def test_s1_70_what_belongs_to_the_other_mode_is_ignored() -> None:
    options: dict[str, Any] = {"fixed_scope": "x", "max_budget": 3, "reservation_values": {"b": 1}}
    match = Match(BilateralTradeGame(**options), ("ini", "pro"))
    do(match, "ini", "post_request", {"description": "work", "max_budget": 500})
    do(match, "pro", "propose", {"scope": "work", "price": 400})
    match = haggling(
        dispute_resolution="split", negotiate_turn_order="random", sealed_proposals=True
    )
    assert match.due == ("sell",)


def test_s1_70_without_reservation_values_they_are_nothing() -> None:
    match = haggling(reservation_values=None)
    assert match.visible_state("buy")["my_reservation_value"] == 0
    do(match, "sell", "propose", {"price": 65})
    do(match, "buy", "accept_proposal")
    assert match.outcome is not None
    assert [line["utility"] for line in match.outcome["payoffs"]] == [35, 65]


@pytest.mark.parametrize("given", [{}, {"buyer": 30}, {"buy": 30}])
def test_s1_70_a_mapping_without_the_seller_is_an_error(given: Mapping[str, float]) -> None:
    with pytest.raises(OptionError, match="seller"):
        haggling(reservation_values=given)


def test_s1_71_five_prompts_by_name_and_two_presets() -> None:
    prompts = {
        SYSTEM_PROMPT_INITIATOR,
        SYSTEM_PROMPT_PROVIDER,
        SYSTEM_PROMPT_COMPETITIVE_INITIATOR,
        SYSTEM_PROMPT_COMPETITIVE_PROVIDER,
        SYSTEM_PROMPT_COMPETITIVE_PROVIDER_COLLUDER,
        preset("bilateral_trade/buyer_rational"),
        preset("bilateral_trade/seller_rational"),
    }
    assert len(prompts) == 7
    assert preset("bilateral_trade/initiator") == SYSTEM_PROMPT_INITIATOR


def test_s1_72_the_example_of_the_seed(tmp_path: Path) -> None:
    models = classic_models()
    agents = [
        LangChainNegotiationAgent(
            agent_id="initiator", provider="openai", model="one",
            system_prompt=SYSTEM_PROMPT_INITIATOR, models=models,
        ),
        LangChainNegotiationAgent(
            agent_id="provider", provider="openai", model="two",
            system_prompt=SYSTEM_PROMPT_PROVIDER, models=models,
        ),
    ]  # fmt: skip
    shown: list[str] = []
    config = ExperimentConfig(
        game_id="bilateral-trade", num_matches=1, log_directory=tmp_path, open_dashboard=True
    )
    game = BilateralTradeGame(dispute_resolution="no_payment")
    result = ExperimentRunner(config, open_page=shown.append).run(agents, game=game)
    assert result.matches[0].outcome == {
        "payoffs": [
            {"agent_id": "initiator", "utility": -35.0},
            {"agent_id": "provider", "utility": 35.0},
        ],
        "reason": "trade_completed",
    }
    file = tmp_path / "dashboard.html"
    assert result.dashboard == file
    assert shown == [file.resolve().as_uri()]
    page = file.read_text()
    assert "trade_completed" in page
    assert "Ten pages" in page


def test_s1_72_a_model_may_be_a_callable_and_is_told_its_role_and_its_choices() -> None:
    prompts: list[str] = []

    def seller(prompt: str) -> str:
        prompts.append(prompt)
        return '{"action": "propose", "payload": {"price": 65}}'

    agents = [
        LangChainNegotiationAgent("buy", model=lambda prompt: '{"action": "accept_proposal"}'),
        LangChainNegotiationAgent("sell", model=seller, system_prompt="Sell dearly."),
    ]
    game = BilateralTradeGame("price_only", max_budget=100, reservation_values={"seller": 30})
    (match,) = ExperimentRunner(ExperimentConfig()).run(agents, game=game).matches
    assert match.payoffs == {"buy": 35.0, "sell": 35.0}
    assert prompts[0].startswith("Sell dearly.\n\nYou are the agent sell.")
    assert '"my_reservation_value": 30.0' in prompts[0]
    assert "- propose (price: a number from 0 to 100)\n" in prompts[0]


@pytest.mark.parametrize("agents", [("ini", "pro"), ("ini", "p1", "p2", "p3")])
@pytest.mark.parametrize("game", [BilateralTradeGame(), BilateralTradeGame("price_only")])
def test_s1_72_our_own_models_are_kept_to_what_is_allowed(
    agents: tuple[str, ...], game: BilateralTradeGame
) -> None:
    # This one draws whatever the form of the reply admits.
    players = agents[:2] if game.is_price_only else agents
    dice = [
        LangChainNegotiationAgent(agent, model="dice", system_prompt="Play.") for agent in players
    ]
    result = ExperimentRunner(ExperimentConfig(num_matches=5)).run(dice, game=game)
    assert [match.session.faults for match in result.matches] == [()] * 5


def test_s1_72_a_provider_is_a_server_by_name_or_by_address() -> None:
    def source(provider: str) -> str:
        agent = LangChainNegotiationAgent("ini", provider, "gpt-4o-mini")
        return agent.shared_model.spec.source

    assert source("openai") == "https://api.openai.com/v1#gpt-4o-mini"
    assert source("http://localhost:8000/v1") == "http://localhost:8000/v1#gpt-4o-mini"
    assert source("") == "gpt-4o-mini"


def test_s1_72_a_model_that_nobody_serves_fails_its_match_by_name() -> None:
    agents = [LangChainNegotiationAgent(agent, model="gpt-0") for agent in ("ini", "pro")]
    (match,) = ExperimentRunner(ExperimentConfig()).run(agents).matches
    assert "gpt-0" in match.error


def test_s1_72_everything_the_seed_imports_is_exported() -> None:
    assert {
        "BilateralTradeGame",
        "ExperimentConfig",
        "ExperimentRunner",
        "LangChainNegotiationAgent",
    } <= set(trade.__all__)
    assert trade.__all__ == sorted(trade.__all__)
    assert all(hasattr(trade, name) for name in trade.__all__)
