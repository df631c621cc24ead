"""Scenarios as plain data: the schema of YAML files and of what a session log embeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.node import Node, node_of
from genius_py.formats.profile_data import profile_of, profile_to_dict
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.utility import UtilitySpace

__all__ = ["scenario_from_dict", "scenario_of", "scenario_to_dict"]


def scenario_to_dict(scenario: Scenario) -> dict[str, object]:
    """Texts, numbers, lists and mappings that JSON can hold; each number keeps all its digits.

    `scenario_from_dict` makes an equal scenario from them, with its name, but without `source`.

    Raises:
        DomainError: a profile is a function or the like over a domain too large to be listed.
    """
    data: dict[str, object] = {"name": scenario.name}
    if scenario.description:
        data["description"] = scenario.description
    if scenario.deadline is not None:
        limits = attrs.asdict(scenario.deadline)
        data["deadline"] = {unit: limit for unit, limit in limits.items() if limit is not None}
    if scenario.protocol is not None:
        data["protocol"] = scenario.protocol
    data["issues"] = {issue.name: _write_issue(issue) for issue in scenario.domain.issues}
    data["profiles"] = {role: profile_to_dict(p) for role, p in scenario.profiles.items()}
    return data


def scenario_from_dict(data: Mapping[str, object]) -> Scenario:
    """The scenario of `scenario_to_dict`, or of data that somebody wrote in this form.

    Raises:
        DomainError: naming the place in the data, as ``profiles.buyer.weights``.
    """
    return scenario_of(node_of(data))


def scenario_of(
    node: Node,
    name: str = "domain",
    read_profile: Callable[[Node, Domain], UtilitySpace] = profile_of,
) -> Scenario:
    """The scenario that a document describes; `name` is used when it has none of its own.

    Raises:
        DomainError: naming the place and what was expected there.
    """
    entries = node.mapping(("issues",), ("name", "description", "deadline", "protocol", "profiles"))

    def text(key: str) -> str | None:
        return entries[key].text() if key in entries else None

    issues = [_read_issue(at, label) for label, at in entries["issues"].entries().items()]
    with entries["issues"].blamed():
        domain = Domain(text("name") or name, issues)
    profiles = entries["profiles"].entries() if "profiles" in entries else {}
    return Scenario(
        domain,
        {role: read_profile(profile, domain) for role, profile in profiles.items()},
        deadline=_deadline(entries["deadline"]) if "deadline" in entries else None,
        protocol=text("protocol"),
        description=text("description") or "",
        source=node.file or "",
    )


def _deadline(node: Node) -> Deadline:
    if isinstance(node.content, dict):
        entries = node.mapping((), ("rounds", "seconds"))
        rounds = entries["rounds"].whole() if "rounds" in entries else None
        seconds = entries["seconds"].number() if "seconds" in entries else None
        with node.blamed():
            return Deadline(rounds=rounds, seconds=seconds)
    text = node.text()
    with node.blamed():
        return Deadline.parse(text)


def _read_issue(node: Node, name: str) -> Issue:
    if isinstance(node.content, list):
        values = [value.text() for value in node.items()]
        with node.blamed():
            return DiscreteIssue(name, values)
    if not isinstance(node.content, dict):
        raise node.error("expected a list of values, or {min: ..., max: ...}.")
    kind = _kind(node)
    if kind == "discrete":
        return _read_issue(node.mapping(("values",), ("type",))["values"], name)
    if kind == "text":
        entries = node.mapping((), ("type", "max_length"))
        lengths = [entries["max_length"].whole()] if "max_length" in entries else []
        if min(lengths, default=1) < 1:
            raise entries["max_length"].error("expected a number of characters, 1 or more.")
        with node.blamed():
            return TextIssue(name, *lengths)
    entries = node.mapping(("min", "max"), ("type",))
    low, high = entries["min"], entries["max"]
    if kind == "real":
        bounds = low.number(), high.number()
        with node.blamed():
            return RealIssue(name, *bounds)
    hint = "; for real numbers add 'type: real'"
    ends = low.whole(hint), high.whole(hint)
    with node.blamed():
        return IntegerIssue(name, *ends)


def _kind(node: Node) -> str:
    entries = node.entries()
    if "type" in entries:
        return entries["type"].choice("type", ("discrete", "integer", "real", "text"))
    return "discrete" if "values" in entries else "integer"


def _write_issue(issue: Issue) -> object:
    match issue:
        case DiscreteIssue(values=values):
            return list(values)
        case IntegerIssue(lower=lower, upper=upper):
            return {"min": lower, "max": upper}
        case RealIssue(lower=low, upper=high):
            return {"min": low, "max": high, "type": "real"}
        case TextIssue(max_length=length):
            return {"type": "text", "max_length": length}
        case _:
            raise DomainError(f"Issue {issue.name!r}: a {type(issue).__name__} cannot be stored.")
