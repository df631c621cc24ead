"""The metrics calculator: several metrics at once, and what went wrong with them."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from genius_py.errors import MetricFailure, OptionError
from genius_py.metrics.base import BaseMetric
from genius_py.metrics.deadline_sensitivity import DeadlineSensitivityMetric
from genius_py.metrics.feasibility import FeasibilityMetric
from genius_py.metrics.record import GameResult, PlayerAction, record_of_outcome, record_of_state
from genius_py.metrics.risk_minimization import RiskMinimizationMetric
from genius_py.metrics.utility_surplus import UtilitySurplusMetric
from genius_py.outcome import Outcome

__all__ = ["MetricsCalculator"]


class MetricsCalculator:
    """Metrics under ids of one's choice; a fresh one has the platform's four.

    `config` goes to these four, which take ``scale="percent"`` from it; `utility_threshold` and
    `risk_tolerance` are there for metrics of one's own, and `enable_detailed_logging` writes every
    value to the log. After each calculation `errors` says, by metric id, what went wrong: such a
    metric is 0.0 for every player.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        self.config: dict[str, Any] = dict(config or {})
        self.errors: dict[str, str] = {}
        self.logger = logging.getLogger(type(self).__name__)
        self.metrics: dict[str, BaseMetric] = {
            metric.name: metric(self.config)
            for metric in (
                UtilitySurplusMetric,
                RiskMinimizationMetric,
                DeadlineSensitivityMetric,
                FeasibilityMetric,
            )
        }

    def register_metric(self, metric_id: str, metric: BaseMetric) -> None:
        """Add a metric under a new id.

        Raises:
            TypeError: it is no `BaseMetric`.
            OptionError: the id is taken.
        """
        if not isinstance(metric, BaseMetric):
            raise TypeError(
                f"{metric!r} cannot be registered as {metric_id!r}: it is no BaseMetric."
            )
        if metric_id in self.metrics:
            raise OptionError(f"Metric {metric_id!r} is registered already; unregister it first.")
        self.metrics[metric_id] = metric

    def unregister_metric(self, metric_id: str) -> None:
        """Drop a metric; an unknown id is passed over."""
        self.metrics.pop(metric_id, None)

    def list_metrics(self) -> list[str]:
        """The ids of all metrics, in the order in which they were registered."""
        return list(self.metrics)

    def get_metric_descriptions(self) -> dict[str, str]:
        """For each metric id what it measures."""
        return {metric_id: m.get_description() for metric_id, m in self.metrics.items()}

    def calculate_all(
        self,
        game_state: Mapping[str, Any],
        actions_history: Sequence[Mapping[str, Any]],
        *,
        outcome: Outcome | None = None,
    ) -> dict[str, dict[str, float]]:
        """All metrics of a final state and its rounds: metric id -> player -> number.

        `outcome` is the session behind them, for metrics that need it.

        Raises:
            OptionError: the state or the history has not the platform's form (a `ValueError`).
            MetricFailure: they cannot be converted, or every metric fails (a `RuntimeError`).
        """
        try:
            record = record_of_state(game_state, actions_history, outcome)
        except OptionError:
            raise
        except Exception as error:
            raise MetricFailure(
                f"The game's result cannot be converted for the metrics: {error}."
            ) from error
        return self.calculate_all_metrics(*record)

    def calculate_all_metrics(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> dict[str, dict[str, float]]:
        """All metrics of a record: metric id -> player -> number.

        Raises:
            MetricFailure: every metric fails.
        """
        found = self._calculate(self.metrics, game_result, actions_history)
        if self.metrics and len(self.errors) == len(self.metrics):
            why = "; ".join(f"{metric_id}: {text}" for metric_id, text in self.errors.items())
            raise MetricFailure(f"Every metric failed: {why}.")
        return found

    def calculate_specific_metrics(
        self,
        metric_ids: Iterable[str],
        game_result: GameResult,
        actions_history: Sequence[PlayerAction],
    ) -> dict[str, dict[str, float]]:
        """Some metrics of a record, in the order asked for; unknown ids are logged and left out."""
        chosen: dict[str, BaseMetric] = {}
        for metric_id in metric_ids:
            if metric_id in self.metrics:
                chosen[metric_id] = self.metrics[metric_id]
            else:
                self.logger.warning(
                    "No metric is registered as %r; there are: %s",
                    metric_id,
                    ", ".join(self.metrics),
                )
        return self._calculate(chosen, game_result, actions_history)

    def calculate_outcome(self, outcome: Outcome) -> dict[str, dict[str, float]]:
        """All metrics of a session of any protocol and domain: metric id -> party -> number."""
        result, actions = record_of_outcome(outcome)
        return self.calculate_all_metrics(result, actions)

    def _calculate(
        self,
        metrics: Mapping[str, BaseMetric],
        result: GameResult,
        actions: Sequence[PlayerAction],
    ) -> dict[str, dict[str, float]]:
        self.errors = {}
        return {
            metric_id: self._values(metric_id, metric.calculate, result, actions)
            for metric_id, metric in metrics.items()
        }

    def _values(
        self,
        metric_id: str,
        calculate: Callable[[GameResult, Sequence[PlayerAction]], Mapping[str, float]],
        result: GameResult,
        actions: Sequence[PlayerAction],
    ) -> dict[str, float]:
        try:
            values = calculate(result, actions)
            found = {player: values[player] for player in result.players}
        except Exception as error:
            # Whatever a metric throws is its own failure; the others still count.
            self.errors[metric_id] = f"{type(error).__name__}: {error}"
            self.logger.warning("Metric %s failed: %s", metric_id, self.errors[metric_id])
            return dict.fromkeys(result.players, 0.0)
        if self.config.get("enable_detailed_logging"):
            self.logger.info("%s: %s", metric_id, found)
        return found

    def generate_report(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> dict[str, Any]:
        """All metrics of a record, with statistics over the players.

        `summary_stats` maps each metric to its `avg`, `min`, `max` and `total`; players for whom
        it is NaN do not count, and metrics that give anything but numbers are left out.
        """
        metrics = self.calculate_all_metrics(game_result, actions_history)
        return {
            "game_id": game_result.game_id,
            "players": list(game_result.players),
            "success": game_result.success,
            "total_rounds": game_result.total_rounds,
            "metrics": metrics,
            "summary_stats": {
                metric_id: _statistics(values)
                for metric_id, values in metrics.items()
                if all(_is_number(value) for value in values.values())
            },
        }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _statistics(values: Mapping[str, float]) -> dict[str, float]:
    known = [float(value) for value in values.values() if not math.isnan(value)]
    if not known:
        return dict.fromkeys(("avg", "min", "max", "total"), math.nan)
    return {
        "avg": math.fsum(known) / len(known),
        "min": min(known),
        "max": max(known),
        "total": math.fsum(known),
    }
