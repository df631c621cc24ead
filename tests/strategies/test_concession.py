"""Numbers S3.x are those of the executor's description, computed from its formulas."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import StrategyError
from genius_py.strategies.concession import (
    exponential_concession,
    last_concession,
    linear_concession,
    next_offer,
    time_dependent_concession,
    tit_for_tat_concession,
)

Curve = Callable[[int, int, float, float], float]
CURVES: list[Curve] = [linear_concession, exponential_concession, time_dependent_concession]

price = st.floats(-1e6, 1e6)
rounds = st.integers(1, 200)


def offers(curve: Curve, first: float, reservation: float, max_rounds: int) -> list[float]:
    """What a party offers in rounds 1 to max_rounds, each time from its last offer."""
    made = [first]
    for round in range(1, max_rounds + 1):
        made.append(curve(round, max_rounds, reservation, made[-1]))
    return made[1:]


def test_linear_gives_equal_steps() -> None:  # S3.10
    expected = [95, 90, 85, 80, 75, 70, 65, 60, 55, 50]
    assert offers(linear_concession, 100, 50, 10) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("curve", [exponential_concession, time_dependent_concession])
def test_exponential_and_time_dependent_are_one_curve(curve: Curve) -> None:  # S3.11 - S3.13
    expected = [99.5, 97.52, 93.2432, 86.324288, 77.243216]
    expected += [67.435658, 58.892186, 53.201187, 50.608226, 50]
    assert offers(curve, 100, 50, 10) == pytest.approx(expected, abs=1e-6)


@given(rounds, rounds, price, price)
def test_the_two_names_agree_everywhere(
    round: int, max_rounds: int, reservation: float, current: float
) -> None:  # S3.13
    asked = (round, max_rounds, reservation, current)
    assert exponential_concession(*asked) == pytest.approx(
        time_dependent_concession(*asked), rel=1e-12, abs=1e-8
    )


@pytest.mark.parametrize("curve", CURVES)
@given(max_rounds=rounds, late=st.integers(0, 5), reservation=price, current=price)
def test_from_the_last_round_on_the_offer_is_the_reservation_value(
    curve: Curve, max_rounds: int, late: int, reservation: float, current: float
) -> None:  # S3.14
    assert curve(max_rounds + late, max_rounds, reservation, current) == reservation


@pytest.mark.parametrize("curve", [*CURVES, tit_for_tat_concession])
def test_there_is_no_round_before_the_first(curve: Curve) -> None:  # S3.14
    with pytest.raises(StrategyError, match="no round 0"):
        curve(0, 10, 50.0, 100.0)
    with pytest.raises(StrategyError, match="at least one round"):
        curve(1, 0, 50.0, 100.0)


def test_a_buyer_rises_to_the_reservation_value() -> None:  # S3.16
    assert offers(linear_concession, 50, 80, 5) == pytest.approx([56, 62, 68, 74, 80])
    expected = [51.2, 55.808, 64.51712, 74.426163, 80]
    assert offers(exponential_concession, 50, 80, 5) == pytest.approx(expected, abs=1e-6)
    assert offers(time_dependent_concession, 50, 80, 5) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("curve", [*CURVES, tit_for_tat_concession])
@given(round=rounds, max_rounds=rounds, value=price)
def test_nobody_moves_from_the_reservation_value(
    curve: Curve, round: int, max_rounds: int, value: float
) -> None:  # S3.16
    assert curve(round, max_rounds, value, value) == value


@pytest.mark.parametrize("curve", CURVES)
@given(round=rounds, max_rounds=rounds, reservation=price, current=price)
def test_an_offer_lies_between_the_last_one_and_the_reservation_value(
    curve: Curve, round: int, max_rounds: int, reservation: float, current: float
) -> None:
    low, high = sorted((reservation, current))
    assert low - 1e-9 <= curve(round, max_rounds, reservation, current) <= high + 1e-9


def test_a_curve_from_the_first_offer_does_not_compound() -> None:  # S3.13
    anchored = [
        time_dependent_concession(round, 4, 50.0, 60.0, e=1.0, initial=100.0)
        for round in (1, 2, 3, 4)
    ]
    assert anchored == [87.5, 75, 62.5, 50]


def test_the_exponent_tells_a_boulware_from_a_conceder() -> None:
    boulware = time_dependent_concession(5, 10, 50.0, 0.0, e=0.2, initial=100.0)
    conceder = time_dependent_concession(5, 10, 50.0, 0.0, e=2.0, initial=100.0)
    assert boulware == pytest.approx(100 - 50 * 0.5**5)
    assert conceder == pytest.approx(100 - 50 * 0.5**0.5)


def test_a_hardliner_gives_in_only_in_the_last_round() -> None:
    assert [time_dependent_concession(r, 3, 50.0, 100.0, e=0.0) for r in (1, 2, 3)] == [
        100,
        100,
        50,
    ]


def test_many_parties_concede_in_one_call() -> None:
    current = np.array([100.0, 65.0, 30.0])
    # S3.31: three parties between 100 and 30, the first of 15 rounds.
    assert linear_concession(np.full(3, 1), 15, 30.0, current).tolist() == pytest.approx(
        [95.333333, 62.666667, 30], abs=1e-6
    )


def test_tit_for_tat_is_linear_until_the_opponent_has_made_two_offers() -> None:  # S3.17
    assert tit_for_tat_concession(1, 10, 50.0, 100.0) == 95
    assert tit_for_tat_concession(2, 10, 50.0, 95.0, last_concession([50.0], 95.0)) == 90


def test_tit_for_tat_stands_still_against_an_opponent_that_does() -> None:  # S3.18
    standing: list[float] = []
    made = [100.0]
    for round in range(1, 6):
        answer = last_concession(standing, made[-1])
        made.append(tit_for_tat_concession(round, 10, 50.0, made[-1], answer))
        standing.append(50.0)
    assert made[1:] == [95, 90, 90, 90, 90]


def test_tit_for_tat_mirrors_a_concession_in_either_direction() -> None:
    assert tit_for_tat_concession(3, 10, 50.0, 90.0, last_concession([40, 47], 90.0)) == 83
    assert tit_for_tat_concession(3, 10, 90.0, 50.0, last_concession([99, 92], 50.0)) == 57


@given(rounds, rounds, price, price, st.floats(0, 1e7))
def test_tit_for_tat_never_passes_the_reservation_value(
    round: int, max_rounds: int, reservation: float, current: float, opponent: float
) -> None:
    low, high = sorted((reservation, current))
    assert low <= tit_for_tat_concession(round, max_rounds, reservation, current, opponent) <= high


def test_a_negative_concession_is_refused() -> None:
    with pytest.raises(StrategyError, match="0 or more"):
        tit_for_tat_concession(3, 10, 50.0, 90.0, -1.0)


@pytest.mark.parametrize(
    ("heard", "amount"), [([40, 47], 7), ([47, 40], 0), ([40, 40], 0), ([10, 40, 47], 7)]
)
def test_only_a_move_towards_us_is_a_concession(heard: Sequence[float], amount: float) -> None:
    assert last_concession(heard, 100.0) == amount


@pytest.mark.parametrize("heard", [[], [40.0]])
def test_a_concession_takes_two_offers(heard: Sequence[float]) -> None:
    assert math.isnan(last_concession(heard, 100.0))


def halfway(
    round: int, max_rounds: int, reservation: float, current: float, history: object
) -> float:
    return (current + reservation) / 2


def test_a_plain_function_is_a_strategy() -> None:  # S3.19
    assert next_offer(halfway, 1, 10, 50.0, 100.0) == 75


@pytest.mark.parametrize("answer", [math.nan, math.inf, -math.inf, None, "75"])
def test_an_answer_that_is_no_finite_number_names_its_strategy(answer: float) -> None:  # S3.19
    def stubborn(*asked: object) -> float:
        return answer

    with pytest.raises(StrategyError, match=r"'stubborn' answered .* in round 3 of 10"):
        next_offer(stubborn, 3, 10, 50.0, 100.0)


def test_a_strategy_object_is_named_by_its_class() -> None:
    class Stubborn:
        def __call__(self, *asked: object) -> float:
            return math.nan

    with pytest.raises(StrategyError, match="'Stubborn'"):
        next_offer(Stubborn(), 3, 10, 50.0, 100.0)
