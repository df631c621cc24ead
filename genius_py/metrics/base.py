"""What every metric is: a name, a description, and a number for each player."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from genius_py.errors import OptionError
from genius_py.metrics.record import GameResult, PlayerAction, record_of_outcome
from genius_py.outcome import Outcome

__all__ = ["UNDEFINED", "BaseMetric", "OutcomeMetric", "RegisteredMetric"]

UNDEFINED = float("nan")
"""What a metric says of a player about whom it can say nothing."""


class BaseMetric(ABC):
    """A measure of a finished game; one's own need `calculate` and `get_description`.

    `config` holds whatever settings the metric understands.
    """

    def __init__(self, metric_name: str, config: Mapping[str, Any] | None = None) -> None:
        self.metric_name = metric_name
        self.config: dict[str, Any] = dict(config or {})

    @abstractmethod
    def calculate(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> Mapping[str, float]:
        """A number for every player of the result."""

    @abstractmethod
    def get_description(self) -> str:
        """What is measured, and how to read it; one to three sentences."""

    def get_name(self) -> str:
        """The metric's name."""
        return self.metric_name

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """A number for every party of a session that the engine has played."""
        return self.calculate(*record_of_outcome(outcome))


class RegisteredMetric(BaseMetric):
    """A metric that the registry finds: it knows its name, and its docstring describes it.

    Settings come as a mapping, as keywords, or both. Of a mapping it takes what it knows.

    Raises:
        OptionError: a keyword is no setting of this metric.
    """

    name: ClassVar[str] = ""
    """The registered name."""

    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names under which it is found."""

    settings: ClassVar[tuple[str, ...]] = ()
    """The keys of `config` that it reads."""

    def __init__(self, config: Mapping[str, Any] | None = None, **settings: Any) -> None:
        for key in settings:
            if key not in self.settings:
                known = ", ".join(self.settings) or "none"
                raise OptionError(f"Metric {self.name} has no setting {key!r}; it has: {known}.")
        super().__init__(self.name, {**(config or {}), **settings})

    def get_description(self) -> str:
        """The class's docstring, as running text."""
        return " ".join(inspect.cleandoc(type(self).__doc__ or self.name).split())


class OutcomeMetric(RegisteredMetric):
    """A metric of what the engine has played; one's own need `measure` alone.

    NaN for a party says that the measure is not defined for it in this session.
    """

    @abstractmethod
    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """A number, or NaN, for every party of the session."""

    def calculate(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> Mapping[str, float]:
        """`measure` of the session behind the result.

        Raises:
            OptionError: the result was not played by the engine.
        """
        if game_result.outcome is None:
            raise OptionError(
                f"Metric {self.metric_name} needs the session itself; give GameResult its outcome, "
                f"or call measure(outcome)."
            )
        return self.measure(game_result.outcome)
