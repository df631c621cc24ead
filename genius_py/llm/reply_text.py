"""Reading what a model wrote: the JSON object that counts, numbers and names in whatever guise.

Nothing is invented and nothing is guessed from prose: a reply that holds no whole object has no
meaning, and whoever gave it is asked again.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from genius_py.errors import ActionError

__all__ = ["as_number", "bare_name", "key_of", "read_object"]

_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_GROUPED = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNDERSCORED = re.compile(r"-?\d+(?:_\d+)+(?:\.\d+)?")
_SHOWN = 120


def _said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for key, value in pairs:
        if key in said and said[key] != value:
            raise ValueError(f"{key} is given twice")
        said[key] = value
    return said


_decode = json.JSONDecoder(strict=False, object_pairs_hook=_said_once).raw_decode
"""Reads line breaks inside of texts, which models write; not two values of one name."""


def read_object(text: str, is_wanted: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any]:
    """The last top-level JSON object of a reply that `is_wanted`.

    Thoughts between tags do not count, fences and prose around objects neither, and an object
    inside another is part of it.

    Raises:
        ActionError: there is none; the text says what was wrong with the reply.
    """
    answer = text.strip()
    if not _is_object(answer):  # one that is nothing else may have such a tag in a value
        answer = _THOUGHTS.sub(" ", answer)
        # What follows a closing tag alone is the answer of a model whose prompt opened it.
        answer = re.split(r"</think(?:ing)?>", answer, flags=re.IGNORECASE)[-1].strip()
    found = [one for one in _objects(answer) if is_wanted(one)]
    if found:
        return found[-1]
    if not answer:
        raise ActionError("gave an empty reply; reply with one JSON object")
    if "{" in answer:
        raise ActionError(
            f"gave no whole JSON object of the kind asked for (broken, cut off, or another): "
            f"{_shown(answer)}"
        )
    raise ActionError(f"gave no JSON object: {_shown(answer)}")


def _is_object(text: str) -> bool:
    try:
        return text.startswith("{") and _decode(text)[1] == len(text)
    except (ValueError, RecursionError):
        return False


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The top-level objects of a text, each skipped over once it has been read."""
    place = text.find("{")
    while place >= 0:
        try:
            value, end = _decode(text, place)
        except (ValueError, RecursionError):  # also of numbers with thousands of digits
            # A broken object hides those inside it, which could be parts torn out of it.
            end = _end_of_braces(text, place)
        else:
            yield value
        place = text.find("{", end)


def _end_of_braces(text: str, start: int) -> int:
    """Where the braces that open at `start` are closed again; the text's end if they are not."""
    depth = 0
    quoted = escaped = False
    for place in range(start, len(text)):
        sign = text[place]
        if quoted:
            quoted, escaped = (sign != '"' or escaped), (sign == "\\" and not escaped)
        elif sign == '"':
            quoted = True
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                return place + 1
    return len(text)


def as_number(value: object) -> int | float | None:
    """The number that a value is or spells; None for what is none, could be two, or has no end.

    Commas group thousands, a point starts decimals, and a minus sign is never lost.

    >>> as_number("41,500"), as_number("3.350"), as_number("1.000.000"), as_number("-1")
    (41500, 3.35, None, -1)
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value if abs(value) <= sys.float_info.max else None
    if not isinstance(value, str):
        return None
    digits = value.strip().replace("\N{MINUS SIGN}", "-").strip("$€£ ")
    if _GROUPED.fullmatch(digits) or _UNDERSCORED.fullmatch(digits):
        digits = digits.replace(",", "").replace("_", "")
    if not _PLAIN.fullmatch(digits) or not math.isfinite(number := float(digits)):
        return None
    return int(digits) if digits.lstrip("-").isdigit() else number


def bare_name(name: object) -> str:
    """A name as it is compared: letters and digits, in whatever case."""
    return re.sub(r"[\W_]+", "", str(name)).casefold() or str(name)


def key_of(name: str, written: Mapping[str, Any]) -> str | None:
    """Under which key a value was given: the very name, or the only one that reads alike."""
    if name in written:
        return name
    alike = [key for key in written if bare_name(key) == bare_name(name)]
    return alike[0] if len(alike) == 1 else None


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}...")
