"""Concession strategies: statements S3.10 to S3.19; and that parties use the same ones."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import StrategyError
from genius_py.fronts.executor import (
    ExponentialConcession,
    LinearConcession,
    NegotiationOffer,
    TimeDependentConcession,
    TitForTatConcession,
)
from genius_py.strategies import concession
from tests.spec.executions import executed, values

FORMULAS = [LinearConcession(), ExponentialConcession(), TimeDependentConcession()]

EXPONENTIAL = [
    99.5,
    97.52,
    93.2432,
    86.324288,
    77.243216,
    67.435658,
    58.892186,
    53.201187,
    50.608226,
    50.0,
]

numbers = st.floats(-1e6, 1e6)
rounds = st.integers(1, 50)


def curve(strategy: Any, first: float, reservation: float, max_rounds: int) -> list[float]:
    """What is offered in rounds 1 to max_rounds, each time from the last offer."""
    offers = [first]
    for number in range(1, max_rounds + 1):
        offers.append(strategy(number, max_rounds, reservation, offers[-1], ()))
    return offers[1:]


def heard(*offers: float, party: str = "you") -> list[NegotiationOffer]:
    """Offers of one opponent, a round each."""
    return [NegotiationOffer(party, value, place) for place, value in enumerate(offers, start=1)]


def test_s3_10_linear_gives_up_an_equal_share() -> None:
    assert curve(LinearConcession(), 100, 50, 10) == [95, 90, 85, 80, 75, 70, 65, 60, 55, 50]


def test_s3_11_exponential_gives_up_the_square_of_progress() -> None:
    assert curve(ExponentialConcession(), 100, 50, 10) == pytest.approx(EXPONENTIAL, abs=5e-7)


def test_s3_12_time_dependent_keeps_the_rest_of_the_square() -> None:
    assert curve(TimeDependentConcession(), 100, 50, 10) == pytest.approx(EXPONENTIAL, abs=5e-7)
    assert TimeDependentConcession()(3, 10, 50.0, 100.0) == 50 + 50 * (1 - 0.3**2)


@given(current=numbers, reservation=numbers, max_rounds=rounds, data=st.data())
def test_s3_13_exponential_and_time_dependent_are_the_same(
    current: float, reservation: float, max_rounds: int, data: st.DataObject
) -> None:
    number = data.draw(st.integers(1, max_rounds))
    exponential = ExponentialConcession()(number, max_rounds, reservation, current)
    time_dependent = TimeDependentConcession()(number, max_rounds, reservation, current)
    assert exponential == pytest.approx(time_dependent, rel=1e-9, abs=1e-6)


def test_s3_13_time_dependent_has_an_exponent_and_can_be_anchored_at_the_first_offer() -> None:
    # reservation + (initial - reservation) * (1 - t ** (1 / e)), from 100 to 50 at t = 1/4.
    boulware = TimeDependentConcession(e=0.5, initial=100.0)
    conceder = TimeDependentConcession(e=2.0, initial=100.0)
    assert boulware(1, 4, 50.0, 77.7) == 50 + 50 * (1 - 0.25**2)
    assert conceder(1, 4, 50.0, 77.7) == 50 + 50 * (1 - 0.25**0.5)


@pytest.mark.parametrize("strategy", FORMULAS)
@given(current=numbers, reservation=numbers, max_rounds=rounds)
def test_s3_14_the_last_round_gives_the_reservation_value_exactly(
    strategy: Any, current: float, reservation: float, max_rounds: int
) -> None:
    assert strategy(max_rounds, max_rounds, reservation, current) == reservation
    assert strategy(max_rounds + 1, max_rounds, reservation, current) == reservation
    assert strategy(1, 1, reservation, current) == reservation


@pytest.mark.parametrize("strategy", [*FORMULAS, TitForTatConcession()])
@pytest.mark.parametrize("number", [0, -1])
def test_s3_14_there_is_no_round_before_the_first(strategy: Any, number: int) -> None:
    with pytest.raises(StrategyError, match="counted from 1"):
        strategy(number, 10, 50.0, 100.0)


def test_s3_15_concessions_compound_from_the_last_own_offer() -> None:
    currents = []

    def spy(
        round: int, max_rounds: int, reservation: float, current: float, history: Sequence[Any]
    ) -> float:
        currents.append(current)
        return current - 1

    executed(strategy=spy, rounds=3)
    # The proposer's last offers, and between them those of the responder.
    assert currents == [100.0, 50.0, 99.0, 49.0, 98.0, 48.0]


def test_s3_16_a_buyer_comes_up() -> None:
    assert curve(LinearConcession(), 50, 80, 5) == [56, 62, 68, 74, 80]
    assert curve(ExponentialConcession(), 50, 80, 5) == pytest.approx(
        [51.2, 55.808, 64.51712, 74.426163, 80], abs=5e-7
    )


@pytest.mark.parametrize("strategy", FORMULAS)
def test_s3_16_who_is_at_its_reservation_value_does_not_move(strategy: Any) -> None:
    assert curve(strategy, 70.0, 70.0, 5) == [70.0] * 5


@pytest.mark.parametrize("strategy", FORMULAS)
@given(current=numbers, reservation=numbers, max_rounds=rounds)
def test_s3_16_offers_only_ever_move_towards_the_reservation_value(
    strategy: Any, current: float, reservation: float, max_rounds: int
) -> None:
    gaps = [abs(offer - reservation) for offer in curve(strategy, current, reservation, max_rounds)]
    assert all(later <= earlier + 1e-6 for earlier, later in pairwise(gaps))


def test_s3_17_tit_for_tat_gives_as_much_as_it_got() -> None:
    assert TitForTatConcession()(3, 10, 50.0, 90.0, heard(40, 47)) == 83.0
    assert TitForTatConcession()(3, 10, 80.0, 60.0, heard(100, 93)) == 67.0


def test_s3_17_a_move_away_is_no_concession() -> None:
    assert TitForTatConcession()(3, 10, 50.0, 90.0, heard(47, 40)) == 90.0


def test_s3_17_it_never_passes_the_reservation_value_in_either_direction() -> None:
    assert TitForTatConcession()(3, 10, 50.0, 55.0, heard(10, 40)) == 50.0
    assert TitForTatConcession()(3, 10, 80.0, 75.0, heard(120, 90)) == 80.0


def test_s3_17_it_is_linear_before_the_opponents_second_offer() -> None:
    for history in ([], heard(40), [*heard(40, party="a"), *heard(45, party="b")]):
        assert TitForTatConcession()(2, 10, 50.0, 95.0, history) == 90.0


def test_s3_18_the_last_two_offers_are_the_opponents() -> None:
    outcome = executed(strategy=TitForTatConcession())
    assert values(outcome, "buyer") == [95.0, *[90.0] * 9]
    assert not outcome.agreed


def test_s3_19_a_plain_function_is_a_strategy() -> None:
    def custom(
        round: int, max_rounds: int, reservation: float, current: float, history: Sequence[Any]
    ) -> float:
        progress = round / max_rounds
        return current - (current - reservation) * progress * progress

    assert values(executed(strategy=custom)) == values(executed(strategy=ExponentialConcession()))


def test_s3_19_so_is_an_object_with_the_originals_method() -> None:
    class Stubborn:
        def next_offer(self, *given: Any) -> float:
            return float(given[3])

    assert values(executed(strategy=Stubborn(), rounds=2), "buyer") == [100.0, 100.0]
    assert LinearConcession().next_offer(1, 10, 50.0, 100.0) == 95.0


@pytest.mark.parametrize("nonsense", [math.nan, math.inf, -math.inf, None, "95"])
def test_s3_19_what_is_no_finite_number_is_an_error_that_names_the_strategy(nonsense: Any) -> None:
    def confused(*given: Any) -> Any:
        return nonsense

    with pytest.raises(StrategyError, match=r"'confused' answered .* in round 1 of 10"):
        executed(strategy=confused)


def test_s3_19_what_a_strategy_raises_comes_through() -> None:
    def broken(*given: Any) -> float:
        raise ZeroDivisionError("oh")

    with pytest.raises(ZeroDivisionError):
        executed(strategy=broken)


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("LinearConcession", "linear_concession"),
        ("ExponentialConcession", "exponential_concession"),
        ("TimeDependentConcession", "time_dependent_concession"),
        ("TitForTatConcession", "tit_for_tat_concession"),
    ],
)
def test_the_executor_and_the_parties_call_one_definition(
    name: str, formula: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import genius_py.fronts.executor as front

    monkeypatch.setattr(concession, formula, lambda *given, **named: 61.5)
    strategy = getattr(front, name)()
    assert strategy(3, 10, 50.0, 90.0, heard(40, 47)) == 61.5
