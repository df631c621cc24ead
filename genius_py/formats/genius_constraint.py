"""Constraint profiles in Genius's XML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from genius_py.errors import DomainError
from genius_py.formats.genius_domain import GeniusDomain
from genius_py.formats.xml_text import Element, Output, add
from genius_py.issue import DiscreteIssue, Issue
from genius_py.utility import Condition, Constraint, ConstraintUtilitySpace, Total

__all__ = ["add_rules", "constraint_space"]


def constraint_space(root: Element, genius: GeniusDomain) -> ConstraintUtilitySpace:
    """The space of a profile of type constraint, without reservation value and discount."""
    rules = root.required("objective").required("rules")
    ranks = {
        genius.issue(issue).name: {
            _spelled(genius.issue(issue), item.text("value")): item.whole("rank")
            for item in issue.all("item")
        }
        for issue in rules.required("ranks").all("issue")
    }
    constraints = [
        constraint
        for element in rules.required("constraints").all("constraint")
        for constraint in _constraints(element, genius)
    ]
    with rules.blamed():
        space = ConstraintUtilitySpace(domain=genius.domain, ranks=ranks, constraints=constraints)
    if space.complaint:
        rules.warn(f"the profile is incomplete: {space.complaint}.")
    return space


def _spelled(issue: Issue, text: str) -> str:
    """A value as the domain spells it, when they differ only by blanks around it."""
    found = issue.spelled(text) if isinstance(issue, DiscreteIssue) else None
    return text if found is None else found


def _constraints(element: Element, genius: GeniusDomain) -> Iterator[Constraint]:
    stated = element.text("type")
    match stated:
        case "zeroConstraint":
            yield Constraint(genius.issue(element).name, _assignments(element, genius))
        case "conditionalZeroConstraint":
            issue = genius.issue(element).name
            lacks = Condition(issue, "lacks", [element.text("value")])
            yield Constraint(issue, [*_assignments(element, genius), lacks])
        case "sumZeroConstraint":
            yield _total(element, genius, "contains", [element.text("value")])
        case "sumZeroNotConstraint":
            yield _total(element, genius, "lacks", [element.text("value")])
        case "sumZeroConstraintList":
            texts = [child.text("value") for child in element.all("condition")]
            yield _total(element, genius, "contains", texts)
        case "inclusiveZeroOutcomeConstraint":
            checks = element.all("checkassignment")
            yield Constraint(None, [_check(child, genius) for child in checks])
        case "conditionalZeroOutcomeConstraint":
            yield from _conditional_outcome(element, genius)
        case _:
            element.warn(f"constraint type {stated!r} is unknown; ignored, as Genius does.")


def _assignments(element: Element, genius: GeniusDomain) -> list[Condition]:
    return [
        Condition(issue.name, "is", [_spelled(issue, child.text("value"))])
        for child in element.all("valueassignment")
        for issue in [genius.issue(child)]
    ]


def _total(
    element: Element,
    genius: GeniusDomain,
    test: Literal["contains", "lacks"],
    texts: Iterable[str],
) -> Constraint:
    issue = genius.issue(element).name
    added = [genius.issue(child).name for child in element.all("item")]
    total = Total(added, element.whole("min"), element.whole("max"))
    return Constraint(issue, [Condition(issue, test, texts)], total)


def _check(element: Element, genius: GeniusDomain) -> Condition:
    issue, text = genius.issue(element).name, element.text("condition")
    if "numeric" in text and "positive" in text:
        return Condition(issue, "not negative")
    if "numeric" in text and "negative" in text:
        return Condition(issue, "not positive")
    return Condition(issue, "contains", [text])


def _conditional_outcome(element: Element, genius: GeniusDomain) -> Iterator[Constraint]:
    checks = element.all("checkassignment")
    if len(checks) != 2:
        raise element.error(f"expected two <checkassignment>s, found {len(checks)}.")
    # Genius keeps them by number, whatever their order in the file.
    first, second = sorted(checks, key=lambda child: child.whole("index"))
    match first.text("condition"):
        case "numeric=positive":
            sign = Condition(genius.issue(first).name, "positive")
        case "numeric=negative":
            sign = Condition(genius.issue(first).name, "negative")
        case other:
            first.warn(f"the condition {other!r} has no sign, so that the constraint never fires.")
            return
    yield Constraint(
        None, [sign, Condition(genius.issue(second).name, "lacks", [second.text("condition")])]
    )


def add_rules(objective: Output, space: ConstraintUtilitySpace) -> None:
    """The ranks and constraints of a space.

    Raises:
        DomainError: Genius has no constraint of that form.
    """
    numbers = {name: number for number, name in enumerate(space.domain.issue_names, 1)}
    rules = add(objective, "rules")
    ranks = add(rules, "ranks")
    for name, ranked in space.ranks.items():
        issue = add(ranks, "issue", index=numbers[name])
        for place, (value, rank) in enumerate(ranked.items(), 1):
            add(issue, "item", index=place, value=value, rank=rank)
    constraints = add(rules, "constraints")
    for constraint in space.constraints:
        _add_constraint(constraints, constraint, numbers)


def _add_constraint(parent: Output, constraint: Constraint, numbers: Mapping[str, int]) -> None:
    form = _form(constraint, numbers)
    attributes: dict[str, str | float] = {"type": form}
    conditions = constraint.conditions
    assignments: tuple[Condition, ...] = ()
    checks: tuple[Condition, ...] = ()
    texts: tuple[str, ...] = ()
    if constraint.issue is None:
        checks = conditions
    else:
        attributes["index"] = numbers[constraint.issue]
        assignments = tuple(c for c in conditions if c.test == "is")
    if form == "sumZeroConstraintList":
        texts = conditions[0].texts
    elif len(assignments + checks) < len(conditions):
        attributes["value"] = conditions[-1].texts[0]
    total = constraint.total
    if total is not None:
        attributes |= {"min": total.lower, "max": total.upper}
    element = add(parent, "constraint", **attributes)
    for c in assignments:
        add(element, "valueassignment", index=numbers[c.issue], value=c.texts[0])
    for c in checks:
        add(element, "checkassignment", index=numbers[c.issue], condition=_check_text(c))
    for text in texts:
        add(element, "condition", value=text)
    for name in total.issues if total is not None else ():
        add(element, "item", index=numbers[name])


def _form(constraint: Constraint, numbers: Mapping[str, int]) -> str:
    """Genius's name for constraints of this form."""
    match constraint:
        case Constraint(str(), conditions, None) if all(map(_is_assignment, conditions)):
            return "zeroConstraint"
        case Constraint(str(name), (*others, Condition(own, "lacks", (_,))), None) if (
            own == name and all(map(_is_assignment, others))
        ):
            return "conditionalZeroConstraint"
        case Constraint(str(name), (Condition(own, "lacks", (_,)),), Total()) if own == name:
            return "sumZeroNotConstraint"
        case Constraint(str(name), (Condition(own, "contains", texts),), Total()) if own == name:
            return "sumZeroConstraint" if len(texts) == 1 else "sumZeroConstraintList"
        case Constraint(
            None,
            (Condition(first, "positive" | "negative"), Condition(second, "lacks", (_,))),
            None,
        ) if numbers[first] < numbers[second]:  # the order in which Genius looks at them
            return "conditionalZeroOutcomeConstraint"
        case Constraint(None, conditions, None) if all(map(_is_check, conditions)):
            return "inclusiveZeroOutcomeConstraint"
    raise DomainError(f"Genius's XML has no constraint of the form {constraint}.")


def _is_assignment(condition: Condition) -> bool:
    return condition.test == "is" and len(condition.texts) == 1


def _is_check(condition: Condition) -> bool:
    match condition:
        case Condition(_, "not negative" | "not positive"):
            return True
        case Condition(_, "contains", (text,)):
            return "numeric" not in text
    return False


def _check_text(condition: Condition) -> str:
    if condition.test in ("positive", "not negative"):
        return "numeric=positive"
    if condition.test in ("negative", "not positive"):
        return "numeric=negative"
    return condition.texts[0]
