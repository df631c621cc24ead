from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import OptionError
from genius_py.tournament.lineups import all_against_one, round_robin

NAMES = st.integers(2, 6).map(lambda n: list("abcdef"[:n]))


@given(NAMES)
def test_in_a_round_robin_everybody_sits_at_each_seat_against_each_other_once(
    names: list[str],
) -> None:
    lineups = round_robin(names, 2)
    assert len(lineups) == len(names) * (len(names) - 1)
    assert set(Counter(lineups).values()) == {1}


@given(NAMES, st.integers(2, 3), st.booleans())
def test_rotated_seats_are_fair(names: list[str], seats: int, self_play: bool) -> None:
    if len(names) < seats and not self_play:
        return
    lineups = round_robin(names, seats, self_play=self_play)
    at_seats = [Counter(lineup[seat] for lineup in lineups) for seat in range(seats)]
    assert all(counts == at_seats[0] for counts in at_seats)


def test_self_play_adds_one_session_of_each_with_itself() -> None:
    assert set(round_robin(["a", "b"], 2, self_play=True)) == {
        ("a", "a"),
        ("a", "b"),
        ("b", "a"),
        ("b", "b"),
    }


def test_unordered_pairs_meet_once() -> None:
    assert round_robin(["a", "b", "c"], 2, seating="fixed") == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]


def test_three_seats_are_rotated_or_tried_in_every_way() -> None:
    assert len(round_robin(["a", "b", "c"], 3)) == 3
    assert len(round_robin(["a", "b", "c"], 3, seating="all")) == 6


def test_all_against_one_leaves_out_the_meetings_of_the_others() -> None:
    assert all_against_one(["llm"], ["a", "b"], 2) == [
        ("llm", "a"),
        ("a", "llm"),
        ("llm", "b"),
        ("b", "llm"),
    ]


def test_too_few_parties_are_refused() -> None:
    with pytest.raises(OptionError, match="3 seats"):
        round_robin(["a", "b"], 3)
    with pytest.raises(OptionError, match="opponents"):
        all_against_one(["a"], ["a"], 2)
