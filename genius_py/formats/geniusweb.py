"""GeniusWeb's JSON: a file for the domain and one for each profile, which repeats the domain.

Read are linear additive profiles, in the present form and in that of the first versions
(``discreteutils``). The reservation value is the utility of the profile's reservation bid.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import attrs

from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.files import (
    document,
    file_name,
    json_of,
    natural_order,
    outline,
    visible_files,
    write_folder,
)
from genius_py.formats.node import Node
from genius_py.formats.oddities import warn_of_oddities
from genius_py.formats.plain_sum import additive, plain_evaluations, plain_sum
from genius_py.formats.profile_parts import issue_named
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    RealConstantEvaluator,
    RealLinearEvaluator,
)

__all__ = ["losses", "read_folder", "read_scenario", "recognises", "write_scenario"]

_TITLE = "GeniusWeb"
_PROFILE = "LinearAdditiveUtilitySpace"
_DISCRETE = ("DiscreteValueSetUtilities", "discreteutils")
_NUMBERS = ("NumberValueSetUtilities", "numberutils")
_MOST_STEPS = 10_000
"""A range of more numbers than this is read as a real issue, without its step."""
_SEARCHED = 1_000_000
"""A reservation bid is looked for among at most this many."""


def recognises(path: Path) -> bool:
    """Whether a file is a domain or profile of GeniusWeb."""
    return path.suffix.lower() == ".json" and _is_part(outline(path))


def read_scenario(path: Path, profiles: Sequence[Path] = ()) -> Scenario:
    """The domain of a file (its own, or the one its profile repeats) with the given profiles.

    Raises:
        DomainError: naming file, line, column and what was expected.
    """
    node = document(path)
    if "issuesValues" not in node.entries():
        profiles = profiles or [path]
        node = _space(node).having("domain")["domain"]
    domain = _domain(node)
    read = {file.stem: _profile(document(file), domain) for file in profiles}
    scenario = Scenario(domain, read, source=str(path))
    warn_of_oddities(scenario)
    return scenario


def read_folder(folder: Path) -> Scenario:
    """The domain of a folder and its profiles; the files' names are the roles.

    Raises:
        DomainError: there are two domains, or a profile is of another domain.
    """
    files = [path for path in visible_files(folder) if path.suffix.lower() == ".json"]
    parts = {path: keys for path in files if _is_part(keys := outline(path))}
    domains = [path for path, keys in parts.items() if "issuesValues" in keys]
    profiles = [path for path in parts if path not in domains]
    if len(domains) > 1:
        names = ", ".join(path.name for path in domains)
        raise DomainError(f"expected one domain, found {names}.", file=str(folder))
    return attrs.evolve(read_scenario((domains or profiles)[0], profiles), source=str(folder))


def write_scenario(scenario: Scenario, folder: Path, replace: bool = True) -> None:
    """Write ``domain.json`` and one file for each role.

    Raises:
        DomainError: the format cannot hold an issue or a profile; nothing is written.
    """
    write_folder(folder, _texts(scenario), recognises, replace)


def losses(scenario: Scenario) -> list[str]:
    """What GeniusWeb cannot hold although the scenario can be written.

    Raises:
        DomainError: it cannot be written.
    """
    _texts(scenario)
    lost = [
        f"issue {issue.name!r} keeps its 21 listed points only."
        for issue in scenario.domain.issues
        if isinstance(issue, RealIssue)
    ]
    if list(scenario.roles) != sorted(scenario.roles, key=natural_order):
        lost.append("the order of the profiles; it becomes that of their names.")
    for role, space in scenario.profiles.items():
        if 0 < space.discount_factor < 1:
            lost.append(f"profile {role!r}: its discount factor {space.discount_factor:g}.")
        found = additive(space, role, _TITLE)
        if found.reservation_value and _reservation_bid(found) is None:
            lost.append(
                f"profile {role!r}: its reservation value {space.reservation_value:g}, "
                "which is not the utility of any bid."
            )
    return lost


def _texts(scenario: Scenario) -> dict[str, str]:
    issues = {issue.name: _write_issue(issue) for issue in scenario.domain.issues}
    domain: dict[str, object] = {"name": scenario.name, "issuesValues": issues}
    texts = {"domain.json": json_of(domain)}
    for role, space in scenario.profiles.items():
        profile = _write_profile(additive(space, role, _TITLE), role, domain)
        texts[file_name(role, ".json", texts)] = json_of({_PROFILE: profile})
    return texts


def _is_part(keys: Mapping[str, Collection[str]]) -> bool:
    """Whether a file of this `outline` is a domain or a profile of any kind."""
    # Wrapped in the name of its class, as PartialOrdering or SumOfGroupsUtilitySpace too are.
    return "issuesValues" in keys or ["domain" in inner for inner in keys.values()] == [True]


def _space(node: Node) -> Node:
    entries = node.entries()
    if _PROFILE not in entries:
        kind = next(iter(entries), "nothing")
        raise node.error(f"expected a {_PROFILE}, found {kind}; other profiles are not read.")
    return entries[_PROFILE]


def _domain(node: Node) -> Domain:
    entries = node.having("name", "issuesValues")
    name, values = entries["name"].text(), entries["issuesValues"]
    issues = [_issue(entry, label) for label, entry in values.entries().items()]
    with values.blamed():
        return Domain(name, issues)


def _issue(node: Node, name: str) -> Issue:
    entries = node.entries()
    if "range" in entries:
        return _numbers(entries["range"], name)
    values = [value.text() for value in node.having("values")["values"].items()]
    with node.blamed():
        return DiscreteIssue(name, values)


def _numbers(node: Node, name: str) -> Issue:
    parts = [_number(part) for part in node.items()]
    if len(parts) != 3:
        raise node.error("expected the lowest number, the highest number and the step.")
    low, high, step = parts
    if not step > 0:
        raise node.error(f"expected a step above 0, found {step:g}.")
    with node.blamed():
        if step == 1 and low.is_integer() and high.is_integer():
            return IntegerIssue(name, int(low), int(high))
        steps = (high - low) / step + 1e-9
        # A real issue lists 21 points; another grid can only be kept value by value.
        if high <= low or 20 <= steps < 21 or not steps <= _MOST_STEPS:
            return RealIssue(name, low, high)
        return DiscreteIssue(name, [repr(low + step * i) for i in range(int(steps) + 1)])


def _number(node: Node) -> float:
    # Numbers may be quoted: Java's BigDecimal is often written so.
    return attrs.evolve(node, is_quoted=False).number()


def _profile(node: Node, domain: Domain) -> AdditiveUtilitySpace:
    entries = _space(node).having("issueUtilities", "issueWeights")
    if "domain" in entries and not _is_same(_domain(entries["domain"]), domain):
        raise entries["domain"].error(f"this is not the domain {domain.name!r}.")
    weights, utilities = entries["issueWeights"], entries["issueUtilities"]
    for part in (weights, utilities):
        for name in part.entries():
            issue_named(part, name, domain)
        part.having(*domain.issue_names)
    profile = plain_sum(
        domain,
        [weights.entries()[name].number() for name in domain.issue_names],
        [_evaluator(utilities.entries()[issue.name], issue) for issue in domain.issues],
    )
    bid = entries.get("reservationBid")
    if bid is None or bid.is_null:
        return profile
    return attrs.evolve(profile, reservation_value=_utility_of(bid, profile))


def _is_same(one: Domain, other: Domain) -> bool:
    """Whether two domains have the same issues and values, in whatever order."""

    def unordered(domain: Domain) -> dict[str, object]:
        return {
            issue.name: set(issue.values) if isinstance(issue, DiscreteIssue) else issue
            for issue in domain.issues
        }

    return unordered(one) == unordered(other)


def _evaluator(node: Node, issue: Issue) -> Evaluator:
    kind, inner = next(iter(node.entries().items()), ("nothing", node))
    if kind in _NUMBERS:
        return _line(inner, issue)
    if kind not in _DISCRETE:
        raise node.error(f"expected {_DISCRETE[0]} or {_NUMBERS[0]}, found {kind}.")
    given = inner.mapping(("valueUtilities",))["valueUtilities"]
    if not isinstance(issue, DiscreteIssue):
        raise inner.error(f"issue {issue.name!r} has numbers, so it needs {_NUMBERS[0]}.")
    spelled = {value.strip(): value for value in issue.values}
    utilities = {
        spelled[given.known(text.strip(), "value", spelled)]: _share(entry)
        for text, entry in given.entries().items()
    }
    for value in issue.values:
        if value not in utilities:
            raise given.error(f"value {value!r} has no utility here.")
    return DiscreteEvaluator(utilities)


def _line(node: Node, issue: Issue) -> Evaluator:
    keys = ("lowValue", "lowUtility", "highValue", "highUtility")
    entries = node.mapping(keys)
    low, high = _number(entries["lowValue"]), _number(entries["highValue"])
    start, end = _share(entries["lowUtility"]), _share(entries["highUtility"])
    slope = (end - start) / (high - low) if high != low else 0.0
    if isinstance(issue, DiscreteIssue):
        return DiscreteEvaluator(
            {value: start + slope * (float(value) - low) for value in issue.values}
        )
    if isinstance(issue, IntegerIssue):
        return IntegerEvaluator(issue.lower, slope, start + slope * (issue.lower - low))
    return RealLinearEvaluator(start - slope * low, slope)


def _share(node: Node) -> float:
    number = _number(node)
    if not 0 <= number <= 1:
        raise node.error(f"expected a utility in [0, 1], found {number:g}.")
    return number


def _utility_of(node: Node, space: AdditiveUtilitySpace) -> float:
    """The utility of a reservation bid, which may leave issues out; these add nothing."""
    bid = node.having("issuevalues")["issuevalues"]
    total = 0.0
    for name, entry in bid.entries().items():
        issue = issue_named(bid, name, space.domain)
        place = space.domain.issue_position(name)
        given = entry.text() if isinstance(issue, DiscreteIssue) else _number(entry)
        with entry.blamed():
            value = issue.check(given)
        total += space.part(place, value)
    return min(1.0, total)


def _write_issue(issue: Issue) -> dict[str, object]:
    match issue:
        case DiscreteIssue(values=values):
            return {"values": list(values)}
        case IntegerIssue(lower=lower, upper=upper):
            return {"range": [lower, upper, 1]}
        case RealIssue(lower=low, upper=high):
            return {"range": [low, high, (high - low) / 20 or 0.05]}
        case _:
            raise DomainError(f"{_TITLE} has no free text, which issue {issue.name!r} is.")


def _write_profile(
    space: AdditiveUtilitySpace, role: str, domain: dict[str, object]
) -> dict[str, object]:
    issues = space.domain.issues
    data: dict[str, object] = {
        "name": role,
        "domain": domain,
        "issueWeights": dict(zip(space.domain.issue_names, space.weights, strict=True)),
        "issueUtilities": {
            issue.name: _write_evaluator(evaluator, issue, role)
            for issue, evaluator in zip(issues, space.evaluators, strict=True)
        },
    }
    bid = _reservation_bid(space)
    if bid is not None:
        data["reservationBid"] = {"issuevalues": dict(space.domain.bid_at(bid))}
    return data


def _write_evaluator(evaluator: Evaluator | None, issue: Issue, role: str) -> dict[str, object]:
    if isinstance(issue, DiscreteIssue):
        utilities = plain_evaluations(evaluator, issue)
        bad = [value for value, utility in utilities.items() if not 0 <= utility <= 1]
        if bad:
            raise DomainError(
                f"{_TITLE} holds evaluations in [0, 1]; profile {role!r} gives "
                f"{bad[0]!r} of issue {issue.name!r} {utilities[bad[0]]:g}."
            )
        return {_DISCRETE[0]: {"valueUtilities": utilities}}
    assert isinstance(issue, (IntegerIssue, RealIssue))
    match evaluator:
        case IntegerEvaluator(lower=lower, slope=slope, offset=offset):
            ends = [slope * (end - lower) + offset for end in (issue.lower, issue.upper)]
        case RealLinearEvaluator(intercept=intercept, slope=slope):
            ends = [slope * end + intercept for end in (issue.lower, issue.upper)]
        case RealConstantEvaluator(constant=constant):
            ends = [constant, constant]
        case _:
            ends = [-1.0, -1.0]
    if not all(-1e-9 <= end <= 1 + 1e-9 for end in ends):
        raise DomainError(
            f"{_TITLE} holds straight lines in [0, 1] only; profile {role!r} evaluates "
            f"issue {issue.name!r} otherwise."
        )
    low, high = (min(1.0, max(0.0, end)) for end in ends)
    return {
        _NUMBERS[0]: {
            "lowValue": issue.lower,
            "lowUtility": low,
            "highValue": issue.upper,
            "highUtility": high,
        }
    }


def _reservation_bid(space: AdditiveUtilitySpace) -> int | None:
    """The index of the first bid that is worth exactly the reservation value."""
    if not space.reservation_value or space.domain.size > _SEARCHED:
        return None
    found = (space.utilities() == space.reservation_value).nonzero()[0]
    return int(found[0]) if len(found) else None
