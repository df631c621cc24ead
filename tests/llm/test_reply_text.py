"""What a model wrote: which object counts, and which number is meant (faults C83 to C130)."""

from collections.abc import Mapping
from typing import Any

import pytest

from genius_py.errors import ActionError
from genius_py.llm.reply_text import as_number, read_object


def has_price(found: Mapping[str, Any]) -> bool:
    return "price" in found


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ('{"price": 5}', 5),
        ('Here it is:\n```json\n{"price": 5}\n```\nI hope that you agree.', 5),
        ('  \n{"price": 5}', 5),
        ('<think>{"price": 1} no, more</think>{"price": 5}', 5),
        ('<thinking>\n{"price": 1}</thinking>\n{"price": 5}', 5),
        ('{"price": 1} is too little.</think>{"price": 5}', 5),
        ('{"note": "a } and a { \\" in quotes"} {"price": 5}', 5),
        ('{"note": "<think>", "price": 5}', 5),
        ('{"price": 5, "note": "a </think> in a value"}\n', 5),
        ('{"price": 5, "note": "two\nlines"}', 5),
        ('{"price": 5, "price": 5}', 5),
    ],
    ids=[
        *("plain", "fenced", "blanks", "think", "thinking", "half-think", "quoted-braces"),
        *("tag-in-a-value", "closing-tag-in-a-value", "line-break-in-a-value", "twice-the-same"),
    ],
)
def test_the_object_is_found_in_what_surrounds_it(text: str, price: int) -> None:
    assert read_object(text, has_price)["price"] == price


def test_of_several_objects_the_last_that_is_wanted_counts() -> None:
    text = 'My bid: {"price": 2}. On reflection: {"price": 3}. Notes: {"mood": "good"}'
    assert read_object(text, has_price) == {"price": 3}  # C83


def test_an_object_inside_another_does_not_count() -> None:
    assert read_object('{"price": 5, "detail": {"price": 9}}', has_price)["price"] == 5  # C83


def test_an_object_torn_out_of_a_broken_one_does_not_count() -> None:
    with pytest.raises(ActionError, match="no whole JSON object"):
        read_object('{"decision": {"price": 9}, oops}', has_price)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty reply"),
        ("   \n", "empty reply"),
        ("<think>I should offer", "empty reply"),
        ('{"price": 38', "cut off"),
        ('{"price": <a number>}', "no whole JSON object"),
        ('{"price": 38,500}', "no whole JSON object"),
        ('{"mood": "good"}', "no whole JSON object"),
        ('{"price": 5, "price": 9}', "no whole JSON object"),
        ('{"price": 5, "extra": {"a": 1, "a": 2}}', "no whole JSON object"),
        ("I cannot accept 40000.", "no JSON object"),
        ("I'm sorry, but I can't help with that.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ("{" * 5000, "no whole JSON object"),
    ],
    ids=[
        "empty",
        "blank",
        "thinks-for-ever",
        "cut-off",
        "example-copied",
        "thousands-in-json",
        "another-object",
        "two-values-of-one-name",
        "two-values-inside",
        "negation",
        "refusal",
        "list",
        "nested-deeply",
    ],
)
def test_what_holds_no_whole_object_of_the_kind_is_refused_with_the_reason(
    text: str, said: str
) -> None:
    with pytest.raises(ActionError, match=said):
        read_object(text, has_price)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        (3, 3),
        (3.5, 3.5),
        ("3", 3),
        ("-1", -1),  # C86
        ("\N{MINUS SIGN}1", -1),
        ("3.350", 3.35),  # C124
        ("41,500", 41500),
        ("1,000,000.5", 1000000.5),
        ("$41,500", 41500),
        ("82_461_110", 82461110),  # C129
        ("1e3", 1000.0),
    ],
)
def test_a_number_is_read_in_whatever_guise(written: object, number: float) -> None:
    assert as_number(written) == number
    assert type(as_number(written)) is type(number)


@pytest.mark.parametrize(
    "written",
    [
        *("1.000.000", "41,50", "1,0000", "41.5k", "three", "", "50%", "3 or 4"),
        *(None, True, [3], {}),
        *(float("nan"), float("inf"), 10**400, "9" * 5000, "-1e999"),
    ],
)
def test_what_is_no_number_or_could_be_two_is_none(written: object) -> None:
    assert as_number(written) is None
