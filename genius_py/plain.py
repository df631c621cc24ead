"""Plain data: what JSON holds, and how other values are told in it."""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

__all__ = ["Plain", "plain"]

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"

_DEEPEST = 50
_MOST_BITS = 10_000
"""Of a whole number; Python neither writes nor reads much longer ones."""

_AS_IS = frozenset({str, bool, type(None)})
"""Types whose values are plain whatever they are; asked first, for logs hold hardly anything else.
"""


def plain(value: object) -> Plain:
    """A copy of a value as plain data.

    Enumerations become their values, tuples lists, sets sorted lists, arrays nested lists, and
    numbers that are not finite the texts ``nan``, ``inf`` and ``-inf``, which JSON has no other
    way to write. Plain data stay as they are.

    Raises:
        ValueError: there is something else in it, or it is nested too deeply; the text says where.
    """
    try:
        return _plain(value, 0)
    except _NotPlain as error:
        raise ValueError(str(error)) from None


class _NotPlain(Exception):
    """What is wrong; the way to it is found on the way out."""

    def __init__(self, what: str, has_place: bool = True) -> None:
        self.what = what
        self.path = ""
        self.has_place = has_place

    def __str__(self) -> str:
        place = self.path.removeprefix(".")
        return f"{self.what} at {place}" if place and self.has_place else self.what


def _plain(value: object, depth: int) -> Plain:
    if type(value) in _AS_IS:
        return value  # type: ignore[return-value]
    if depth > _DEEPEST:
        raise _NotPlain(f"more than {_DEEPEST} levels", has_place=False)
    match value:
        case enum.Enum():
            return _plain(value.value, depth)
        case float():
            return float(value) if math.isfinite(value) else repr(float(value))
        case str():
            return str.__str__(value)
        case int() if value.bit_length() <= _MOST_BITS:
            return int(value)
        case dict() | Mapping():
            return _mapping(value, depth)
        case list() | tuple():
            return _list(value, depth)
        case set() | frozenset():
            # The order of a set differs from run to run.
            return sorted((_plain(entry, depth + 1) for entry in value), key=json.dumps)
    # What numpy calls its numbers and arrays; no other type is taken for one of them.
    if type(value).__module__ == "numpy" and (listed := getattr(value, "tolist", None)):
        return _plain(listed(), depth + 1)
    raise _NotPlain(f"a value of type {type(value).__name__}")


def _list(value: Iterable[object], depth: int) -> list[Plain]:
    told: list[Plain] = []
    try:
        for entry in value:
            told.append(_plain(entry, depth + 1))
    except _NotPlain as error:
        error.path = f"[{len(told)}]{error.path}"
        raise
    return told


def _mapping(value: Mapping[object, object], depth: int) -> dict[str, Plain]:
    told: dict[str, Plain] = {}
    for key, entry in value.items():
        text = key if type(key) is str else _text(key, depth)
        if text in told:
            raise _NotPlain(f"two keys {text!r}")
        if type(entry) in _AS_IS:
            told[text] = entry  # type: ignore[assignment]
            continue
        try:
            told[text] = _plain(entry, depth + 1)
        except _NotPlain as error:
            error.path = f".{text}{error.path}"
            raise
    return told


def _text(key: object, depth: int) -> str:
    name = _plain(key, depth + 1)
    if isinstance(name, (list, dict)):
        raise _NotPlain(f"a key of type {type(key).__name__}")
    return name if isinstance(name, str) else json.dumps(name)
