"""NegoLog's JSON: a folder with ``profileA.json`` and ``profileB.json``, and ``specs.json``.

The domain is what the profiles have in common; only the name is taken from ``specs.json``, whose
other figures can be computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.files import document, json_of, outline, visible_files, write_folder
from genius_py.formats.node import Node
from genius_py.formats.oddities import warn_of_oddities
from genius_py.formats.plain_sum import additive, plain_evaluations, plain_sum
from genius_py.issue import DiscreteIssue, Issue
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator

__all__ = ["losses", "read_folder", "read_scenario", "recognises", "write_scenario"]

_TITLE = "NegoLog"
_ROLES = ("profileA", "profileB")
_COUNTED = 10**300
"""More bids than this are not counted: whoever reads JSON takes no longer numbers."""


def recognises(path: Path) -> bool:
    """Whether a file is a profile of NegoLog."""
    return path.suffix.lower() == ".json" and {"issueWeights", "issues"} <= outline(path).keys()


def read_scenario(path: Path, profiles: Sequence[Path] = ()) -> Scenario:
    """The scenario of some profiles; of one alone when no others are given.

    Raises:
        DomainError: naming file, line, column and what was expected.
    """
    domain = _domain(document(path), path.resolve().parent)
    read = {file.stem: _profile(document(file), domain) for file in profiles or [path]}
    scenario = Scenario(domain, read, source=str(path))
    warn_of_oddities(scenario)
    return scenario


def read_folder(folder: Path) -> Scenario:
    """The scenario of all profiles in a folder.

    Raises:
        DomainError: two profiles are not of the same domain.
    """
    files = [path for path in visible_files(folder) if recognises(path)]
    return attrs.evolve(read_scenario(files[0], files), source=str(folder))


def write_scenario(scenario: Scenario, folder: Path, replace: bool = True) -> None:
    """Write ``profileA.json``, ``profileB.json`` and ``specs.json``.

    Raises:
        DomainError: the format cannot hold an issue or a profile, or there are not two profiles;
            nothing is written.
    """
    write_folder(folder, _texts(scenario), recognises, replace)


def losses(scenario: Scenario) -> list[str]:
    """What NegoLog cannot hold although the scenario can be written.

    Raises:
        DomainError: it cannot be written.
    """
    _texts(scenario)
    lost = [
        f"profile {role!r}: its discount factor {space.discount_factor:g}."
        for role, space in scenario.profiles.items()
        if 0 < space.discount_factor < 1
    ]
    if scenario.roles != _ROLES:
        lost.append(f"the roles {', '.join(scenario.roles)}; they become {', '.join(_ROLES)}.")
    return lost


def _texts(scenario: Scenario) -> dict[str, str]:
    if len(scenario.profiles) != 2:
        raise DomainError(f"{_TITLE} needs 2 profiles; there are {len(scenario.profiles)}.")
    issues = [_require_discrete(issue) for issue in scenario.domain.issues]
    data: dict[str, object] = {
        name: _write_profile(additive(space, role, _TITLE), issues)
        for name, (role, space) in zip(_ROLES, scenario.profiles.items(), strict=True)
    }
    specs: dict[str, object] = {
        "Name": scenario.name,
        "NumberOfIssues": len(issues),
        "IssueValues": [issue.size for issue in issues],
    }
    if scenario.domain.size < _COUNTED:
        specs["NumberOfBids"] = scenario.domain.size
    data["specs"] = specs
    return {f"{name}.json": json_of(content) for name, content in data.items()}


def _domain(node: Node, folder: Path) -> Domain:
    specs = folder / "specs.json"
    name = folder.name
    if specs.is_file():
        entries = document(specs).entries()
        name = entries["Name"].text() if "Name" in entries else name
    issues = node.having("issues")["issues"]
    values = {label: entry.entries() for label, entry in issues.entries().items()}
    with issues.blamed():
        return Domain(name, [DiscreteIssue(label, list(given)) for label, given in values.items()])


def _profile(node: Node, domain: Domain) -> AdditiveUtilitySpace:
    entries = node.mapping(("issueWeights", "issues"), ("reservationValue",))
    weights, evaluations = entries["issueWeights"], entries["issues"]
    for part in (weights, evaluations):
        part.mapping(domain.issue_names)
    evaluators = []
    for issue in map(_require_discrete, domain.issues):
        given = evaluations.entries()[issue.name].mapping(issue.values)
        evaluators.append(DiscreteEvaluator({v: given[v].number() for v in issue.values}))
    space = plain_sum(
        domain, [weights.entries()[name].number() for name in domain.issue_names], evaluators
    )
    if "reservationValue" not in entries:
        return space
    return attrs.evolve(space, reservation_value=entries["reservationValue"].number())


def _require_discrete(issue: Issue) -> DiscreteIssue:
    if not isinstance(issue, DiscreteIssue):
        raise DomainError(f"{_TITLE} holds discrete issues only; issue {issue} is not one.")
    return issue


def _write_profile(space: AdditiveUtilitySpace, issues: Sequence[DiscreteIssue]) -> object:
    return {
        "reservationValue": space.reservation_value,
        "issueWeights": dict(zip(space.domain.issue_names, space.weights, strict=True)),
        "issues": {
            issue.name: plain_evaluations(evaluator, issue)
            for issue, evaluator in zip(issues, space.evaluators, strict=True)
        },
    }
