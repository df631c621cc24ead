"""Plain data: what JSON holds, and how other values are told in it."""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Mapping
from typing import TypeAlias

__all__ = ["Plain", "plain"]

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"

_DEEPEST = 50
_MOST_BITS = 10_000
"""Of a whole number; Python neither writes nor reads much longer ones."""


def plain(value: object) -> Plain:
    """A copy of a value as plain data.

    Enumerations become their values, tuples lists, sets sorted lists, arrays nested lists, and
    numbers that are not finite the texts ``nan``, ``inf`` and ``-inf``, which JSON has no other
    way to write. Plain data stay as they are.

    Raises:
        ValueError: there is something else in it, or it is nested too deeply; the text says where.
    """
    return _plain(value, "", 0)


def _plain(value: object, path: str, depth: int) -> Plain:
    if depth > _DEEPEST:
        raise ValueError(f"more than {_DEEPEST} levels")
    match value:
        case enum.Enum():
            return _plain(value.value, path, depth)
        case None | bool():
            return value
        case str():
            return str.__str__(value)
        case int() if value.bit_length() <= _MOST_BITS:
            return int(value)
        case float():
            return float(value) if math.isfinite(value) else repr(float(value))
        case Mapping():
            return _mapping(value, path, depth)
        case list() | tuple():
            return [_plain(entry, f"{path}[{i}]", depth + 1) for i, entry in enumerate(value)]
        case set() | frozenset():
            # The order of a set differs from run to run.
            return sorted((_plain(entry, path, depth + 1) for entry in value), key=json.dumps)
    # What numpy calls its numbers and arrays; no other type is taken for one of them.
    if type(value).__module__ == "numpy" and (listed := getattr(value, "tolist", None)):
        return _plain(listed(), path, depth + 1)
    where = f" at {path}" if path else ""
    raise ValueError(f"a value of type {type(value).__name__}{where}")


def _mapping(value: Mapping[object, object], path: str, depth: int) -> dict[str, Plain]:
    told: dict[str, Plain] = {}
    for key, entry in value.items():
        name = _plain(key, path, depth + 1)
        if isinstance(name, (list, dict)):
            raise ValueError(f"a key of type {type(key).__name__}{f' at {path}' if path else ''}")
        text = name if isinstance(name, str) else json.dumps(name)
        if text in told:
            raise ValueError(f"two keys {text!r}{f' at {path}' if path else ''}")
        told[text] = _plain(entry, f"{path}.{text}" if path else text, depth + 1)
    return told
