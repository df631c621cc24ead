from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.strategies.tit_for_tat import absolute_target, relative_target

utility = st.floats(0, 1)


def test_an_absolute_concession_is_given_back() -> None:
    assert absolute_target(0.9, 0.2, 0.3) == pytest.approx(0.8)


def test_a_relative_concession_scales_our_demand() -> None:
    assert relative_target(0.9, 0.2, 0.25) == pytest.approx(0.72)


@pytest.mark.parametrize("tactic", [absolute_target, relative_target])
def test_a_greedier_opponent_makes_us_greedier(
    tactic: Callable[[float, float, float], float],
) -> None:
    assert tactic(0.7, 0.4, 0.3) > 0.7


def test_an_opponent_that_stays_at_nothing_has_not_moved() -> None:
    assert relative_target(0.7, 0.0, 0.0) == 0.7
    assert relative_target(0.7, 0.1, 0.0, maximum=0.95) == 0.95


@given(utility, utility, utility, utility, utility)
def test_a_target_keeps_its_bounds(
    a: float, b: float, own: float, before: float, after: float
) -> None:
    low, high = sorted((a, b))
    assert low <= absolute_target(own, before, after, low, high) <= high
    assert low <= relative_target(own, before, after, low, high) <= high


def test_many_sessions_at_once() -> None:
    targets = absolute_target(np.array([0.9, 0.8]), np.array([0.2, 0.2]), 0.3)
    assert targets.tolist() == pytest.approx([0.8, 0.7])
