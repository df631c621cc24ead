import numpy as np
import pytest

from genius_py.domain import Domain
from genius_py.errors import StrategyError
from genius_py.issue import IntegerIssue
from genius_py.strategies.ladder import GeniusLadder, Ladder

NUMBERS = Domain("numbers", [IntegerIssue("n", 0, 9)])
FALLING = np.array([1.0, 0.9, 0.9, 0.9, 0.4, 0.1])


def rungs(kind: type[Ladder] = Ladder) -> Ladder:
    return kind(FALLING, NUMBERS.bid_at)


def test_a_ladder_finds_the_first_rung_of_equals() -> None:
    assert rungs().near(0.85).index == 1
    assert rungs().near(0.9).index == 1
    assert rungs().near(0.91).index == 0


def test_a_target_that_nothing_reaches_gets_the_best() -> None:
    assert rungs().near(1.1).index == 0


def test_a_target_below_all_gets_the_worst() -> None:
    assert rungs().near(-1.0).index == 5


def test_a_ladder_knows_its_ends() -> None:
    assert (len(rungs()), rungs().maximum, rungs().minimum) == (6, 1.0, 0.1)


def test_a_range_includes_both_bounds() -> None:
    assert list(rungs().in_range(0.4, 0.9)) == [1, 2, 3, 4]
    assert list(rungs().in_range(0.5, 0.8)) == []


def test_a_rung_is_made_once() -> None:
    made: list[int] = []
    ladder = Ladder(FALLING, lambda rung: made.append(rung) or NUMBERS.bid_at(rung))  # type: ignore[func-returns-value]
    assert ladder.bid(4) is ladder.near(0.2)
    assert made == [4]


def test_genius_takes_a_neighbour_above_the_range_along() -> None:
    # 0.4 is searched for by bisection and found; the bid above 0.8 comes with it.
    assert list(rungs(GeniusLadder).in_range(0.4, 0.8)) == [3, 4]


def test_a_ladder_without_rungs_is_refused() -> None:
    with pytest.raises(StrategyError, match="no bid"):
        Ladder(np.empty(0), NUMBERS.bid_at)
