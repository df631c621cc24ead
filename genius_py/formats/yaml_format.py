"""The YAML format of scenarios (docs/reference/scenario-format.md), and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import isfile
from pathlib import Path

import attrs

from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.files import document, json_of, outline, visible_files, write_text
from genius_py.formats.node import Node
from genius_py.formats.oddities import warn_of_oddities
from genius_py.formats.profile_data import is_kept, profile_of
from genius_py.formats.scenario_data import scenario_of, scenario_to_dict
from genius_py.formats.yaml_text import yaml_of
from genius_py.scenario import Scenario
from genius_py.utility import UtilitySpace

__all__ = ["losses", "read_folder", "read_scenario", "recognises", "write_scenario"]

_SUFFIXES = (".yaml", ".yml")
_FILE = "scenario.yaml"


def recognises(path: Path) -> bool:
    """Whether a file is a scenario of this format (profiles and the like are not)."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        return {"issues", "profiles"} <= outline(path).keys()
    if suffix not in _SUFFIXES or path.name == _FILE:
        return path.name == _FILE
    content = document(path).content
    return isinstance(content, dict) and "issues" in content


def read_scenario(path: Path, profiles: Sequence[Path] = ()) -> Scenario:
    """The scenario of a file; with `profiles`, files of one profile each take the place of its own.

    A profile that is a text names the file that holds it, in the same folder.

    Raises:
        DomainError: naming file, line, column and what was expected.
    """

    def read_profile(node: Node, domain: Domain) -> UtilitySpace:
        if node.is_null or not isinstance(node.content, str):
            return profile_of(node, domain)
        name = node.text()
        if Path(name).name != name or not isfile(path.parent / name):
            raise node.error(f"{name!r} is not the name of a file in the same folder.")
        return profile_of(document(path.parent / name), domain)

    name = path.resolve().parent.name if path.name == _FILE else path.stem
    scenario = scenario_of(document(path), name, read_profile)
    if profiles:
        given = {file.stem: profile_of(document(file), scenario.domain) for file in profiles}
        scenario = attrs.evolve(scenario, profiles=given)
    warn_of_oddities(scenario)
    return scenario


def read_folder(folder: Path) -> Scenario:
    """The scenario of a folder: its ``scenario.yaml``, or the only file that is a scenario.

    Raises:
        DomainError: there is none, or more than one.
    """
    files = visible_files(folder)
    found = [file for file in files if file.name == _FILE] or list(filter(recognises, files))
    if len(found) != 1:
        names = ", ".join(file.name for file in found) or "none"
        raise DomainError(
            f"expected one scenario, found {names}; call it {_FILE}.", file=str(folder)
        )
    return read_scenario(found[0])


def write_scenario(scenario: Scenario, path: Path, replace: bool = True) -> None:
    """Write a YAML file, a JSON file (by its suffix), or ``scenario.yaml`` into a folder.

    Raises:
        DomainError: a profile is a function over a domain too large to be listed.
    """
    data = scenario_to_dict(scenario)
    suffix = path.suffix.lower()
    if suffix == ".json":
        write_text(path, json_of(data), replace)
    else:
        write_text(path if suffix in _SUFFIXES else path / _FILE, yaml_of(data), replace)


def losses(scenario: Scenario) -> list[str]:
    """What is not kept: a function becomes the table of its values."""
    return [
        f"profile {role!r} is a {type(space).__name__}; the table of its utilities is kept."
        for role, space in scenario.profiles.items()
        if not is_kept(space)
    ]
