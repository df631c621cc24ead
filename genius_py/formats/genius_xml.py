"""Java Genius's XML: a file for the domain, and one for each profile.

Files are read as Genius 10.4 reads them, and what it takes although it looks wrong is taken with
a `GeniusWarning` that names file, line, column and oddity. Stricter than Genius: an integer issue
with reversed bounds, two issues with one number, values that differ only by blanks, a box over
issues that are not integer, and constraints that take texts for numbers are errors. Kinder:
well-formed XML is always understood, blanks around values and numbers are forgiven, a `vtype`
counts where `type` and values are missing, and issues may stand outside any objective, as in the
files of Genius's first years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.files import file_name, visible_files, write_folder, write_text
from genius_py.formats.genius_domain import GeniusDomain, domain_of, domain_text
from genius_py.formats.genius_profile import profile_of, profile_text
from genius_py.formats.xml_text import Element, NoElement, read_xml
from genius_py.issue import DiscreteIssue
from genius_py.scenario import Scenario
from genius_py.utility import UtilitySpace

__all__ = [
    "GeniusDomain",
    "losses",
    "read_domain",
    "read_folder",
    "read_genius_domain",
    "read_profile",
    "read_scenario",
    "recognises",
    "write_domain",
    "write_profile",
    "write_scenario",
]


def recognises(path: Path) -> bool:
    """Whether a file is of this format, which its name tells."""
    return path.suffix.lower() == ".xml"


def read_genius_domain(path: Path | str) -> GeniusDomain:
    """The domain of a file, with the numbers by which profiles refer to its issues.

    Raises:
        DomainError: the file cannot be read or is no domain; the text says where and what was
            expected.
    """
    root = read_xml(path)
    return domain_of(root, _name(Path(path), root))


def read_domain(path: Path | str) -> Domain:
    """The domain of a file, as `read_genius_domain` finds it."""
    return read_genius_domain(path).domain


def read_profile(path: Path | str, domain: Domain | GeniusDomain) -> UtilitySpace:
    """The utility space of a profile file.

    A plain `Domain` has no issue numbers. They are then taken from the profile itself where it
    has the names of all issues, and are 1, 2, ... otherwise.

    Raises:
        DomainError: the file cannot be read or does not say what it must; the text says where.
    """
    root = read_xml(path)
    if root.tag != "utility_space":
        raise root.error(f"expected a profile, thus <utility_space>, found <{root.tag}>.")
    return profile_of(root, domain if isinstance(domain, GeniusDomain) else _numbered(domain, root))


def read_scenario(path: Path | str, profiles: Sequence[Path | str] = ()) -> Scenario:
    """The domain of a file, with the profiles of others; their names are the roles.

    A profile may be given twice; the second seat is called ``NAME@2``.

    Raises:
        DomainError: as `read_domain` and `read_profile`.
    """
    genius = read_genius_domain(path)
    read: dict[str, UtilitySpace] = {}
    for file in map(Path, profiles):
        role, count = file.stem, 1
        while role in read:
            count += 1
            role = f"{file.stem}@{count}"
        read[role] = read_profile(file, genius)
    return Scenario(genius.domain, read, source=str(path))


def read_folder(folder: Path | str) -> Scenario:
    """The domain of a folder with its profiles; other files are left alone.

    Profiles that the domain file mentions come first, in its order, then the others by name. A
    profile that shares no value with the domain is left out with a warning.

    Raises:
        DomainError: there is no domain; there are several games; or a file is broken.
    """
    folder = Path(folder)
    roots = dict(_elements(folder))
    domains = {
        path: domain_of(root, _name(path, root))
        for path, root in roots.items()
        if root.first("utility_space")
    }
    profiles = {path: root for path, root in roots.items() if root.tag == "utility_space"}
    if not domains:
        raise DomainError(
            "expected a domain file, thus <negotiation_template> with a <utility_space> inside it; "
            f"found {', '.join(path.name for path in roots) or 'no XML file'}.",
            file=str(folder),
        )
    path, played = _game(folder, domains, profiles)
    genius, root = domains[path], roots[path]
    for other in domains:
        if other != path:
            root.warn(f"{other.name} is a domain too; {path.name} is used.")
    mentioned = [
        folder / agent.attributes.get("utility_space", "").strip()
        for agent in root.walk()
        if agent.tag == "agent"
    ]
    seats = [file for file in dict.fromkeys(mentioned) if file in played]
    seats += [file for file in played if file not in seats]
    read = {file.stem: profile_of(profiles[file], genius) for file in seats}
    return Scenario(genius.domain, read, source=str(folder))


def write_domain(domain: Domain, path: Path | str) -> None:
    """Write a domain; reading it gives an equal one.

    Raises:
        DomainError: the format cannot hold an issue (free text, or characters XML forbids).
    """
    write_text(Path(path), domain_text(domain))


def write_profile(space: UtilitySpace, path: Path | str) -> None:
    """Write a profile; reading it gives an equal one.

    Raises:
        DomainError: the format has no such profiles (tables and callables, for example).
    """
    write_text(Path(path), profile_text(space))


def write_scenario(scenario: Scenario, folder: Path, replace: bool = True) -> None:
    """Write ``domain.xml`` and one file for each role, which `read_folder` reads again.

    Raises:
        DomainError: the format cannot hold an issue or a profile; nothing is written.
    """
    write_folder(folder, _texts(scenario), recognises, replace)


def losses(scenario: Scenario) -> list[str]:
    """What Genius's XML cannot hold although the scenario can be written: nothing.

    Raises:
        DomainError: the format cannot hold an issue or a profile.
    """
    _texts(scenario)
    return []


def _texts(scenario: Scenario) -> dict[str, str]:
    texts = {"domain.xml": ""}
    for role, space in scenario.profiles.items():
        texts[file_name(role, ".xml", texts)] = profile_text(space)
    texts["domain.xml"] = domain_text(scenario.domain, profiles=list(texts)[1:])
    return texts


def _name(path: Path, root: Element) -> str:
    """What a domain is called: its file's name without a final "domain", or what else tells.

    A plain ``domain.xml``, as we write it, goes by its objective, unless that has a name of the
    kind that all have, and then by its folder.
    """
    name = re.sub(r"(?i)(^|[ _-]+)domain$", "", path.stem)
    if not name:
        objective = next((e for e in root.walk() if e.tag == "objective"), None)
        called = "" if objective is None else objective.attributes.get("name", "").strip()
        name = "" if called.casefold() in _NO_NAMES else called
    return name or path.absolute().parent.name or path.stem


_NO_NAMES = ("root", "any", "objective", "domain")
"""What objectives are called by those who do not care."""


def _numbered(domain: Domain, root: Element) -> GeniusDomain:
    numbers = {
        issue.attributes["name"]: issue.whole("index")
        for issue in root.walk()
        if issue.tag == "issue" and "name" in issue.attributes
    }
    if all(name in numbers for name in domain.issue_names):
        return GeniusDomain(domain, [numbers[name] for name in domain.issue_names])
    return GeniusDomain(domain, range(1, len(domain.issues) + 1))


def _elements(folder: Path) -> Iterator[tuple[Path, Element]]:
    """The XML files of a folder with their root elements."""
    for path in filter(recognises, visible_files(folder)):
        try:
            yield path, read_xml(path)
        except NoElement:  # such as pareto.xml, a list of numbers that lies beside some profiles
            continue


def _game(
    folder: Path, domains: dict[Path, GeniusDomain], profiles: dict[Path, Element]
) -> tuple[Path, list[Path]]:
    """The domain file to use and the profiles that belong to it."""
    games: dict[GeniusDomain, list[Path]] = {genius: [] for genius in domains.values()}
    for path, root in profiles.items():
        likeness = {genius: _likeness(genius, root) for genius in games}
        best = max(likeness, key=lambda genius: likeness[genius])
        if likeness[best] > 0:
            games[best].append(path)
        else:
            root.warn("this profile shares no value with the domain; it is left out.")
    played = [genius for genius, files in games.items() if files] or list(games)
    names = {genius: path for path, genius in reversed(domains.items())}
    if len(played) > 1:
        raise DomainError(
            f"there is more than one game in this folder: name the domain file of one "
            f"({', '.join(names[genius].name for genius in played)}) and its profiles.",
            file=str(folder),
        )
    return names[played[0]], games[played[0]]


def _likeness(genius: GeniusDomain, root: Element) -> float:
    """Share of the values that domain and profile have in common, among those of either."""
    own: set[tuple[int, str | None]] = set()
    for number, issue in zip(genius.numbers, genius.domain.issues, strict=True):
        values = issue.values if isinstance(issue, DiscreteIssue) else (None,)
        own.update((number, value and value.strip()) for value in values)
    said: set[tuple[int, str | None]] = set()
    for element in root.walk():
        if element.tag == "issue":
            number = element.whole("index")
            items = element.all("item")
            said.update((number, item.attributes.get("value", "").strip()) for item in items)
            if not items:
                said.add((number, None))
        elif element.tag in ("INCLUDES", "EXCLUDES"):
            said.add((element.whole("index"), None))
    return len(own & said) / len(own | said) if own | said else 0.0
