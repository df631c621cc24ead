"""What is dubious in a scenario though it can be read, told as warnings."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator

from genius_py.errors import GeniusWarning
from genius_py.issue import DiscreteIssue
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator, UtilitySpace

__all__ = ["oddities", "warn_of_oddities"]


def warn_of_oddities(scenario: Scenario) -> None:
    """Warn of each of the `oddities`."""
    for text in oddities(scenario):
        where = f"{scenario.source}: " if scenario.source else ""
        warnings.warn(where + text, GeniusWarning, stacklevel=3)


def oddities(scenario: Scenario) -> Iterator[str]:
    """One sentence for each thing that is read as it stands but is probably a mistake."""
    for issue in scenario.domain.issues:
        if isinstance(issue, DiscreteIssue):
            for value, count in Counter(issue.values).items():
                if count > 1:
                    yield f"issue {issue.name!r} lists the value {value!r} more than once."
    for role, space in scenario.profiles.items():
        for text in _of_profile(space):
            yield f"profile {role!r}: {text}"


def _of_profile(space: UtilitySpace) -> Iterator[str]:
    if space.reservation_value < 0:
        yield f"its reservation value {space.reservation_value:g} is negative."
    if not isinstance(space, AdditiveUtilitySpace):
        return
    total = sum(space.weights)
    if abs(total - 1) > 0.001:
        yield f"its weights sum to {total:g}, not to 1; they are taken as they are."
    for issue, evaluator in zip(space.domain.issues, space.evaluators, strict=True):
        given = evaluator.evaluations if isinstance(evaluator, DiscreteEvaluator) else {}
        # As in Genius, an issue without an evaluation above this is worth nothing.
        if max(given.values(), default=1.0) < 0.00001:
            yield f"no value of issue {issue.name!r} has an evaluation above 0."
