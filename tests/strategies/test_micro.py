"""Examples follow the strategy's definition in de Jonge (2022), worked by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from genius_py.strategies.micro import willing


def test_the_first_move_is_the_best_outcome() -> None:
    assert willing(0, 0, 10) == 1


def test_a_new_offer_of_the_opponent_is_answered_with_one_of_ours() -> None:
    assert willing(2, 2, 10) == 3


def test_nothing_new_is_offered_to_an_opponent_that_repeats_itself() -> None:
    assert willing(3, 2, 10) == 3


def test_it_never_goes_below_the_reservation_value() -> None:
    assert willing(4, 9, 4) == 4
    assert willing(0, 9, 0) == 0


def test_many_sessions_at_once() -> None:
    assert willing(np.array([0, 2, 3]), np.array([0, 2, 2]), 10).tolist() == [1, 3, 3]


@given(st.integers(0, 50), st.lists(st.integers(0, 3), max_size=60))
def test_it_is_never_more_than_one_new_offer_ahead(acceptable: int, news: list[int]) -> None:
    offered = heard = 0
    for new in news:
        before, offered = offered, willing(offered, heard, acceptable)
        assert offered - before in (0, 1)
        assert offered <= min(acceptable, heard + 1)
        heard += new
