import math
from typing import Any

import pytest

from genius_py.errors import OptionError
from genius_py.protocols.numbers import moved, require_number, shown


@pytest.mark.parametrize("value", [None, 0, 2.5, -3])
def test_numbers_and_nothing_pass(value: float | None) -> None:
    require_number("reserve", value)


@pytest.mark.parametrize("value", ["3", True, math.nan, math.inf, -0.5])
def test_what_is_no_number_or_too_small_is_refused_by_name(value: Any) -> None:
    with pytest.raises(OptionError, match="reserve must be a number of 0 or more, not"):
        require_number("reserve", value, 0)


@pytest.mark.parametrize(("number", "text"), [(60.0, "60"), (0.1, "0.1"), (1 / 3, repr(1 / 3))])
def test_numbers_are_shown_with_all_digits_and_no_more(number: float, text: str) -> None:
    assert shown(number) == text


@pytest.mark.parametrize(
    ("price", "step", "times", "there"),
    [(0.1, 0.2, 1, 0.3), (0.9, -0.1, 6, 0.3), (0.3, -0.3, 1, 0.0), (1e300, 1.0, 1, 1e300)],
)
def test_steps_add_up_as_decimals(price: float, step: float, times: int, there: float) -> None:
    assert moved(price, step, times) == there
