"""The metrics calculator: statements S0.120 to S0.127."""

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from genius_py.fronts.platform import (
    BaseMetric,
    GameResult,
    MetricsCalculator,
    PlayerAction,
    RiskMinimizationMetric,
)
from genius_py.metrics.record import record_of_state

FOUR = ["utility_surplus", "risk_minimization", "deadline_sensitivity", "feasibility"]
STATE = {
    "game_type": "price_bargaining",
    "players": ["P1", "P2"],
    "agreement_reached": True,
    "final_utilities": {"P1": 85, "P2": 75},
    "batnas_at_agreement": {"P1": 60, "P2": 60},
    "current_round": 3,
}
HISTORY = [
    {"round": 1, "actions": {"P1": {"type": "offer", "value": 100}}},
    {"round": 2, "actions": {"P2": {"value": 90}}},
    {"round": 3, "actions": {"P1": {"type": "accept"}}},
]


class Constant(BaseMetric):
    def __init__(self, value: Any) -> None:
        super().__init__("constant", {"value": value})

    def calculate(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> Mapping[str, float]:
        value: Any = self.config["value"]
        if value is None:
            raise ZeroDivisionError("by nothing")
        return {player: value for player in game_result.players}

    def get_description(self) -> str:
        return "Always the same."


def test_s0_120_the_four_metrics_in_this_order() -> None:
    assert MetricsCalculator().list_metrics() == FOUR


def test_s0_121_only_metrics_with_new_ids_can_be_registered() -> None:
    calculator = MetricsCalculator()
    with pytest.raises(TypeError, match="no BaseMetric"):
        calculator.register_metric("mine", "metric")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="registered already"):
        calculator.register_metric("feasibility", Constant(1.0))
    calculator.register_metric("mine", Constant(1.0))
    assert calculator.list_metrics() == [*FOUR, "mine"]
    assert calculator.get_metric_descriptions()["mine"] == "Always the same."


def test_s0_122_unregistering_is_silent() -> None:
    calculator = MetricsCalculator()
    calculator.unregister_metric("nothing")
    calculator.unregister_metric("risk_minimization")
    assert calculator.list_metrics() == [name for name in FOUR if name != "risk_minimization"]
    assert "risk_minimization" not in calculator.calculate_all(STATE, HISTORY)


def test_s0_123_states_and_histories_become_records() -> None:
    result, actions = record_of_state(STATE, HISTORY)
    assert result.final_scores == {"P1": 85, "P2": 75}
    assert (result.success, result.total_rounds) == (True, 3)
    assert actions == [
        PlayerAction("P1", "offer", {"type": "offer", "value": 100}, 0.0, 1),
        PlayerAction("P2", "unknown", {"value": 90}, 0.0, 2),
        PlayerAction("P1", "accept", {"type": "accept"}, 0.0, 3),
    ]
    found = MetricsCalculator().calculate_all(STATE, HISTORY)
    assert list(found) == FOUR
    assert found["utility_surplus"] == {"P1": 25, "P2": 15}
    assert found["feasibility"] == {"P1": 1, "P2": 1}


def test_s0_123_rounds_that_were_not_played_do_not_count() -> None:
    timed_out = {**STATE, "current_round": 6, "max_rounds": 5}
    assert record_of_state(timed_out, HISTORY)[0].total_rounds == 5
    assert record_of_state({"players": ["P1"]}, HISTORY)[0].total_rounds == 3
    assert record_of_state({**STATE, "total_rounds": 4}, HISTORY)[0].total_rounds == 4


@pytest.mark.parametrize("missing", [{"P1": 1.0}, None])
def test_s0_124_a_metric_that_fails_is_0_for_everybody_and_named_in_errors(
    missing: Any, caplog: pytest.LogCaptureFixture
) -> None:
    calculator = MetricsCalculator()
    metric = Constant(None)
    if missing is not None:
        metric.calculate = lambda *_: missing  # type: ignore[method-assign]
    calculator.register_metric("bad", metric)
    calculator.register_metric("good", Constant(7.0))
    with caplog.at_level(logging.WARNING):
        found = calculator.calculate_all(STATE, HISTORY)
    assert found["bad"] == {"P1": 0.0, "P2": 0.0}
    assert found["good"] == {"P1": 7.0, "P2": 7.0}
    assert list(found) == [*FOUR, "bad", "good"]
    assert list(calculator.errors) == ["bad"]
    assert "bad" in caplog.text
    calculator.unregister_metric("bad")
    calculator.calculate_all(STATE, HISTORY)
    assert calculator.errors == {}


@pytest.mark.parametrize(
    ("state", "history"),
    [
        (None, []),
        ("state", []),
        ({}, []),
        ({"players": []}, []),
        ({"final_utilities": 7}, []),
        (STATE, None),
        (STATE, {"round": 1}),
        (STATE, "history"),
        (STATE, [{"round": 1}]),
        (STATE, [{"round": 1, "actions": ["offer"]}]),
        (STATE, [{"round": 1, "actions": {"P1": "offer"}}]),
        (STATE, ["round 1"]),
    ],
)
def test_s0_124_malformed_input_is_a_value_error(state: Any, history: Any) -> None:
    with pytest.raises(ValueError, match=r"game state|final_utilities|history|Round"):
        MetricsCalculator().calculate_all(state, history)


def test_s0_124_a_failing_conversion_or_all_metrics_failing_is_a_runtime_error() -> None:
    with pytest.raises(RuntimeError, match="cannot be converted"):
        MetricsCalculator().calculate_all({**STATE, "final_utilities": {"P1": "much"}}, HISTORY)
    calculator = MetricsCalculator()
    for name in FOUR:
        calculator.unregister_metric(name)
    assert calculator.calculate_all(STATE, HISTORY) == {}
    calculator.register_metric("bad", Constant(None))
    with pytest.raises(RuntimeError, match="by nothing"):
        calculator.calculate_all(STATE, HISTORY)


def test_s0_125_specific_metrics_in_the_order_asked_for_without_the_unknown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record = record_of_state(STATE, HISTORY)
    with caplog.at_level(logging.WARNING):
        found = MetricsCalculator().calculate_specific_metrics(
            ["feasibility", "charm", "utility_surplus"], *record
        )
    assert list(found) == ["feasibility", "utility_surplus"]
    assert "'charm'" in caplog.text


def test_s0_126_a_report_has_statistics_over_the_players() -> None:
    calculator = MetricsCalculator()
    calculator.register_metric("words", Constant("many"))
    calculator.register_metric("undefined", Constant(math.nan))
    report = calculator.generate_report(*record_of_state({**STATE, "game_id": "g7"}, HISTORY))
    assert (report["game_id"], report["players"]) == ("g7", ["P1", "P2"])
    assert (report["success"], report["total_rounds"]) == (True, 3)
    assert report["metrics"]["utility_surplus"] == {"P1": 25, "P2": 15}
    assert report["metrics"]["words"] == {"P1": "many", "P2": "many"}
    stats = report["summary_stats"]
    assert stats["utility_surplus"] == {"avg": 20, "min": 15, "max": 25, "total": 40}
    assert list(stats) == [*FOUR, "undefined"]
    assert math.isnan(stats["undefined"]["avg"])


def test_s0_127_the_base_metric_takes_name_and_config_and_shipped_ones_only_config() -> None:
    metric = Constant(3)
    assert metric.metric_name == metric.get_name() == "constant"
    assert metric.config == {"value": 3}
    with pytest.raises(TypeError, match="abstract"):
        BaseMetric("mine")  # type: ignore[abstract]
    assert RiskMinimizationMetric({"scale": "percent"}).config == {"scale": "percent"}
    assert RiskMinimizationMetric().config == {}


def test_s0_134_the_calculator_takes_settings_for_metrics_of_ones_own(
    caplog: pytest.LogCaptureFixture,
) -> None:
    config = {"utility_threshold": 0.8, "risk_tolerance": 0.2, "enable_detailed_logging": True}
    calculator = MetricsCalculator(config)
    assert calculator.config == config
    with caplog.at_level(logging.INFO):
        calculator.calculate_all(STATE, HISTORY)
    assert "utility_surplus: {'P1': 25.0, 'P2': 15.0}" in caplog.text
    assert MetricsCalculator().config == {}
    assert Constant(1).config == {"value": 1}
    assert set(MetricsCalculator().get_metric_descriptions()) == set(FOUR)
