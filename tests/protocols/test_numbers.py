import math
from typing import Any

import pytest

from genius_py.errors import OptionError
from genius_py.protocols.numbers import require_number, shown


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
