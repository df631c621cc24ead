"""Whether what a party says tells what it should keep to itself: its reservation value."""

from __future__ import annotations

import math
import re
from collections.abc import Container

from genius_py.llm.profile_text import threshold, worth_text
from genius_py.utility import UtilitySpace

__all__ = ["leaks", "numbers_said"]

_BLANKS = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
_NUMBER = re.compile(
    rf"(?<![\w.,])\d+(?:[,.'_]\d+|[{_BLANKS}]\d{{3}}(?!\d))*(?:\s?[kK](?!\w)|\s?%|(?!\w))"
)
_GROUPED = re.compile(rf"\d{{1,3}}(?:([,.'_{_BLANKS}])\d{{3}}(?:\1\d{{3}})*)?|\d+")


def leaks(message: str, space: UtilitySpace, known: Container[float] = ()) -> list[str]:
    """The numbers in a message that tell the reservation value of whoever sends it.

    That value may be told as it is, in per cent, or, where one number is open, by the value of the
    issue that is worth as much. A number of `known`, which the others have seen anyway in
    somebody's offer, tells nothing. Only numbers are looked for, in any usual way of writing them:
    "anything above forty thousand" is not found.
    """
    said = numbers_said(message)
    secrets = _secrets(space) if said else set()
    return [
        text
        for text, readings in said
        if any(
            math.isclose(number, secret) and number not in known
            for number in readings
            for secret in secrets
        )
    ]


def _secrets(space: UtilitySpace) -> set[float]:
    """What the reservation value is, and which value of a single open number is worth as much."""
    least = space.reservation_value
    found = {float(worth_text(least)), least} - {0.0}
    edge = threshold(space)
    if edge is not None:
        found |= {edge.value, float(math.floor(edge.value)), float(math.ceil(edge.value))}
    return found


def numbers_said(text: str) -> list[tuple[str, set[float]]]:
    """Each number in a text, and all that it may mean: "41.000" could be 41 or 41000.

    >>> numbers_said("I pay 41k, or 40 %.") == [("41k", {41000.0}), ("40 %", {40.0, 0.4})]
    True
    """
    return [(found[0], _readings(found[0])) for found in _NUMBER.finditer(text)]


def _readings(text: str) -> set[float]:
    digits = text.rstrip("kK%").rstrip()
    readings = {_plain(digits)} if _GROUPED.fullmatch(digits) else set()
    # The last mark may also start decimals, where what is before it is a number without that mark.
    whole, mark, decimals = _last_mark(digits)
    if decimals.isdecimal() and mark not in whole and _GROUPED.fullmatch(whole):
        readings.add(_plain(whole) + float(f"0.{decimals}"))
    if text[-1] in "kK":
        return {number * 1000 for number in readings}
    return readings | {number / 100 for number in readings} if text[-1] == "%" else readings


def _plain(digits: str) -> float:
    return float(re.sub(r"\D", "", digits))


def _last_mark(digits: str) -> tuple[str, str, str]:
    place = max(digits.rfind("."), digits.rfind(","))
    return (digits, "", "") if place < 0 else (digits[:place], digits[place], digits[place + 1 :])
