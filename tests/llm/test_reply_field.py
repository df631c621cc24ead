"""Fields of replies: which numbers are asked for, and in which words."""

from __future__ import annotations

import json
import math

import pytest

from genius_py.llm.reply_field import NumberField


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (5e-324, 200.0),
        (0.0, math.inf),
        (-math.inf, -5.0),
        (0.3, 0.3004),
        (-2.345, 0.001),
        (0.5, 0.7),
        (0.0, 1e18),
        (-1e-7, 1e-7),
    ],
)
def test_every_range_of_numbers_has_short_values_within_it(low: float, high: float) -> None:
    schema = NumberField(low, high, False, "it").schema
    assert low <= schema["minimum"] < schema["maximum"] <= high
    assert len(str(schema["multipleOf"])) < 12


@pytest.mark.parametrize(
    ("low", "high", "integer"),
    [
        (0.0, 1e-9, False),
        (1e-9, 2e-9, False),
        (5e-324, 1e-323, False),
        (1e-300, 1e-299, False),
        (0.0, 1e30, False),
        (-1e308, 1e308, False),
        (-1e25, -1e24, False),
        (0, 10**30, True),
        (-(10**30), -(10**29), True),
        (-(2**63), 2**63 - 1, True),
        (10**30, 10**30 + 3, True),
    ],
)
def test_of_what_no_engine_can_be_kept_to_some_values_are_named(
    low: float, high: float, integer: bool
) -> None:
    field = NumberField(low, high, integer, "it")
    named = field.schema["enum"]
    assert 2 <= len(named) == len(set(named)) <= 101
    values = [field.read(value) for value in named]
    assert (values[0], values[-1]) == (low, high)
    assert values == sorted(values)
    assert [field.read(json.loads(json.dumps(value))) for value in named] == values


@pytest.mark.parametrize(
    ("low", "high", "integer", "hint"),
    [
        (35_000, 45_000, True, "a whole number from 35000 to 45000"),
        (0.5, 2.5, False, "a number from 0.5 to 2.5"),
        (5e-324, math.inf, False, "a number above 0"),
        (5e-324, 200.0, False, "a number above 0 up to 200"),
        (1, math.inf, True, "a whole number from 1 up"),
        (-math.inf, 7.0, False, "a number up to 7"),
        (-math.inf, math.inf, False, "a number"),
    ],
)
def test_a_range_is_told_in_words_that_nobody_could_copy(
    low: float, high: float, integer: bool, hint: str
) -> None:
    assert NumberField(low, high, integer, "it").hint == hint


def test_a_single_number_is_named() -> None:
    assert NumberField(2.5, 2.5, False, "it").schema == {"const": 2.5}
