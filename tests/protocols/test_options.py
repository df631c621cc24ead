import math
from typing import Any, Literal

import pytest

from genius_py.errors import OptionError
from genius_py.protocols.options import require_number, require_one_of, require_whole


@pytest.mark.parametrize("value", [None, 0, 2.5, -3])
def test_numbers_and_nothing_pass(value: float | None) -> None:
    require_number("reserve", value)


@pytest.mark.parametrize("value", ["3", True, math.nan, math.inf, -0.5])
def test_what_is_no_number_or_too_small_is_refused_by_name(value: Any) -> None:
    with pytest.raises(OptionError, match="reserve must be a number of 0 or more, not"):
        require_number("reserve", value, 0)


@pytest.mark.parametrize("value", [None, 1, 7])
def test_whole_numbers_and_nothing_pass(value: int | None) -> None:
    require_whole("units", value, 1)


@pytest.mark.parametrize("value", ["3", True, 1.0, 0])
def test_what_is_not_whole_or_too_small_is_refused_by_name(value: Any) -> None:
    with pytest.raises(OptionError, match="units must be a whole number of 1 or more, not"):
        require_whole("units", value, 1)


def test_what_is_none_of_the_values_is_refused_with_all_of_them() -> None:
    direction = Literal["closer", "falling", "rising"]
    require_one_of("direction", "rising", direction)
    with pytest.raises(OptionError, match="direction must be 'closer', 'falling' or 'rising', not"):
        require_one_of("direction", "sideways", direction)
