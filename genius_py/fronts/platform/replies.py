"""Reading what a model replied: an action, or the reason why there is none.

Nothing is ever invented. A reply that could mean two things, or nothing, is unreadable, and
whoever gave it is asked again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from genius_py.errors import ActionError

__all__ = ["as_number", "read_reply"]

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:_\d+)+|-?\d+(?:\.\d+)?")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_SENTENCE = re.compile(r"[.!?;\n]+(?=\s|\Z)")
# A number in its own right: "1.000.000" holds none.
_NUMBER_IN_TEXT = re.compile(rf"(?<![\w.,-])({_NUMBER.pattern})(?![\w]|[.,]\d)")

_ACCEPTING = {"accept", "accepts", "accepted", "accepting", "agree", "agreed"}
_REJECTING = {"reject", "rejects", "rejected", "rejecting", "decline", "declined", "refuse"}
_OFFERING = {"offer", "offers", "propose", "counter", "counteroffer", "counterpropose", "bid"}
_NEGATING = {"not", "never", "cannot", "can't", "won't", "don't", "wouldn't", "unable"}
# What makes an acceptance in the same sentence none, or none yet.
_HEDGING = {*_NEGATING, "no", "if", "unless", "until", "once", "would", "could", "might", "may"}

# Values that models write around numbers, and keys that they forget to quote.
_BRACKETED = re.compile(rf":\s*\[\s*({_NUMBER.pattern})\s*\]")
_GROUPED = re.compile(r":\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?)\s*(?=[,}\]]\s*(?:[\"\w}]|\Z)|\Z)")
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)\s*:")


def read_reply(
    reply: str | Mapping[str, Any], *, number_key: str = "", on_table: float | None = None
) -> dict[str, Any]:
    """The action that a reply means, as a mapping; ``{"decision": {...}}`` is unwrapped.

    A reply is an object already, or a text with JSON objects in it, fenced or not. Of several the
    last one that has a `type` counts, nested ones do not. Slips are repaired: ``[41,500]`` and
    ``"41,500"`` for a number, keys without quotes. A text without any object is read by its words:
    an acceptance, a rejection, or where a game haggles over one number, an offer of it, which
    becomes ``{"type": "offer", number_key: ...}``. `on_table` is the number that can be accepted.

    Raises:
        ActionError: it cannot be read, or could mean several things.
    """
    if isinstance(reply, Mapping):
        return _unwrapped(reply)
    text = _THOUGHTS.sub(" ", reply).strip()
    objects = [found for part in _objects(text) if (found := _parsed(part)) is not None]
    typed = [found for found in objects if "type" in _unwrapped(found)]
    if typed or objects:
        return _unwrapped((typed or objects)[-1])
    if not text:
        raise ActionError("gave an empty reply; reply with one JSON object")
    if "{" in text:
        raise ActionError(f"gave a JSON object that is cut off or broken: {_shown(text)}")
    return _by_words(text, number_key, on_table)


def as_number(value: object) -> int | float | None:
    """A number in whatever guise: 41500, "41,500", [41, 500]; None for what is none.

    Three digits after a point are decimals, and a whole number stays one.

    >>> as_number("41,500"), as_number([41500]), as_number("3.350"), as_number("1.000.000")
    (41500, 41500, 3.35, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, list) and value and all(type(part) is int for part in value):
        head, *groups = value
        if all(0 <= group <= 999 for group in groups) and (not groups or abs(head) < 1000):
            return as_number(",".join([str(head), *(f"{group:03d}" for group in groups)]))
        return None
    if isinstance(value, str):
        digits = value.strip().strip("$€£ ")
        if _NUMBER.fullmatch(digits):
            plain = digits.replace(",", "").replace("_", "")
            return float(plain) if "." in plain else int(plain)
    return None


def _unwrapped(found: Mapping[str, Any]) -> dict[str, Any]:
    decision = found.get("decision")
    return dict(decision) if isinstance(decision, Mapping) else dict(found)


def _objects(text: str) -> Iterator[str]:
    """The top-level ``{...}`` of a text; braces inside quotes do not count."""
    depth = start = 0
    quoted = escaped = False
    for place, sign in enumerate(text):
        if quoted:
            quoted, escaped = (sign != '"' or escaped), (sign == "\\" and not escaped)
        elif sign == '"' and depth:
            quoted = True
        elif sign == "{":
            start = start if depth else place
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                yield text[start : place + 1]


def _parsed(part: str) -> dict[str, Any] | None:
    for attempt in (part, _repaired(part)):
        try:
            found = json.loads(attempt)
        except json.JSONDecodeError:
            continue
        return found if isinstance(found, dict) else None
    return None


def _repaired(part: str) -> str:
    part = _BARE_KEY.sub(r'\1"\2":', part)
    part = _BRACKETED.sub(lambda match: f': "{match[1]}"', part)
    return _GROUPED.sub(lambda match: f': "{match[1]}"', part)


def _by_words(text: str, number_key: str, on_table: float | None) -> dict[str, Any]:
    accepting = rejecting = offering = False
    for sentence in _SENTENCE.split(text.casefold()):
        words = set(_WORD.findall(sentence))
        accepting = accepting or bool(words & _ACCEPTING and not words & _HEDGING)
        rejecting = rejecting or bool(words & _REJECTING and not words & _NEGATING)
        offering = offering or bool(words & _OFFERING)
    numbers = [as_number(number) for number in _NUMBER_IN_TEXT.findall(text)]
    if accepting != rejecting:
        other = [number for number in numbers if number != on_table]
        if accepting and number_key and other:
            raise ActionError(f"both accepted and named {other[-1]}: {_shown(text)}")
        return {"type": "accept" if accepting else "reject"}
    if offering and not accepting and number_key and numbers:
        # What was said last counts: "Bid: 2 ... on reflection, bid: 3" is 3.
        return {"type": "offer", number_key: numbers[-1]}
    raise ActionError(f"gave a reply that is no action: {_shown(text)}")


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 120 else f"{line[:117]}...")
