"""The door to all scenarios: files and folders of every format, bundled and random ones."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from os.path import isdir, isfile  # which say no to names that pathlib raises at
from pathlib import Path

import attrs

from genius_py.errors import DomainError, OptionError, UnknownName
from genius_py.formats import genius_xml, geniusweb, negolog, yaml_format
from genius_py.formats.bundled import bundled_names, bundled_path, load_bundled
from genius_py.formats.files import document, visible_files
from genius_py.formats.plain_sum import without_linear
from genius_py.formats.random_scenario import random_scenario, random_scenario_of
from genius_py.formats.scenario_data import scenario_from_dict, scenario_to_dict
from genius_py.scenario import Scenario

__all__ = [
    "FORMATS",
    "Format",
    "bundled_names",
    "bundled_path",
    "format_for",
    "load",
    "load_bundled",
    "losses",
    "random_scenario",
    "save",
    "scenario_from_dict",
    "scenario_to_dict",
]


@attrs.frozen
class Format:
    """How scenarios of one format are read and written.

    `recognises` tells whether a file is of this format, `losses` what would not be kept.
    `write_scenario` takes a folder, or one of the `suffixes` where a file can hold everything.
    """

    name: str
    title: str
    recognises: Callable[[Path], bool]
    read_scenario: Callable[[Path, Sequence[Path]], Scenario]
    read_folder: Callable[[Path], Scenario]
    write_scenario: Callable[[Scenario, Path, bool], None]
    losses: Callable[[Scenario], list[str]]
    suffixes: tuple[str, ...] = ()


FORMATS: Mapping[str, Format] = {
    format.name: format
    for format in (
        Format(
            "yaml",
            "genius-py's own, as YAML or JSON",
            yaml_format.recognises,
            yaml_format.read_scenario,
            yaml_format.read_folder,
            yaml_format.write_scenario,
            yaml_format.losses,
            suffixes=(".yaml", ".yml", ".json"),
        ),
        Format(
            "genius-xml",
            "Java Genius",
            genius_xml.recognises,
            genius_xml.read_scenario,
            genius_xml.read_folder,
            genius_xml.write_scenario,
            genius_xml.losses,
        ),
        Format(
            "geniusweb",
            "GeniusWeb",
            geniusweb.recognises,
            geniusweb.read_scenario,
            geniusweb.read_folder,
            geniusweb.write_scenario,
            geniusweb.losses,
        ),
        Format(
            "negolog",
            "NegoLog",
            negolog.recognises,
            negolog.read_scenario,
            negolog.read_folder,
            negolog.write_scenario,
            negolog.losses,
        ),
    )
}
"""The formats by name; a folder that holds several is read by the first of them."""


def load(source: str | Path, profiles: Sequence[str | Path] = ()) -> Scenario:
    """The scenario of a file, a folder, a bundled name, or a spec ``random:key=value,...``.

    `profiles` are files that take the place of the profiles that the source itself names.

    Raises:
        UnknownName: there is nothing of that name.
        DomainError: the source or a profile is broken; the text says where.
        OptionError: a random spec has an impossible option.
    """
    files = [Path(profile) for profile in profiles]
    if isinstance(source, str):
        if source.partition(":")[0].strip() == "random":
            return random_scenario_of(source)
        name = source.strip().casefold().replace("-", "_")
        if name in bundled_names():
            if not files:
                return load_bundled(name)
            return yaml_format.read_scenario(bundled_path(name) / "scenario.yaml", files)
    path = Path(source)
    if isdir(path):
        if files:
            raise DomainError("with profiles, name the file of the domain.", file=str(path))
        return _format_of(visible_files(path), path).read_folder(path)
    if isfile(path):
        try:
            return _read(path, files)
        except DomainError:
            if other := _other_use(path):
                raise DomainError(other, file=str(path)) from None
            raise
    near = difflib.get_close_matches(str(source), bundled_names(), n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}?" if near else "see `genius-py list domains`."
    raise UnknownName(f"No file, folder or bundled domain is named {str(source)!r}; {hint}")


def _read(path: Path, profiles: Sequence[Path]) -> Scenario:
    if path.suffix.lower() in (".yaml", ".yml"):
        return yaml_format.read_scenario(path, profiles)
    return _format_of([path], path).read_scenario(path, profiles)


def _other_use(path: Path) -> str:
    """What a file that is no scenario is good for; empty where nobody knows."""
    try:
        with path.open("rb") as file:
            head = file.read(200)
        if b"genius-py session log" in head:
            return "this is a session's log; see genius-py replay and genius-py analyze."
        if head.startswith(b"SQLite format 3"):
            return "these are results; see genius-py tournament --show and genius-py report."
        if path.suffix == ".py":
            return "this is Python; a party in it is named by --party FILE.py:Class."
        if path.suffix.lower() in (".yaml", ".yml"):
            content = document(path).content
            if isinstance(content, dict) and content.keys() >= {"parties", "domains"}:
                return "this configures a tournament; see genius-py tournament."
    except (OSError, DomainError):  # it is no file of any kind
        pass
    return ""


def save(
    scenario: Scenario, path: str | Path, format: str | None = None, *, replace: bool = True
) -> None:
    """Write a scenario, in the format that `format_for` finds unless one is named.

    What the format leaves out is told by `losses`.

    Raises:
        DomainError: the format cannot hold the scenario; the text says what. Or a file is there
            already and is not to be replaced; then nothing is written.
        OptionError: there is no such format, or it is written into a folder and not into a file.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    chosen = _named(format_for(path) if format is None else format)
    is_file = suffix in (".xml", ".yaml", ".yml", ".json") and not isdir(path)
    if is_file and suffix not in chosen.suffixes:
        raise OptionError(f"{chosen.title} is written into a folder; name one instead of {path}.")
    kept = scenario if chosen.name == "yaml" else without_linear(scenario)
    chosen.write_scenario(kept, path, replace)


def format_for(path: Path) -> str:
    """The name of the format that a file's extension stands for; ``genius-xml`` for a folder.

    Raises:
        OptionError: no format has the extension, and no folder has that name yet.
    """
    suffix = path.suffix.lower()
    for format in FORMATS.values():
        if suffix in format.suffixes:
            return format.name
    if re.match(r"\.[a-z]", suffix) and suffix != ".xml" and not isdir(path):
        known = ", ".join(suffix for format in FORMATS.values() for suffix in format.suffixes)
        raise OptionError(
            f"No format is written into {suffix} files, as {path} would be one; name a file that "
            f"ends in {known}, or a folder without an extension."
        )
    return "genius-xml"


def losses(scenario: Scenario, format: str) -> list[str]:
    """What would be lost if the scenario were saved in a format: one sentence each.

    Raises:
        DomainError: the format cannot hold the scenario at all.
        OptionError: there is no such format.
    """
    chosen = _named(format)
    if chosen.name == "yaml":
        return chosen.losses(scenario)
    parts = ("description", "deadline", "protocol")
    lost = [f"the {part} of the scenario." for part in parts if getattr(scenario, part)]
    return chosen.losses(without_linear(scenario)) + lost


def _named(format: str) -> Format:
    if format not in FORMATS:
        raise OptionError(f"There is no format {format!r}; choose one of {', '.join(FORMATS)}.")
    return FORMATS[format]


def _format_of(files: Sequence[Path], source: Path) -> Format:
    broken: list[DomainError] = []
    for format in FORMATS.values():
        try:
            if any(map(format.recognises, files)):
                return format
        except DomainError as error:  # which need not matter: it may be a file of another kind
            broken.append(error)
    if broken:
        raise broken[0]
    titles = ", ".join(format.title for format in FORMATS.values())
    raise DomainError(f"expected a scenario of {titles}; found none.", file=str(source))
