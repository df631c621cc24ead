"""Specs of classes: what to write so that a log, or another process, finds a plug-in again."""

from __future__ import annotations

from typing import Any

from genius_py import registry
from genius_py.errors import OptionError, UnknownName

__all__ = ["spec_of"]


def spec_of(kind: str, plug_in: str | type[Any]) -> str:
    """The spec of a class: its registered name, else ``module:Class``; a spec as it is.

    Raises:
        UnknownName: nothing is found under the spec.
        OptionError: the class stands inside a function, where nothing finds it.
    """
    if isinstance(plug_in, str):
        registry.class_of(kind, plug_in)
        return plug_in
    name = plug_in.__dict__.get("name")
    if name and registry.names(kind).get(name) is plug_in:
        return str(name)
    place = f"{plug_in.__module__}:{plug_in.__qualname__}"
    try:
        found = registry.find(kind, place)
    except UnknownName:
        found = None
    if found is not plug_in:
        raise OptionError(
            f"{plug_in.__qualname__} stands where no log can find it again; move it to the top "
            f"of a module, or name it as path/to/file.py:{plug_in.__name__}."
        )
    return place
