"""Domains in Genius's XML: a tree of objectives whose leaves are the issues.

::

    <negotiation_template>
      <utility_space>
        <objective index="0" name="root">
          <issue index="1" name="price" type="integer" lowerbound="0" upperbound="9" />
          <issue index="2" name="colour" type="discrete"> <item value="red" /> ... </issue>
          <issue index="3" name="weight" type="real"> <range lowerbound= upperbound= /> </issue>
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import attrs

from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.xml_text import Element, Output, add, xml_of
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue

__all__ = [
    "GeniusDomain",
    "add_issue",
    "add_issues",
    "add_objective",
    "domain_of",
    "domain_text",
    "kind_name",
    "kind_of",
]

Kind: TypeAlias = Literal["discrete", "integer", "real"]

_KINDS: dict[str, Kind] = {"discrete": "discrete", "integer": "integer", "real": "real"}


def _as_numbers(given: Iterable[int]) -> tuple[int, ...]:
    return tuple(given)


@attrs.frozen
class GeniusDomain:
    """A domain, and the number by which Genius's files refer to each issue (in issue order)."""

    domain: Domain
    numbers: tuple[int, ...] = attrs.field(converter=_as_numbers)
    _places: dict[int, int] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_places", {number: i for i, number in enumerate(self.numbers)})

    def position(self, number: int) -> int | None:
        """The place of the issue with a number; None when there is none."""
        return self._places.get(number)

    def issue(self, element: Element) -> Issue:
        """The issue whose number is the element's `index`; it must be there."""
        position = self.position(element.whole("index"))
        if position is None:
            raise element.error(
                f"there is no issue with the number {element.text('index')}; the domain has "
                f"{', '.join(map(str, self.numbers[:10]))}{', ...' if self.numbers[10:] else ''}."
            )
        return self.domain.issues[position]


def domain_of(root: Element, name: str) -> GeniusDomain:
    """The domain that a file's root element describes, under a name.

    Raises:
        DomainError: there is no issue; two have the same number; or a number, bound, range or
            value is missing or impossible.
    """
    if root.tag == "utility_space" and root.first("utility_space") is None:
        raise root.error(
            "this is a profile and no domain; name it with --profile (profiles= of load), and its "
            "domain's file, or the folder with both, as the domain."
        )
    space = root.required("utility_space")
    objective = space.first("objective")
    if objective is not None:
        elements = list(_issues(objective))
    else:
        elements = space.all("issue")
        if not elements:
            raise space.error("<utility_space> needs an <objective> with the issues inside it.")
        space.warn("the issues stand outside any <objective>; Genius would refuse this domain.")
    numbers = [element.whole("index") for element in elements]
    count = Counter(numbers)
    for element, number in zip(elements, numbers, strict=True):
        if count[number] > 1:
            raise element.error(
                f"two issues have the number {number}, so that profiles cannot tell them apart; "
                f"number them differently."
            )
    names = _names(elements, numbers)
    issues = [_issue(element, name) for element, name in zip(elements, names, strict=True)]
    with space.blamed():
        return GeniusDomain(Domain(name, issues), numbers)


def kind_of(element: Element, other: Literal["vtype", "etype"]) -> Kind:
    """What kind an <issue> is by its `type`: discrete without one, or with an unknown one.

    When the `other` attribute says something else, a warning says that it does not count. Only an
    issue of a domain without `type` and without values is what its `vtype` says; Genius gives it
    no values, which would leave the domain without bids.
    """
    default = "discrete"
    if other == "vtype" and "type" not in element.attributes and not element.first("item"):
        default = element.attributes.get("vtype", default)
    stated = element.attributes.get("type", default)
    kind = _KINDS.get(stated.strip().lower())
    if kind is None:
        element.warn(f"type {stated!r} is unknown; taken for discrete, as Genius does.")
        return "discrete"
    contrary = element.attributes.get(other, kind)
    if contrary.strip().lower() != kind:
        element.warn(f"{other} {contrary!r} does not count, since the type is {kind}.")
    return kind


def kind_name(issue: Issue) -> Kind:
    """The word for an issue's kind.

    Raises:
        DomainError: Genius has no such issues (free text, for example).
    """
    match issue:
        case DiscreteIssue():
            return "discrete"
        case IntegerIssue():
            return "integer"
        case RealIssue():
            return "real"
    raise DomainError(
        f"Genius's XML holds discrete, integer and real issues; it cannot hold {issue.name!r}, "
        f"which is a {type(issue).__name__}."
    )


def domain_text(domain: Domain, profiles: Sequence[str] = ()) -> str:
    """A domain file; `profiles` are the names of profile files, which it mentions in that order.

    Issues are numbered 1, 2, ... under one objective.

    Raises:
        DomainError: an issue cannot be held: free text, or characters that XML forbids.
    """
    root = Output("negotiation_template")
    for file in profiles:
        add(root, "agent", utility_space=file)
    space = add(root, "utility_space", number_of_issues=len(domain.issues))
    add_issues(add_objective(space, domain), domain)
    return xml_of(root)


def add_objective(parent: Output, domain: Domain) -> Output:
    """The one objective that holds all issues of a domain."""
    return add(parent, "objective", index=0, name=domain.name, type="objective")


def add_issues(objective: Output, domain: Domain) -> None:
    """All issues of a domain, with their values."""
    for number, issue in enumerate(domain.issues, 1):
        element = add_issue(objective, number, issue, kind_name(issue))
        match issue:
            case DiscreteIssue(values=values):
                for place, value in enumerate(values, 1):
                    add(element, "item", index=place, value=value)
            case IntegerIssue(lower=lower, upper=upper):
                element.attrib |= {"lowerbound": str(lower), "upperbound": str(upper)}
            case RealIssue(lower=low, upper=high):
                add(element, "range", lowerbound=low, upperbound=high)


def add_issue(parent: Output, number: int, issue: Issue, kind: Kind) -> Output:
    """An issue without its values."""
    return add(parent, "issue", index=number, name=issue.name, type=kind, vtype=kind, etype=kind)


def _issues(objective: Element) -> Iterator[Element]:
    """The issues below, in Genius's order: those of the objectives inside come first."""
    objective.whole("index")  # of no use, but Genius refuses a file without it
    for inner in objective.all("objective"):
        yield from _issues(inner)
    yield from objective.all("issue")


def _names(elements: list[Element], numbers: list[int]) -> list[str]:
    """The issues' names, made unique; Genius goes by numbers and does not care."""
    names: dict[str, None] = {}
    for element, number in zip(elements, numbers, strict=True):
        name = element.attributes.get("name", "")
        if not name or name in names:
            odd = f"is called {name!r} like another" if name else "has no name"
            name = f"{name or 'issue'} {number}"
            element.warn(f"issue {number} {odd}; it is called {name!r} here.")
        names[name] = None
    return list(names)


def _issue(element: Element, name: str) -> Issue:
    kind = kind_of(element, "vtype")
    with element.blamed():
        if kind == "real":
            bounds = element.required("range")
            return RealIssue(name, bounds.number("lowerbound"), bounds.number("upperbound"))
        if kind == "integer":
            return IntegerIssue(name, *_bounds(element))
        values = [item.text("value") for item in element.all("item")]
        twice = [value for value, count in Counter(values).items() if count > 1]
        if twice:
            element.warn(f"issue {name!r} lists twice: {', '.join(twice)}; both count as values.")
        if not values:
            element.warn(f"issue {name!r} has no values, so the domain has no bids.")
        return DiscreteIssue(name, values)


def _bounds(element: Element) -> tuple[int, int]:
    if "lowerbound" not in element.attributes and element.first("range"):
        raise element.error(
            "an integer issue has its lowerbound and upperbound in <issue>; move them there from "
            "<range>."
        )
    return element.whole("lowerbound"), element.whole("upperbound")
