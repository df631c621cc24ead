import pytest

from genius_py.protocols.numbers import moved, shown


@pytest.mark.parametrize(("number", "text"), [(60.0, "60"), (0.1, "0.1"), (1 / 3, repr(1 / 3))])
def test_numbers_are_shown_with_all_digits_and_no_more(number: float, text: str) -> None:
    assert shown(number) == text


@pytest.mark.parametrize(
    ("price", "step", "times", "there"),
    [(0.1, 0.2, 1, 0.3), (0.9, -0.1, 6, 0.3), (0.3, -0.3, 1, 0.0), (1e300, 1.0, 1, 1e300)],
)
def test_steps_add_up_as_decimals(price: float, step: float, times: int, there: float) -> None:
    assert moved(price, step, times) == there
