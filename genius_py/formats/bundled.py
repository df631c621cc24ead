"""The scenarios that come with genius-py, found by name wherever it is installed."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from genius_py.errors import UnknownName
from genius_py.formats import yaml_format
from genius_py.scenario import Scenario

__all__ = ["bundled_names", "bundled_path", "load_bundled"]


def bundled_names() -> tuple[str, ...]:
    """The names of all bundled domains, sorted."""
    return tuple(sorted(path.parent.name for path in _root().glob("*/scenario.yaml")))


def bundled_path(name: str) -> Path:
    """The folder of a bundled domain.

    Raises:
        UnknownName: none has exactly this name.
    """
    if name not in bundled_names():
        raise UnknownName(f"No bundled domain is named {name!r}; see `genius-py list domains`.")
    return _root() / name


def load_bundled(name: str) -> Scenario:
    """The scenario of a bundled domain.

    Raises:
        UnknownName: none has exactly this name.
    """
    return yaml_format.read_folder(bundled_path(name))


def _root() -> Path:
    # A string, because imports point downwards; pip always unpacks packages into real folders.
    return Path(str(files("genius_py.domains")))
