"""Monotonic concession: statements S3.30 to S3.32."""

from typing import Any

import pytest

from genius_py.errors import OptionError
from genius_py.fronts.executor import (
    ExponentialConcession,
    LinearConcession,
    NegotiationOffer,
    NegotiationOutcome,
    NegotiationState,
    NegotiationType,
    TitForTatConcession,
)
from tests.spec.executions import executed, values

THREE = ("a", "b", "c")


def conceded(parties: tuple[str, ...] = THREE, **settings: Any) -> NegotiationOutcome:
    """The seed's example: 100 down to 30 in 15 rounds, unless told otherwise."""
    example = {"rounds": 15, "reservation": 30.0, "strategy": ExponentialConcession()}
    given: dict[str, Any] = example | settings
    return executed(NegotiationType.MONOTONIC_CONCESSION, parties, **given)


def in_round(outcome: NegotiationOutcome, number: int) -> list[float]:
    return [offer.value for offer in outcome.all_offers if offer.round == number]


def test_s3_30_fewer_than_two_parties_are_an_error() -> None:
    with pytest.raises(OptionError, match="two parties or more"):
        conceded(("alone",))


def test_s3_30_starts_are_spread_evenly() -> None:
    still = conceded(strategy=lambda *given: given[3], rounds=1)
    assert in_round(still, 1) == [100.0, 65.0, 30.0]
    five = conceded(("a", "b", "c", "d", "e"), strategy=lambda *given: given[3], rounds=1)
    assert in_round(five, 1) == [100.0, 82.5, 65.0, 47.5, 30.0]


def test_s3_30_nobody_rises_above_its_previous_offer() -> None:
    outcome = conceded(strategy=lambda *given: given[3] + 5, rounds=4)
    for party in THREE:
        assert len(set(values(outcome, party))) == 1
    assert outcome.final_state is NegotiationState.FAILED


@pytest.mark.parametrize(("apart", "agreed"), [(0.0, True), (0.01, True), (0.0101, False)])
def test_s3_30_they_agree_within_a_hundredth_at_the_midpoint(apart: float, agreed: bool) -> None:
    # The spread is apart; binary fractions would be a hair more than 0.01 around 50, not around 0.
    def strategy(
        round: int, rounds: int, reservation: float, current: float, history: Any
    ) -> float:
        return apart if current == 100.0 else 0.0

    outcome = conceded(("a", "b"), strategy=strategy, rounds=1, reservation=30.0)
    assert outcome.agreed is agreed
    if agreed:
        assert outcome.accepted_offer == NegotiationOffer("", apart / 2, 1)


@pytest.mark.parametrize("strategy", [ExponentialConcession(), LinearConcession()])
@pytest.mark.parametrize("parties", [THREE[:2], THREE])
def test_s3_31_the_seeds_example_agrees_at_the_reservation_value_in_the_last_round(
    strategy: Any, parties: tuple[str, ...]
) -> None:
    outcome = conceded(parties, strategy=strategy)
    assert outcome.accepted_offer == NegotiationOffer("", 30.0, 15)
    assert outcome.rounds_used == 15


def test_s3_31_three_parties_after_the_first_linear_round() -> None:
    outcome = conceded(strategy=LinearConcession())
    assert in_round(outcome, 1) == pytest.approx([95.3333, 62.6667, 30.0], abs=5e-5)


def test_s3_32_equal_starts_agree_in_the_first_round() -> None:
    outcome = conceded(initial=30.0)
    assert outcome.accepted_offer == NegotiationOffer("", 30.0, 1)


def test_s3_32_where_the_reservation_value_is_higher_all_rise() -> None:
    outcome = conceded(initial=30.0, reservation=100.0, strategy=LinearConcession())
    assert in_round(outcome, 1) == pytest.approx([34.6667, 67.3333, 100.0], abs=5e-5)
    assert outcome.accepted_offer == NegotiationOffer("", 100.0, 15)


def test_s3_32_as_the_seed_has_it_nobody_can_rise() -> None:
    outcome = conceded(initial=30.0, reservation=100.0, strategy=LinearConcession(), strict=True)
    assert in_round(outcome, 15) == [30.0, 65.0, 100.0]
    assert outcome.final_state is NegotiationState.FAILED


def test_s3_32_tit_for_tat_answers_the_smallest_concession_of_the_others() -> None:
    history = [
        NegotiationOffer("a", 40.0, 1),
        NegotiationOffer("b", 40.0, 1),
        NegotiationOffer("a", 47.0, 2),
        NegotiationOffer("b", 43.0, 2),
    ]
    assert TitForTatConcession()(3, 10, 50.0, 90.0, history) == 87.0


def test_s3_32_a_strategy_hears_what_all_others_offered() -> None:
    heard: list[set[str]] = []

    def strategy(
        round: int, rounds: int, reservation: float, current: float, history: Any
    ) -> float:
        heard.append({offer.party_id for offer in history})
        return current

    conceded(strategy=strategy, rounds=2)
    assert heard == [set(), set(), set(), {"b", "c"}, {"a", "c"}, {"a", "b"}]
