"""What successive offers say of how a party negotiates."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.analysis.process import Move, concession_rate, concessions, move_shares, moves
from genius_py.errors import OptionError

utilities = st.lists(st.integers(0, 8).map(lambda n: n / 8), max_size=12)


def test_a_concession_is_what_is_given_away() -> None:
    assert concessions([1.0, 0.75, 0.75, 0.875]).tolist() == [0.25, 0.0, -0.125]
    assert concessions([1.0]).tolist() == []
    assert concessions([]).tolist() == []


@pytest.mark.parametrize(
    ("own", "other", "kind"),
    [
        (-1, +1, Move.CONCESSION),
        (-1, 0, Move.CONCESSION),
        (-1, -1, Move.UNFORTUNATE),
        (0, +1, Move.NICE),
        (0, 0, Move.SILENT),
        (0, -1, Move.UNFORTUNATE),
        (+1, +1, Move.FORTUNATE),
        (+1, 0, Move.SELFISH),
        (+1, -1, Move.SELFISH),
    ],
)
def test_each_change_has_the_name_that_hindriks_gave_it(own: int, other: int, kind: Move) -> None:
    assert moves([0.5, 0.5 + own / 10], [0.5, 0.5 + other / 10]) == [kind]


def test_changes_within_the_tolerance_count_as_none() -> None:
    assert moves([0.5, 0.5 + 1e-12], [0.5, 0.5 - 1e-12]) == [Move.SILENT]
    assert moves([0.5, 0.52], [0.5, 0.6], tolerance=0.03) == [Move.NICE]


@given(utilities)
def test_there_is_one_move_less_than_offers(own: list[float]) -> None:
    assert len(moves(own, own[::-1])) == max(0, len(own) - 1)


@given(utilities)
def test_shares_of_moves_add_up_to_one(own: list[float]) -> None:
    shares = move_shares(moves(own, own[::-1]))
    assert set(shares) == set(Move)
    total = sum(shares.values())
    assert math.isnan(total) if len(own) < 2 else total == pytest.approx(1.0)


def test_offers_that_are_worth_something_to_one_party_only_are_refused() -> None:
    with pytest.raises(OptionError, match="got 2 and 1"):
        moves([1.0, 0.9], [0.1])
    with pytest.raises(OptionError, match="one row of numbers"):
        concessions([[1.0, 0.9]])


def test_the_concession_rate_runs_from_keeping_all_to_giving_all() -> None:
    assert concession_rate([1.0, 1.0], full_yield=0.4) == 0.0
    assert concession_rate([1.0, 0.7], full_yield=0.4) == pytest.approx(0.5)
    assert concession_rate([1.0, 0.4], full_yield=0.4) == 1.0
    assert concession_rate([0.2, 1.0], full_yield=0.4) == 1.0
    assert concession_rate([1.0], full_yield=1.0) == 1.0
    assert math.isnan(concession_rate([], full_yield=0.4))
