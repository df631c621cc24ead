"""Additive profiles in Genius's XML.

What Genius takes without a word although it looks wrong is taken here too, with a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from genius_py.errors import DomainError
from genius_py.formats.genius_domain import GeniusDomain, add_issue, kind_name, kind_of
from genius_py.formats.xml_text import Element, Output, add
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    RealConstantEvaluator,
    RealLinearEvaluator,
    RealTriangularEvaluator,
)

__all__ = ["add_additive", "additive_space"]


def additive_space(root: Element, genius: GeniusDomain) -> AdditiveUtilitySpace:
    """The space of an additive profile, without reservation value and discount."""
    issues = genius.domain.issues
    weights = [0.0] * len(issues)
    evaluators: list[Evaluator | None] = [None] * len(issues)
    described: set[int] = set()
    # As Genius does it: whatever an element is, its own children are looked at. So the nesting
    # is free, and a deeper or later statement takes the place of an earlier one.
    for parent in root.walk():
        weight_of = _weights(parent)
        for element in parent.all("issue"):
            number = element.whole("index")
            position = genius.position(number)
            if number not in weight_of:
                continue  # without a weight beside it the issue has no evaluator
            if position is None:
                element.warn(f"the domain has no issue with the number {number}; ignored.")
                continue
            if position in described:
                element.warn(f"issue {number} is described twice; the last one counts.")
            described.add(position)
            _warn_of_name(element, issues[position])
            weights[position] = weight_of[number]
            evaluators[position] = _evaluator(element, issues[position])
        for element in parent.all("objective"):
            if weight_of.get(element.whole("index"), 1.0) != 1:
                element.warn("the weight of an objective counts for nothing, as in Genius.")
    space = AdditiveUtilitySpace(domain=genius.domain, weights=weights, evaluators=evaluators)
    if space.complaint:
        root.warn(f"the profile is incomplete: {space.complaint}.")
    if abs(sum(weights) - 1) > 0.001:
        root.warn(f"the weights sum to {sum(weights):.6g}, not 1; they are used as they are.")
    return space


def _weights(parent: Element) -> dict[int, float]:
    weights: dict[int, float] = {}
    for element in parent.all("weight"):
        number, weight = element.whole("index"), element.number("value")
        if number in weights:
            element.warn(f"issue {number} has two weights; the last one counts.")
        if weight < 0:
            element.warn(f"the weight {weight} of issue {number} is negative.")
        weights[number] = weight
    beside = {e.whole("index") for e in parent.children if e.tag in ("issue", "objective")}
    for number in sorted(weights.keys() - beside):
        parent.warn(f"the weight of {number} counts for nothing: no such issue stands beside it.")
    return weights


def _warn_of_name(element: Element, issue: Issue) -> None:
    name = element.attributes.get("name", issue.name)
    if name.strip() != issue.name.strip():
        element.warn(
            f"issue {element.text('index')} is called {name!r} here and {issue.name!r} in the "
            f"domain; the number counts."
        )


def _evaluator(element: Element, issue: Issue) -> Evaluator | None:
    """What an <issue> of a profile says about the values; None when it is of another kind."""
    match kind_of(element, "etype"), issue:
        case "discrete", DiscreteIssue():
            return _discrete(element, issue)
        case "integer", IntegerIssue():
            return _integer(element, issue)
        case "real", RealIssue():
            return _real(element)
        case kind, _:
            element.warn(
                f"issue {issue.name!r} is {kind_name(issue)} in the domain and {kind} here, so "
                f"that no value has a worth."
            )
            return None


def _discrete(element: Element, issue: DiscreteIssue) -> DiscreteEvaluator:
    spelled = {value.strip(): value for value in issue.values}
    evaluations: dict[str, float] = {}
    unreadable: list[str] = []
    met: Counter[str] = Counter()
    for item in element.all("item"):
        text = item.text("value")
        value = spelled.get(text.strip(), text)
        met[value] += 1
        try:
            if "evaluation" in item.attributes:
                evaluations[value] = item.number("evaluation")
        except DomainError:
            unreadable.append(value)
    top = max(evaluations.values(), default=1.0)
    listed = Counter(issue.values)
    twice = [value for value, count in met.items() if count > max(1, listed[value])]
    unknown = [value for value in evaluations if value not in listed]
    negative = [value for value, evaluation in evaluations.items() if evaluation < 0]
    _warn_of_values(element, "stand here twice, and the last evaluation counts", twice)
    _warn_of_values(element, "have an evaluation that is not a number, thus none", unreadable)
    _warn_of_values(element, "are not in the domain, but count for the maximum", unknown)
    _warn_of_values(element, "have a negative evaluation", negative)
    if top < 0.00001:
        element.warn(f"no value of issue {issue.name!r} has an evaluation above 0.")
    return DiscreteEvaluator(evaluations)


def _warn_of_values(element: Element, what: str, values: list[str]) -> None:
    if values:
        shown = ", ".join(map(repr, values[:3]))
        more = f" and {len(values) - 3} more" if values[3:] else ""
        element.warn(f"values of issue {element.text('index')} {what}: {shown}{more}.")


def _integer(element: Element, issue: IntegerIssue) -> IntegerEvaluator:
    lower, upper = element.whole("lowerbound"), element.whole("upperbound")
    if (lower, upper) != (issue.lower, issue.upper):
        element.warn(
            f"issue {issue.name!r} runs from {lower} to {upper} here and from {issue.lower} to "
            f"{issue.upper} in the domain; its evaluation starts at {lower}."
        )
    line = element.first("evaluator")
    if line is None:
        element.warn(f"issue {issue.name!r} has no <evaluator>, so that every value is worth 0.")
        return IntegerEvaluator(lower)
    return IntegerEvaluator(lower, slope=line.number("slope"), offset=line.number("offset"))


def _real(element: Element) -> Evaluator | None:
    bounds = element.required("range")
    for bound in ("lowerbound", "upperbound"):
        bounds.number(bound)  # of no use, but Genius refuses a profile without them
    function = element.first("evaluator")
    if function is None:
        return None
    stated = function.text("ftype")
    match stated.strip().lower():
        case "linear":
            return RealLinearEvaluator(*_parameters(function, 2))
        case "constant":
            return RealConstantEvaluator(*_parameters(function, 1))
        case "triangular":
            return RealTriangularEvaluator(*_parameters(function, 3))
        case "faratin":
            function.warn("a faratin function is worth -1 everywhere, as in Genius.")
            return RealConstantEvaluator(-1.0)
    raise function.error(f"ftype {stated!r} is unknown; expected linear, constant or triangular.")


def _parameters(function: Element, count: int) -> Iterator[float]:
    return (function.number(f"parameter{i}") for i in range(count))


def add_additive(objective: Output, space: AdditiveUtilitySpace) -> None:
    """The issues with their evaluations, and the weights.

    Raises:
        DomainError: an evaluator is not of the kind of its issue.
    """
    parts = list(zip(space.domain.issues, space.weights, space.evaluators, strict=True))
    for number, (issue, weight, evaluator) in enumerate(parts, 1):
        if evaluator is not None:
            _add_evaluator(objective, number, issue, evaluator)
        elif weight:
            _add_without_evaluator(objective, number, issue)
        else:
            kind_name(issue)
            continue
        add(objective, "weight", index=number, value=weight)


def _add_without_evaluator(objective: Output, number: int, issue: Issue) -> None:
    # A real issue without a function, or a real one where the domain has another kind, is how the
    # format says that there is a weight but nothing to be weighed.
    kind_name(issue)
    element = add_issue(objective, number, issue, "real")
    lower, upper = (issue.lower, issue.upper) if isinstance(issue, RealIssue) else (0.0, 0.0)
    add(element, "range", lowerbound=lower, upperbound=upper)


def _add_evaluator(objective: Output, number: int, issue: Issue, evaluator: Evaluator) -> None:
    element = add_issue(objective, number, issue, kind_name(issue))
    match issue, evaluator:
        case DiscreteIssue(values=values), DiscreteEvaluator(evaluations=evaluations):
            # A value without an evaluation is written too, so that one sees what is missing.
            for place, value in enumerate(dict.fromkeys([*values, *evaluations]), 1):
                known = {"evaluation": evaluations[value]} if value in evaluations else {}
                add(element, "item", index=place, value=value, **known)
        case IntegerIssue(upper=upper), IntegerEvaluator(lower=lower, slope=slope, offset=offset):
            element.attrib |= {"lowerbound": str(lower), "upperbound": str(upper)}
            add(element, "evaluator", ftype="linear", slope=slope, offset=offset)
        case RealIssue(lower=low, upper=high), _:
            add(element, "range", lowerbound=low, upperbound=high)
            kind, parameters = _function(issue, evaluator)
            named = {f"parameter{i}": value for i, value in enumerate(parameters)}
            add(element, "evaluator", ftype=kind, **named)
        case _:
            raise _foreign(issue, evaluator)


def _function(issue: Issue, evaluator: Evaluator) -> tuple[str, Iterable[float]]:
    match evaluator:
        case RealLinearEvaluator(intercept=intercept, slope=slope):
            return "linear", (intercept, slope)
        case RealConstantEvaluator(constant=constant):
            return "constant", (constant,)
        case RealTriangularEvaluator(left=left, right=right, top=top):
            return "triangular", (left, right, top)
    raise _foreign(issue, evaluator)


def _foreign(issue: Issue, evaluator: Evaluator) -> DomainError:
    return DomainError(
        f"Genius's XML cannot hold a {type(evaluator).__name__} for the {kind_name(issue)} issue "
        f"{issue.name!r}."
    )
