"""Outcomes as arrays, and what is refused."""

import numpy as np
import pytest

from genius_py.analysis.points import as_point, as_points, as_reservation
from genius_py.errors import OptionError, ProfileError


def test_points_have_a_row_an_outcome_and_a_column_a_party() -> None:
    assert as_points([(0, 1), (1, 0), (0.5, 0.5)]).shape == (3, 2)


@pytest.mark.parametrize("utilities", [[], [0.1, 0.2], [[[0.1]]], [[], []]])
def test_points_of_another_shape_are_refused(utilities: list[object]) -> None:
    with pytest.raises(OptionError, match="one row an outcome"):
        as_points(utilities)  # type: ignore[arg-type]


@pytest.mark.parametrize("utility", [float("nan"), float("inf"), float("-inf")])
def test_a_utility_that_is_not_finite_is_named(utility: float) -> None:
    with pytest.raises(ProfileError, match=rf"Outcome 1 is worth {utility} to party 0"):
        as_points([(0.1, 0.2), (utility, 0.3)])


def test_a_point_of_too_few_parties_is_refused() -> None:
    with pytest.raises(OptionError, match="each of the 3 parties"):
        as_point((0.1, 0.2), 3)


def test_a_reservation_value_may_stand_for_all_parties() -> None:
    assert as_reservation(0.3, 3).tolist() == [0.3, 0.3, 0.3]
    assert as_reservation(None, 2).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("reservation", [(0.1, 0.2, 0.3), (0.1, float("nan"))])
def test_reservation_values_that_do_not_fit_are_refused(reservation: tuple[float, ...]) -> None:
    with pytest.raises(OptionError, match="2 parties need 2 finite reservation values"):
        as_reservation(reservation, 2)


def test_points_are_not_copied_without_need() -> None:
    utilities = np.zeros((3, 2), order="F")
    assert as_points(utilities) is utilities
