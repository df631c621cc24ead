"""Hyper-rectangle and constraint profiles as plain data."""

from __future__ import annotations

from typing import Literal, get_args

from genius_py.domain import Domain
from genius_py.formats.node import Node
from genius_py.formats.profile_parts import issue_named, plain
from genius_py.utility import (
    Aggregate,
    Condition,
    Constraint,
    ConstraintUtilitySpace,
    HyperRectangle,
    HyperRectangleUtilitySpace,
    Total,
)
from genius_py.utility.constraint import Test

__all__ = ["read_boxes", "read_constraints", "write_boxes", "write_constraints"]

_AGGREGATIONS: tuple[Literal["sum", "min", "max"], ...] = ("sum", "min", "max")
_TESTS: tuple[Test, ...] = get_args(Test)


def read_boxes(node: Node, domain: Domain) -> HyperRectangleUtilitySpace:
    """The profile that a mapping describes; its keys have been checked."""
    aggregate = _aggregate(node, domain)
    limit = node.entries()["max_utility"].number()
    with node.blamed():
        return HyperRectangleUtilitySpace(domain=domain, aggregate=aggregate, max_utility=limit)


def _aggregate(node: Node, domain: Domain) -> Aggregate:
    entries = node.having("aggregation")
    boxes = entries["boxes"].items() if "boxes" in entries else []
    nested = entries["nested"].items() if "nested" in entries else []
    for part in nested:
        part.mapping(("aggregation",), ("weight", "boxes", "nested"))
    return Aggregate(
        entries["aggregation"].choice("aggregation", _AGGREGATIONS),
        [_box(box, domain) for box in boxes],
        [_aggregate(part, domain) for part in nested],
        entries["weight"].number() if "weight" in entries else 1.0,
    )


def _box(node: Node, domain: Domain) -> HyperRectangle:
    entries = node.mapping(("utility",), ("bounds", "excludes", "weight"))
    bounds = entries["bounds"].entries() if "bounds" in entries else {}
    ends: dict[str, tuple[int, int]] = {}
    for name, pair in bounds.items():
        issue_named(entries["bounds"], name, domain)
        if len(pair.items()) != 2:
            raise pair.error("expected the lowest and the highest value, as in [1, 5].")
        low, high = pair.items()
        ends[name] = low.whole(), high.whole()
    utility, excludes = entries["utility"].number(), entries.get("excludes")
    weight = entries["weight"].number() if "weight" in entries else 1.0
    is_outside = excludes is not None and excludes.truth()
    with node.blamed():
        return HyperRectangle(utility, ends, is_outside, weight)


def write_boxes(space: HyperRectangleUtilitySpace) -> dict[str, object]:
    """What `read_boxes` reads."""
    return {"max_utility": plain(space.max_utility), **_write_aggregate(space.aggregate)}


def _write_aggregate(aggregate: Aggregate) -> dict[str, object]:
    data: dict[str, object] = {"aggregation": aggregate.aggregation}
    if aggregate.weight != 1:
        data["weight"] = plain(aggregate.weight)
    if aggregate.boxes:
        data["boxes"] = [_write_box(box) for box in aggregate.boxes]
    if aggregate.nested:
        data["nested"] = [_write_aggregate(nested) for nested in aggregate.nested]
    return data


def _write_box(box: HyperRectangle) -> dict[str, object]:
    data: dict[str, object] = {"utility": plain(box.utility)}
    if box.bounds:
        data["bounds"] = {name: list(ends) for name, ends in box.bounds.items()}
    if box.excludes:
        data["excludes"] = True
    if box.weight != 1:
        data["weight"] = plain(box.weight)
    return data


def read_constraints(node: Node, domain: Domain) -> ConstraintUtilitySpace:
    """The profile that a mapping describes; its keys have been checked."""
    entries = node.entries()
    ranks = entries["ranks"]
    read = {
        issue_named(ranks, name, domain).name: {
            value: rank.whole() for value, rank in given.entries().items()
        }
        for name, given in ranks.entries().items()
    }
    listed = entries["constraints"].items() if "constraints" in entries else []
    constraints = [_constraint(constraint, domain) for constraint in listed]
    with node.blamed():
        return ConstraintUtilitySpace(domain=domain, ranks=read, constraints=constraints)


def _constraint(node: Node, domain: Domain) -> Constraint:
    entries = node.mapping((), ("issue", "conditions", "total"))
    conditions = entries["conditions"].items() if "conditions" in entries else []
    return Constraint(
        _issue(entries["issue"], domain) if "issue" in entries else None,
        [_condition(condition, domain) for condition in conditions],
        _total(entries["total"], domain) if "total" in entries else None,
    )


def _condition(node: Node, domain: Domain) -> Condition:
    entries = node.mapping(("issue", "test"), ("texts",))
    return Condition(
        _issue(entries["issue"], domain),
        entries["test"].choice("test", _TESTS),
        [text.text() for text in entries["texts"].items()] if "texts" in entries else [],
    )


def _total(node: Node, domain: Domain) -> Total:
    entries = node.mapping(("issues", "lower", "upper"))
    issues = [_issue(issue, domain) for issue in entries["issues"].items()]
    return Total(issues, entries["lower"].whole(), entries["upper"].whole())


def _issue(node: Node, domain: Domain) -> str:
    return issue_named(node, node.text(), domain).name


def write_constraints(space: ConstraintUtilitySpace) -> dict[str, object]:
    """What `read_constraints` reads."""
    data: dict[str, object] = {"ranks": {name: dict(rank) for name, rank in space.ranks.items()}}
    if space.constraints:
        data["constraints"] = [_write_constraint(constraint) for constraint in space.constraints]
    return data


def _write_constraint(constraint: Constraint) -> dict[str, object]:
    data: dict[str, object] = {}
    if constraint.issue is not None:
        data["issue"] = constraint.issue
    if constraint.conditions:
        data["conditions"] = [_write_condition(condition) for condition in constraint.conditions]
    if constraint.total is not None:
        total = constraint.total
        data["total"] = {"issues": list(total.issues), "lower": total.lower, "upper": total.upper}
    return data


def _write_condition(condition: Condition) -> dict[str, object]:
    data: dict[str, object] = {"issue": condition.issue, "test": condition.test}
    if condition.texts:
        data["texts"] = list(condition.texts)
    return data
