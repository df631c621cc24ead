import math

import pytest

from genius_py.action import InformVotingResult, Vote
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.issue import IntegerIssue
from genius_py.parties.annealer import Annealer
from genius_py.utility import LinearUtilitySpace
from tests.parties.informed import Clock, informed

HILL = Domain("hill", [IntegerIssue("height", 0, 10)])
SPACE = LinearUtilitySpace(domain=HILL, coefficients=[1.0], scale=10, reservation_value=0.2)


def at(height: int) -> Bid:
    return HILL.bid(height=height)


def share_accepted(height: int, time: float) -> float:
    """How often it steps down to a height from height 8."""
    clock = Clock(Deadline(rounds=99), lambda: 0.0)
    clock.show(1, time)
    party = informed(Annealer(), SPACE, clock=clock)
    party.receive_message("med", InformVotingResult("med", at(8), Vote.ACCEPT))
    return sum(party.accepts(at(height)) for _ in range(4000)) / 4000


@pytest.mark.parametrize("height", [5, 7])
@pytest.mark.parametrize("time", [0.1, 0.5, 0.9])
def test_it_steps_down_with_the_probability_of_simulated_annealing(
    height: int, time: float
) -> None:
    expected = math.exp((height - 8) / 10 / (1 - time))
    assert share_accepted(height, time) == pytest.approx(expected, abs=0.03)


def test_at_the_end_it_never_steps_down() -> None:
    assert share_accepted(7, 1.0) == 0
    assert share_accepted(8, 1.0) == 1


def test_it_never_goes_below_its_reservation_value() -> None:
    assert share_accepted(1, 0.0) == 0
