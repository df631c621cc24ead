import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import StrategyError
from genius_py.strategies.time_dependent import (
    BOULWARE,
    CONCEDER,
    HARDLINER,
    LINEAR,
    concession,
    faratin_exponential,
    target_utility,
)

share = st.floats(0, 1)
speed = st.floats(0.01, 100)


@pytest.mark.parametrize(
    ("e", "conceded"), [(BOULWARE, 0.5**5), (LINEAR, 0.5), (CONCEDER, 0.5**0.5), (HARDLINER, 0.0)]
)
def test_the_four_classic_parties_at_half_time(e: float, conceded: float) -> None:
    assert concession(0.5, e) == pytest.approx(conceded, rel=1e-15)


def test_boulware_of_ten_rounds_asks_for_what_genius_asks() -> None:
    # One line a round, t = r / 11: Genius's BOA time-dependent offering with e = 0.2.
    targets = [target_utility(r / 11, BOULWARE, minimum=0.2) for r in (1, 5, 10)]
    expected = [1 - 0.8 / 11**5, 1 - 0.8 * 5**5 / 11**5, 1 - 0.8 * 10**5 / 11**5]
    assert targets == pytest.approx(expected, abs=1e-14)


def test_k_is_conceded_at_once() -> None:
    assert concession(0.0, BOULWARE, k=0.1) == 0.1
    assert concession(0.5, HARDLINER, k=0.1) == 0.1
    assert concession(1.0, BOULWARE, k=0.1) == 1.0


def test_a_whole_curve_is_one_call() -> None:
    rounds = np.arange(1, 5) / 5
    assert target_utility(rounds, LINEAR, minimum=0.5).tolist() == pytest.approx(
        [0.9, 0.8, 0.7, 0.6]
    )


@given(share, share, speed, share)
def test_what_is_conceded_is_never_taken_back(t: float, u: float, e: float, k: float) -> None:
    early, late = sorted((t, u))
    assert concession(early, e, k) <= concession(late, e, k) + 1e-15


@given(share, speed, share, share, share)
def test_a_target_lies_between_its_bounds(
    t: float, e: float, k: float, low: float, high: float
) -> None:
    low, high = sorted((low, high))
    target = target_utility(t, e, k, low, high)
    assert low <= target <= high or math.isclose(target, high)


def test_the_exponential_family_runs_from_k_to_1() -> None:
    # Faratin et al. (1998): exp((1 - t)^e * ln k).
    assert faratin_exponential(0.0, 0.5, 0.1) == pytest.approx(0.1)
    assert faratin_exponential(0.75, 0.5, 0.1) == pytest.approx(0.1**0.5)
    assert faratin_exponential(1.0, 0.5, 0.1) == 1.0


@given(share, speed)
def test_the_families_agree_on_who_is_slow(t: float, e: float) -> None:
    for family in (concession, faratin_exponential):
        assert family(t, e, 0.1) <= family(t, 2 * e, 0.1) + 1e-15


@pytest.mark.parametrize(
    ("t", "e", "k", "culprit"),
    [
        (-0.01, 1.0, 0.0, "Progress"),
        (1.01, 1.0, 0.0, "Progress"),
        (math.nan, 1.0, 0.0, "Progress"),
        (0.5, -1.0, 0.0, "speed"),
        (0.5, 1.0, 1.5, "first concession"),
    ],
)
def test_an_argument_out_of_range_is_named(t: float, e: float, k: float, culprit: str) -> None:
    with pytest.raises(StrategyError, match=culprit):
        concession(t, e, k)


def test_the_exponential_family_cannot_start_from_nothing() -> None:
    with pytest.raises(StrategyError, match="above 0"):
        faratin_exponential(0.5, 1.0, 0.0)
