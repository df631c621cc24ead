"""Additive profiles as other formats mean them, to and from ours.

GeniusWeb and NegoLog add up weight times evaluation as it is written. Genius, and our additive
space, divide the evaluations of an issue by the largest one first.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    LinearUtilitySpace,
    RealLinearEvaluator,
    UtilitySpace,
)

__all__ = ["additive", "plain_evaluations", "plain_sum", "without_linear"]

_ROUNDING = 1e-9


def plain_sum(
    domain: Domain, weights: Sequence[float], evaluators: Sequence[Evaluator | None]
) -> AdditiveUtilitySpace:
    """The space of weights and evaluations that are not to be divided by their largest.

    Where the largest is not 1 it becomes part of the weight: the utilities stay the same.
    """
    scaled = []
    for weight, evaluator in zip(weights, evaluators, strict=True):
        if isinstance(evaluator, DiscreteEvaluator):
            top = max(evaluator.evaluations.values(), default=1.0)
            # Below this Genius takes all evaluations for 0, so the weight has nothing to carry.
            scaled.append(weight * top if top >= 0.00001 else weight)
        else:
            scaled.append(weight)
    return AdditiveUtilitySpace(domain=domain, weights=scaled, evaluators=evaluators)


def plain_evaluations(evaluator: Evaluator | None, issue: DiscreteIssue) -> dict[str, float]:
    """For each value what is to be multiplied by the weight."""
    assert evaluator is not None
    return {value: evaluator.evaluate(value) for value in issue.values}


def additive(space: UtilitySpace, role: str, title: str) -> AdditiveUtilitySpace:
    """The profile, which must be additive and complete for a format that is called `title`.

    Raises:
        DomainError: the profile is of another kind, or says nothing about some value.
    """
    if not isinstance(space, AdditiveUtilitySpace):
        raise DomainError(
            f"{title} holds additive profiles only; profile {role!r} is a {type(space).__name__}."
        )
    if space.complaint:
        raise DomainError(f"Profile {role!r} is incomplete: {space.complaint}.")
    return space


def without_linear(scenario: Scenario) -> Scenario:
    """The scenario with additive profiles for those linear ones that an additive one can equal.

    That are those without limits whose utilities lie in [0, 1]; the utilities stay the same, to
    rounding.
    """
    return attrs.evolve(
        scenario,
        profiles={
            role: (_additive_of(space) or space) if isinstance(space, LinearUtilitySpace) else space
            for role, space in scenario.profiles.items()
        },
    )


def _additive_of(space: LinearUtilitySpace) -> AdditiveUtilitySpace | None:
    issues = space.domain.issues
    ends = [
        tuple(c * end / space.scale for end in (issue.lower, issue.upper))
        if isinstance(issue, (IntegerIssue, RealIssue))
        else (0.0, 0.0)
        for issue, c in zip(issues, space.coefficients, strict=True)
    ]
    worst = space.constant / space.scale + sum(map(min, ends))
    best = space.constant / space.scale + sum(map(max, ends))
    if space.limits or space.where or worst < -_ROUNDING or best > 1 + _ROUNDING:
        return None
    weights: list[float] = []
    evaluators: list[Evaluator | None] = []
    rest = max(0.0, worst)  # what even the worst bid is worth is laid on the first issue
    for issue, (low, high) in zip(issues, ends, strict=True):
        if isinstance(issue, TextIssue):
            weights.append(0.0)
            evaluators.append(None)
            continue
        weight = abs(high - low) + rest
        at_low, at_high = rest + low - min(low, high), rest + high - min(low, high)
        weights.append(weight)
        evaluators.append(_line(issue, at_low / (weight or 1), at_high / (weight or 1)))
        rest = 0.0
    if rest:
        return None
    return AdditiveUtilitySpace(
        domain=space.domain,
        reservation_value=space.reservation_value,
        discount_factor=space.discount_factor,
        weights=weights,
        evaluators=evaluators,
    )


def _line(issue: Issue, low: float, high: float) -> Evaluator:
    """From `low` at the lower bound to `high` at the upper; `low` where there are no numbers."""
    match issue:
        case IntegerIssue(lower=lower, upper=upper):
            return IntegerEvaluator(lower, (high - low) / ((upper - lower) or 1), low)
        case RealIssue(lower=lower, upper=upper):
            slope = (high - low) / ((upper - lower) or 1.0)
            return RealLinearEvaluator(low - slope * lower, slope)
        case _:
            values = (str(issue.value_at(i)) for i in range(issue.size))
            return DiscreteEvaluator(dict.fromkeys(values, low))
