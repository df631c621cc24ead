import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import OptionError
from genius_py.tournament.genius_order import genius_order, genius_profiles, genius_size


def test_the_first_seat_varies_fastest() -> None:
    sessions = genius_order("AB", ["p1", "p2"], repetition=True)
    assert [tuple(party for party, _ in session) for session in sessions] == [
        ("A", "A"),
        ("B", "A"),
        ("A", "B"),
        ("B", "B"),
    ]


def test_choices_without_the_first_profile_come_first() -> None:
    assert genius_profiles(["p1", "p2", "p3"], 2) == [("p2", "p3"), ("p1", "p3"), ("p1", "p2")]


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.booleans(), st.integers(1, 2))
def test_the_size_is_the_number_of_sessions(
    parties: int, profiles: int, seats: int, repetition: bool, repeats: int
) -> None:
    if seats > profiles or (seats > parties and not repetition):
        return
    sessions = genius_order(
        list(range(parties)),
        list(range(profiles)),
        seats=seats,
        repetition=repetition,
        repeats=repeats,
    )
    size = genius_size(parties, profiles, seats=seats, repetition=repetition, repeats=repeats)
    assert len(list(sessions)) == size


def test_more_sessions_than_32_bits_can_count_are_refused() -> None:
    with pytest.raises(OptionError, match="2147483647"):
        next(iter(genius_order(range(100), range(10), seats=5, repetition=True)))
