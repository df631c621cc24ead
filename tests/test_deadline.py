"""Deadlines and the progress towards them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.deadline import Deadline, Timeline
from genius_py.errors import OptionError
from genius_py.testing.strategies import deadlines


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        ("60rounds", Deadline(rounds=60)),
        ("60", Deadline(rounds=60)),
        (60, Deadline(rounds=60)),
        (" 1 round ", Deadline(rounds=1)),
        ("5R", Deadline(rounds=5)),
        ("30s", Deadline(seconds=30)),
        ("2.5 Seconds", Deadline(seconds=2.5)),
        ("1e-3s", Deadline(seconds=0.001)),
        ("60rounds,30s", Deadline(rounds=60, seconds=30)),
        ("30s,60rounds", Deadline(rounds=60, seconds=30)),
        (Deadline(rounds=3), Deadline(rounds=3)),
    ],
)
def test_deadlines_are_read(text: str | int | Deadline, deadline: Deadline) -> None:
    assert Deadline.parse(text) == deadline


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "write '60rounds' or '30s'"),
        ("soon", "write '60rounds' or '30s'"),
        ("-5", "write '60rounds' or '30s'"),
        ("5 minutes", "write '60rounds' or '30s'"),
        ("2.5rounds", "rounds are whole numbers"),
        ("1e2rounds", "rounds are whole numbers"),
        ("0", "0 rounds is impossible; use 1 or more"),
        ("0s", "0.0 seconds is impossible; use > 0"),
        ("10r,20r", "says twice how many rounds"),
        ("10,20rounds", "says twice how many rounds"),
        ("10s,3r,20secs", "says twice how many seconds"),
        ("9" * 5000, "a number of 5000 digits never comes"),
        ("9" * 5000 + "s", "a number of 5000 digits never comes"),
        ("1000000000000001", "more than 1e.15 rounds never comes"),
        ("1e10s", "more than 1e.09 seconds never comes"),
    ],
)
def test_what_is_no_deadline_is_refused(text: str, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Deadline.parse(text)


@given(deadlines())
def test_what_is_printed_is_read_as_the_same(deadline: Deadline) -> None:
    assert Deadline.parse(str(deadline)) == deadline


def test_deadlines_print_as_they_are_written() -> None:
    assert str(Deadline(rounds=60, seconds=0.5)) == "60rounds,0.5s"
    assert str(Deadline(seconds=1_234_567)) == "1234567s"


def test_there_is_no_unlimited_session() -> None:
    # C42: a refusal, not an endless session.
    with pytest.raises(OptionError, match="a number of rounds or of seconds"):
        Deadline()


@pytest.mark.parametrize(
    "limits", [{"rounds": 1.5}, {"rounds": True}, {"seconds": math.inf}, {"seconds": math.nan}]
)
def test_impossible_limits_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="is impossible"):
        Deadline(**limits)  # type: ignore[arg-type]


def test_progress_in_round_r_is_r_of_n_plus_1() -> None:
    # S2.60 and C40: five rounds are at .1667 .3333 .5 .6667 .8333; never 0, never 1.
    timeline = Timeline(Deadline(rounds=5), lambda: 0.0)
    assert timeline.time == pytest.approx(1 / 6)  # as in Genius before the first turn
    seen = []
    for number in range(1, 6):
        assert not timeline.reached(number)
        seen.append(round(timeline.time, 4))
    assert seen == [0.1667, 0.3333, 0.5, 0.6667, 0.8333]
    assert timeline.reached(6)
    assert timeline.time == pytest.approx(5 / 6)  # it stays in the last round
    assert timeline.round == 5


def test_rounds_are_counted_down() -> None:
    timeline = Timeline(Deadline(rounds=5), lambda: 0.0)
    timeline.reached(2)
    assert (timeline.round, timeline.rounds, timeline.rounds_left) == (2, 5, 3)
    assert Timeline(Deadline(seconds=5), lambda: 0.0).rounds_left is None


def test_progress_in_seconds_is_the_share_that_has_passed() -> None:
    now = [0.0]
    timeline = Timeline(Deadline(seconds=4), lambda: now[0])
    assert timeline.time == 0
    for seconds, share, over in [(1, 0.25, False), (4, 1.0, False), (4.1, 1.0, True)]:
        now[0] = seconds
        assert timeline.reached(1) is over  # strictly more, as in Genius
        assert timeline.time == share


def test_with_both_limits_the_nearer_one_counts() -> None:
    now = [0.0]
    timeline = Timeline(Deadline(rounds=9, seconds=10), lambda: now[0])
    assert not timeline.reached(1)
    assert timeline.time == pytest.approx(0.1)
    now[0] = 5.0
    assert not timeline.reached(2)
    assert timeline.time == 0.5
    now[0] = 5.5
    assert not timeline.reached(9)
    assert timeline.time == pytest.approx(0.9)
    assert timeline.reached(10)
    now[0] = 10.5
    assert timeline.reached(9)


def test_the_clock_is_read_for_seconds_only() -> None:
    def broken() -> float:
        raise AssertionError("read the clock")

    timeline = Timeline(Deadline(rounds=2), broken)
    assert [timeline.reached(number) for number in (1, 2, 3)] == [False, False, True]


@given(deadlines(), st.lists(st.floats(0, 1e7), max_size=8))
def test_progress_stays_in_0_to_1_and_never_runs_backwards(
    deadline: Deadline, seconds: list[float]
) -> None:
    clock = iter([*sorted(seconds), 1e9, 1e9, 1e9, 1e9])
    timeline = Timeline(deadline, clock.__next__)
    seen = [timeline.time]
    for number in range(1, len(seconds) + 2):
        timeline.reached(number)
        seen.append(timeline.time)
    assert all(0 <= time <= 1 for time in seen)
    assert seen == sorted(seen)
