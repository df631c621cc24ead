import json
import math

import pytest

from genius_py import registry
from genius_py.fronts.platform import GameEngine, SessionManager
from genius_py.metrics.base import BaseMetric, OutcomeMetric
from genius_py.metrics.calculator import MetricsCalculator
from genius_py.metrics.record import GameResult
from genius_py.outcome import Outcome
from tests.metrics.sessions import played, scenario

METRICS = registry.names("metric")


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    game = scenario({"ann": 0.2, "bob": 0.1}, ann=[1.0, 0.7, 0.3], bob=[0.0, 0.6, 1.0])
    return played(game, 5, ann=[0, 0, 1], bob=[2, 2, "accept"])


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_gives_each_party_a_number(name: str, outcome: Outcome) -> None:
    metric = registry.make("metric", name)
    assert isinstance(metric, BaseMetric)
    values = metric.measure(outcome)
    assert list(values) == ["ann", "bob"]
    assert all(isinstance(value, float) for value in values.values())


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_measures_a_session_without_agreement(name: str) -> None:
    game = scenario({"ann": 0.2, "bob": 0.1}, ann=[1.0, 0.7, 0.3], bob=[0.0, 0.6, 1.0])
    values = registry.make("metric", name).measure(played(game, 2, ann=[0], bob=[2]))
    assert list(values) == ["ann", "bob"]


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_can_be_registered_with_the_platforms_calculator(name: str) -> None:
    calculator = MetricsCalculator()
    if name not in calculator.list_metrics():
        calculator.register_metric(name, METRICS[name]())
    manager = SessionManager(
        {"b": lambda _: {"type": "offer", "price": 39500}, "s": lambda _: {"type": "accept"}},
        GameEngine(),
        calculator,
    )
    result = manager.run_negotiation(game_type="company_car", players=["b", "s"])
    assert calculator.errors == {}
    assert set(result["metrics"][name]) == {"b", "s"}
    assert json.dumps(result)


def test_a_metric_of_outcomes_needs_the_session_behind_a_result() -> None:
    calculator = MetricsCalculator()
    calculator.register_metric("fairness", METRICS["fairness"]())
    found = calculator.calculate_all_metrics(GameResult("g", ["a", "b"]), [])
    assert found["fairness"] == {"a": 0.0, "b": 0.0}
    assert "needs the session itself" in calculator.errors["fairness"]


def test_a_metric_of_ones_own_needs_one_method(outcome: Outcome) -> None:
    class Turns(OutcomeMetric):
        """How many turns there were."""

        name = "turns"

        def measure(self, outcome: Outcome) -> dict[str, float]:
            return dict.fromkeys(outcome.utilities, float(outcome.turns))

    calculator = MetricsCalculator()
    calculator.register_metric("turns", Turns())
    assert calculator.calculate_outcome(outcome)["turns"] == {"ann": 6.0, "bob": 6.0}
    assert calculator.get_metric_descriptions()["turns"] == "How many turns there were."


def test_undefined_values_are_left_out_of_statistics(outcome: Outcome) -> None:
    calculator = MetricsCalculator()
    calculator.register_metric("model", METRICS["opponent_model_pearson"]())
    report = calculator.generate_report(GameResult("g", ["ann", "bob"], outcome=outcome), [])
    assert math.isnan(report["summary_stats"]["model"]["avg"])
