"""What the platform exports: statements S0.130 and S0.132."""

import genius_py.fronts.platform as platform


def test_s0_130_one_module_exports_what_the_seed_shows() -> None:
    # LLMManager is missing: it belongs to the LLM issue, as tests/spec/test_s0_llm_manager.py says.
    assert {
        "GameEngine",
        "MetricsCalculator",
        "SessionManager",
        "ConfigManager",
        "BaseMetric",
        "UtilitySurplusMetric",
        "RiskMinimizationMetric",
        "DeadlineSensitivityMetric",
        "FeasibilityMetric",
        "BaseGame",
        "GameResult",
        "PlayerAction",
    } <= set(platform.__all__)
    assert platform.__all__ == sorted(platform.__all__)
    assert all(hasattr(platform, name) for name in platform.__all__)


def test_s0_130_the_opening_example_of_the_seed_with_callables_for_models() -> None:
    configs = platform.ConfigManager()
    engine = platform.GameEngine(configs)
    assert set(configs.get_model_configs()) == {"model_a", "model_b", "model_c"}
    manager = platform.SessionManager(
        llm_manager={
            "model_a": lambda prompt: '{"type": "offer", "price": 40000}',
            "model_b": lambda prompt: '{"type": "accept"}',
        },
        game_engine=engine,
        metrics_calculator=platform.MetricsCalculator(),
    )
    result = manager.run_negotiation(
        game_type="price_bargaining", players=["model_a", "model_b"], game_config={"max_rounds": 5}
    )
    assert result["agreement_reached"] is True
