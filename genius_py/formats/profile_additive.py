"""Additive profiles as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.node import Node
from genius_py.formats.profile_parts import issue_named, plain
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    RealConstantEvaluator,
    RealLinearEvaluator,
    RealTriangularEvaluator,
)

__all__ = ["read_additive", "write_additive"]


def read_additive(node: Node, domain: Domain) -> AdditiveUtilitySpace:
    """The profile that a mapping describes; its keys have been checked."""
    entries = node.entries()
    weights, evaluations = entries["weights"], entries["evaluations"]
    for part in (weights, evaluations):
        for name in part.entries():
            issue_named(part, name, domain)
    given: list[float] = []
    evaluators: list[Evaluator | None] = []
    for issue in domain.issues:
        is_text = isinstance(issue, TextIssue)
        for part, word in ((weights, "weight"), (evaluations, "evaluations")):
            if issue.name not in part.entries() and not is_text:
                raise part.error(f"issue {issue.name!r} has no {word} here.")
        weight = weights.entries().get(issue.name)
        evaluation = evaluations.entries().get(issue.name)
        given.append(0.0 if weight is None else weight.number())
        evaluators.append(None if evaluation is None else _evaluator(evaluation, issue))
    return AdditiveUtilitySpace(domain=domain, weights=given, evaluators=evaluators)


def _evaluator(node: Node, issue: Issue) -> Evaluator | None:
    if node.is_null:
        return None
    entries = node.entries()
    for name, inner in entries.items() if len(entries) == 1 else ():
        # The evaluation of a value is a number, so this is no value that is called 'linear'.
        if isinstance(inner.content, dict):
            return _EVALUATORS[node.known(name, "kind of evaluation", _EVALUATORS)](inner, issue)
    if not isinstance(issue, DiscreteIssue):
        raise node.error(
            f"expected one of {', '.join(_EVALUATORS)} with its numbers, as in "
            "{linear: {at_min: 0, at_max: 1}}."
        )
    spelled = {value.strip(): value for value in issue.values}
    evaluations: dict[str, float] = {}
    for text, entry in entries.items():
        value = spelled[node.known(text.strip(), "value", spelled)]
        if value in evaluations:
            raise node.error(f"value {value!r} is here twice.", node.keys.get(text))
        evaluations[value] = entry.number()
    for value in issue.values:
        if value not in evaluations:
            raise node.error(f"value {value!r} has no evaluation here.")
    return DiscreteEvaluator(evaluations)


def _read_discrete(node: Node, issue: Issue) -> Evaluator:
    return DiscreteEvaluator({value: entry.number() for value, entry in node.entries().items()})


def _read_linear(node: Node, issue: Issue) -> Evaluator:
    entries = node.entries()
    if "intercept" in entries:
        node.mapping(("intercept", "slope"))
        return RealLinearEvaluator(entries["intercept"].number(), entries["slope"].number())
    if "slope" in entries:
        node.mapping(("slope", "offset", "lower"))
        return IntegerEvaluator(
            entries["lower"].whole(), entries["slope"].number(), entries["offset"].number()
        )
    node.mapping(("at_min", "at_max"))
    if not isinstance(issue, (IntegerIssue, RealIssue)):
        raise node.error(f"issue {issue.name!r} has neither a min nor a max.")
    start, end = entries["at_min"].number(), entries["at_max"].number()
    width = issue.upper - issue.lower
    slope = (end - start) / width if width else 0.0
    if isinstance(issue, IntegerIssue):
        return IntegerEvaluator(issue.lower, slope, start)
    return RealLinearEvaluator(start - slope * issue.lower, slope)


def _read_constant(node: Node, issue: Issue) -> Evaluator:
    return RealConstantEvaluator(node.mapping(("value",))["value"].number())


def _read_triangular(node: Node, issue: Issue) -> Evaluator:
    entries = node.mapping(("left", "top", "right"))
    left, top, right = (entries[key].number() for key in ("left", "top", "right"))
    return RealTriangularEvaluator(left=left, right=right, top=top)


_EVALUATORS: Mapping[str, Callable[[Node, Issue], Evaluator]] = {
    "constant": _read_constant,
    "discrete": _read_discrete,
    "linear": _read_linear,
    "triangular": _read_triangular,
}


def write_additive(space: AdditiveUtilitySpace) -> dict[str, object]:
    """What `read_additive` reads."""
    issues = space.domain.issues
    return {
        "weights": {
            issue.name: plain(weight)
            for issue, weight in zip(issues, space.weights, strict=True)
            if weight or not isinstance(issue, TextIssue)
        },
        "evaluations": {
            issue.name: _write_evaluator(evaluator, issue)
            for issue, evaluator in zip(issues, space.evaluators, strict=True)
            if evaluator is not None or not isinstance(issue, TextIssue)
        },
    }


def _write_evaluator(evaluator: Evaluator | None, issue: Issue) -> object:
    match evaluator:
        case None:
            return None
        case DiscreteEvaluator(evaluations=evaluations):
            given = {value: plain(number) for value, number in evaluations.items()}
            is_whole = isinstance(issue, DiscreteIssue) and set(given) == set(issue.values)
            # The long form is taken as it comes: with values missing, or of another issue.
            return given if is_whole else {"discrete": given}
        case IntegerEvaluator(lower=lower, slope=slope, offset=offset):
            return {"linear": {"slope": plain(slope), "offset": plain(offset), "lower": lower}}
        case RealLinearEvaluator(intercept=intercept, slope=slope):
            return {"linear": {"slope": plain(slope), "intercept": plain(intercept)}}
        case RealConstantEvaluator(constant=constant):
            return {"constant": {"value": plain(constant)}}
        case RealTriangularEvaluator(left=left, right=right, top=top):
            return {"triangular": {"left": plain(left), "top": plain(top), "right": plain(right)}}
        case _:
            raise DomainError(
                f"Issue {issue.name!r}: a {type(evaluator).__name__} cannot be stored."
            )
