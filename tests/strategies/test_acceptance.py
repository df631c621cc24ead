"""The conditions are those of Baarslag, Hindriks & Jonker (2013); numbers are worked by hand."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.strategies import acceptance as ac

utility = st.floats(0, 1)


def test_next_compares_with_the_bid_about_to_be_made() -> None:
    assert ac.ac_next(0.6, 0.6)
    assert not ac.ac_next(0.59, 0.6)
    assert ac.ac_next(0.5, 0.6, a=1.1, b=0.05)  # 0.55 + 0.05


def test_previous_and_gap_and_abmp_compare_with_the_bid_made_last() -> None:
    assert ac.ac_previous(0.6, 0.6)
    assert not ac.ac_previous(0.59, 0.6)
    assert ac.ac_gap(0.595, 0.6)
    assert not ac.ac_gap(0.58, 0.6)
    assert ac.ac_abmp(0.56, 0.6)
    assert not ac.ac_abmp(0.54, 0.6)


def test_nothing_is_compared_with_a_bid_that_was_never_made() -> None:
    assert not ac.ac_previous(1.0, math.nan)
    assert not ac.ac_gap(1.0, math.nan)
    assert not ac.ac_abmp(1.0, math.nan)
    assert not ac.ac_combi_v3(1.0, math.nan, 0.5, a=1.0, b=0.0, c=0.6, after=0.9)
    assert not ac.ac_combi_v4(1.0, math.nan, a=1.0, b=0.0, c=1.0, d=0.0, e=0.8)


def test_const_and_time_are_strict() -> None:
    assert not ac.ac_const(0.9)
    assert ac.ac_const(0.91)
    assert not ac.ac_time(0.99)
    assert ac.ac_time(0.991)


def test_combi_accepts_late_what_is_as_good_as_alpha() -> None:
    assert not ac.ac_combi(0.5, 0.8, 0.97, after=0.98, alpha=0.4)
    assert ac.ac_combi(0.5, 0.8, 0.98, after=0.98, alpha=0.4)
    assert not ac.ac_combi(0.5, 0.8, 0.98, after=0.98, alpha=0.51)
    assert ac.ac_combi(0.8, 0.8, 0.1, after=0.98, alpha=1.0)


def test_plain_combi_accepts_anything_late() -> None:
    assert ac.ac_combi(0.0, 0.8, 0.99)


def test_v2_waits_for_the_end_when_utility_is_discounted() -> None:
    def v2(offered: float, t: float, discount: float) -> bool:
        return ac.ac_combi_v2(
            offered, 0.8, t, a=1.0, b=0.0, c=0.7, d=0.95, after=0.9, discount=discount
        )

    assert v2(0.96, 0.1, 0.5)
    assert v2(0.8, 0.1, 1.0)
    assert not v2(0.8, 0.1, 0.7)
    assert v2(0.8, 0.9, 0.7)
    assert not v2(0.79, 0.95, 1.0)


def test_v3_never_asks_for_more_than_1() -> None:
    assert ac.ac_combi_v3(1.0, 0.99, 0.0, a=1.2, b=0.0, c=0.6, after=0.9)
    assert not ac.ac_combi_v3(0.7, 0.9, 0.9, a=1.0, b=0.0, c=0.6, after=0.9)
    assert ac.ac_combi_v3(0.7, 0.9, 0.91, a=1.0, b=0.0, c=0.6, after=0.9)
    assert not ac.ac_combi_v3(0.6, 0.9, 0.91, a=1.0, b=0.0, c=0.6, after=0.9)


def test_v4_has_a_second_pair_of_numbers_for_discounted_utility() -> None:
    def v4(offered: float, discount: float) -> bool:
        return ac.ac_combi_v4(offered, 0.84, a=1.05, b=0.0, c=1.0, d=0.0, e=0.8, discount=discount)

    assert v4(0.805, 1.0)
    assert not v4(0.805, 0.8)
    assert v4(0.84, 0.8)


def test_a_rule_answers_for_many_sessions_at_once() -> None:
    accepted = ac.ac_next(np.array([0.5, 0.7]), np.array([0.6, 0.6]))
    assert accepted.tolist() == [False, True]


def test_recent_looks_back_as_far_as_the_end_is_ahead() -> None:
    utilities, times = [0.1, 0.2, 0.3, 0.4], [0.4, 0.5, 0.75, 0.8]
    assert ac.recent(utilities, times, 0.75).tolist() == [0.3]  # (0.5, 0.75]
    assert ac.recent(utilities, times, 0.5).tolist() == [0.1, 0.2]
    assert ac.recent([], [], 0.5).size == 0


def test_what_waiting_promises() -> None:
    heard = np.array([0.2, 0.4, 0.6, 0.8])
    assert ac.best(heard) == 0.8
    assert ac.best(np.array([-0.2, -0.1])) == -0.1
    assert ac.average(heard) == pytest.approx(0.5)
    assert ac.average_of_better(heard, 0.5) == pytest.approx(0.7)
    assert ac.expected_better(heard, 0.5) == pytest.approx(0.5 * 0.7)


def test_waiting_promises_nothing_when_nothing_was_heard() -> None:
    nothing = np.zeros(0)
    assert ac.best(nothing) == ac.average(nothing) == 0
    assert ac.average_of_better(nothing, 0.5) == ac.expected_better(nothing, 0.5) == 0
    assert ac.average_of_better(np.array([0.5]), 0.5) == 0


@given(utility, utility, utility, utility, st.floats(0, 1))
def test_a_better_offer_is_never_refused_where_a_worse_one_is_accepted(
    one: float, other: float, planned: float, t: float, alpha: float
) -> None:
    worse, better = sorted((one, other))
    conditions: list[Callable[[float], bool]] = [
        lambda u: ac.ac_next(u, planned, 1.1, -0.05),
        lambda u: ac.ac_combi(u, planned, t, 0.5, alpha),
        lambda u: ac.ac_combi_v2(u, planned, t, 1.1, 0.0, 0.5, 0.9, 0.5, discount=0.5),
        lambda u: ac.ac_combi_v3(u, planned, t, 1.1, 0.0, 0.5, 0.5),
        lambda u: ac.ac_combi_v4(u, planned, 1.1, 0.0, 1.0, 0.1, 0.5),
    ]
    for condition in conditions:
        assert condition(better) or not condition(worse)
