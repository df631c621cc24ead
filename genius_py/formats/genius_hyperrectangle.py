"""Hyper-rectangle profiles in Genius's XML, which calls them nonlinear."""

from __future__ import annotations

from typing import Literal

from genius_py.domain import Domain
from genius_py.formats.genius_domain import GeniusDomain, kind_name
from genius_py.formats.xml_text import Element, Output, add
from genius_py.issue import IntegerIssue
from genius_py.utility import Aggregate, HyperRectangle, HyperRectangleUtilitySpace

__all__ = ["add_hyper_rectangles", "hyper_rectangle_space"]


def hyper_rectangle_space(root: Element, genius: GeniusDomain) -> HyperRectangleUtilitySpace:
    """The space of a profile of type nonlinear, without reservation value and discount."""
    utility = root.required("objective").required("utility")
    highest = utility.number("maxutility")
    if highest <= 0:
        utility.warn(f"maxutility is {highest}: utilities are infinite, or no numbers.")
    outermost = utility.required("ufun")
    if outermost.number("weight", default=1.0) != 1:
        outermost.warn("the weight of the outermost <ufun> counts for nothing, as in Genius.")
    aggregate = _aggregate(outermost, genius)
    with utility.blamed():
        return HyperRectangleUtilitySpace(
            domain=genius.domain, aggregate=aggregate, max_utility=highest
        )


def _aggregate(element: Element, genius: GeniusDomain) -> Aggregate:
    stated = element.text("aggregation")
    aggregation: Literal["sum", "min", "max"] = "sum"
    match stated.strip().lower():
        case "sum" | "min" | "max" as known:
            aggregation = known
        case _:
            element.warn(f"aggregation {stated!r} is unknown; taken for sum, as Genius does.")
    boxes = [_box(child, genius) for child in element.all("hyperRectangle")]
    nested = [_aggregate(child, genius) for child in element.all("ufun")]
    if not boxes and not nested and aggregation != "sum":
        element.warn(f"the {aggregation} of nothing is beyond any number, as in Genius.")
    return Aggregate(aggregation, boxes, nested, element.number("weight", default=1.0))


def _box(element: Element, genius: GeniusDomain) -> HyperRectangle:
    includes, excludes = element.all("INCLUDES"), element.all("EXCLUDES")
    if includes and excludes:
        element.warn("of INCLUDES and EXCLUDES in one box only the latter count, as in Genius.")
    bounds: dict[str, tuple[int, int]] = {}
    for child in excludes or includes:
        issue = genius.issue(child)
        if not isinstance(issue, IntegerIssue):
            raise child.error(
                f"issue {issue.name!r} is {kind_name(issue)}; a hyper-rectangle can only bound "
                f"integer issues."
            )
        low, high = bounds.get(issue.name, (child.whole("min"), child.whole("max")))
        bounds[issue.name] = max(low, child.whole("min")), min(high, child.whole("max"))
    return HyperRectangle(
        element.number("utility"), bounds, bool(excludes), element.number("weight", default=1.0)
    )


def add_hyper_rectangles(objective: Output, space: HyperRectangleUtilitySpace) -> None:
    """The boxes of a space."""
    utility = add(objective, "utility", maxutility=space.max_utility)
    _add_aggregate(utility, space.aggregate, space.domain)


def _add_aggregate(parent: Output, aggregate: Aggregate, domain: Domain) -> None:
    element = add(parent, "ufun", aggregation=aggregate.aggregation, weight=aggregate.weight)
    for box in aggregate.boxes:
        _add_box(element, box, domain)
    for nested in aggregate.nested:
        _add_aggregate(element, nested, domain)


def _add_box(parent: Output, box: HyperRectangle, domain: Domain) -> None:
    element = add(parent, "hyperRectangle", utility=box.utility, weight=box.weight)
    for name, (low, high) in box.bounds.items():
        tag = "EXCLUDES" if box.excludes else "INCLUDES"
        add(element, tag, index=domain.issue_position(name) + 1, min=low, max=high)
