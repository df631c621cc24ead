"""Whether a message tells its sender's reservation value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py import formats
from genius_py.llm.leaks import leaks, numbers_said

CAR = formats.load_bundled("company_car")
BUYER = CAR.profiles["buyer"]  # 41000 is worth 0.4, its reservation value


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My limit is 41000.", ["41000"]),
        ("My limit is 41,000!", ["41,000"]),
        ("My limit is 41.000, really.", ["41.000"]),
        ("My limit is 41 000.", ["41 000"]),
        ("My limit is 41\N{NARROW NO-BREAK SPACE}000.", ["41\N{NARROW NO-BREAK SPACE}000"]),
        ("My limit is 41'000.", ["41'000"]),
        ("My limit is 41_000.", ["41_000"]),
        ("My limit is $41,000.00.", ["41,000.00"]),
        ("My limit is 41k.", ["41k"]),
        ("I need 0.4 or more.", ["0.4"]),
        ("I need 0.40 or more.", ["0.40"]),
        ("I need 40% or more, which is 41000.", ["40%", "41000"]),
    ],
)
def test_the_reservation_value_is_found_in_whatever_guise(said: str, told: list[str]) -> None:
    assert leaks(said, BUYER) == told


@pytest.mark.parametrize(
    "said",
    [
        "",
        "I cannot pay as much.",
        "What about 39,500?",
        "Not 410,000 and not 4,100 and not 141,000.",
        "Call 41-000-22.",
        "Model A41000 is nice.",
        "I said 41,000,000.",
        "Version 0.40.1",
    ],
)
def test_other_numbers_tell_nothing(said: str) -> None:
    assert leaks(said, BUYER) == []


def test_what_has_been_offered_is_no_secret() -> None:
    assert leaks("Your 41,000 is too much.", BUYER, {41_000.0}) == []


def test_a_reservation_value_of_nothing_is_not_told_by_saying_nought() -> None:
    from attrs import evolve

    assert leaks("I pay 0, not 0.0.", evolve(BUYER, reservation_value=0.0)) == []


@given(st.text(st.sampled_from("0123456789.,'_ kK%-\u00a0\u202f\u0664\u00b2x"), max_size=24))
def test_no_text_is_too_much(text: str) -> None:
    for said, readings in numbers_said(text):
        assert said in text
        assert all(number >= 0 for number in readings)
    leaks(text, BUYER)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("1.000.000", {1_000_000.0}),
        ("3.350", {3.35, 3350.0}),
        ("1,234.5", {1234.5}),
        ("12,5", {12.5}),
        ("2.5k", {2500.0}),
        ("40\N{NO-BREAK SPACE}%", {40.0, 0.4}),
        ("1.2'3", set()),
        ("1.2 345", set()),
        ("\u0664\u0661", {41.0}),
    ],
)
def test_a_number_may_mean_several_things(text: str, means: set[float]) -> None:
    assert numbers_said(f"It is {text}!") == [(text, means)]
