"""Bilateral negotiation: statements S3.20 to S3.23."""

from typing import Any

import pytest

from genius_py.errors import GeniusWarning, OptionError
from genius_py.fronts.executor import (
    ExponentialConcession,
    LinearConcession,
    NegotiationOffer,
    NegotiationState,
    NegotiationType,
    Participant,
    TimeDependentConcession,
)
from tests.spec.executions import executed, values

FORMULAS = [LinearConcession(), ExponentialConcession(), TimeDependentConcession()]


def test_s3_20_the_proposer_comes_down_and_the_responder_waits() -> None:
    outcome = executed()
    assert values(outcome, "buyer") == [95, 90, 85, 80, 75, 70, 65, 60, 55, 50]
    assert values(outcome, "seller") == [50] * 9


def test_s3_20_a_value_at_or_below_the_responders_position_is_agreed() -> None:
    steps = iter([80.0, 50.0, 49.0])
    outcome = executed(strategy=lambda *given: next(steps))
    # 80 is above 50; the responder counters with 50; 49 is at or below that.
    assert values(outcome) == [80.0, 50.0, 49.0]
    assert outcome.accepted_offer == NegotiationOffer("buyer", 49.0, 2)


def test_s3_20_a_counter_that_reaches_the_proposers_position_is_agreed() -> None:
    steps = iter([80.0, 80.0])
    outcome = executed(strategy=lambda *given: next(steps))
    assert outcome.accepted_offer == NegotiationOffer("seller", 80.0, 1)
    assert outcome.rounds_used == 1


def test_s3_20_a_counter_of_the_last_round_still_counts() -> None:
    steps = iter([80.0, 60.0, 80.0, 81.0])
    outcome = executed(strategy=lambda *given: next(steps), rounds=2)
    assert outcome.accepted_offer == NegotiationOffer("seller", 81.0, 2)


def test_s3_20_the_agents_are_not_asked() -> None:
    class Agent:
        def __init__(self, name: str) -> None:
            self.name = name

        def chat(self, text: str) -> str:
            raise AssertionError("nobody talks to agents here")

    outcome = executed(parties=(Agent("ann"), Agent("bob")))
    assert {offer.party_id for offer in outcome.all_offers} == {"ann", "bob"}


@pytest.mark.parametrize("strategy", FORMULAS)
@pytest.mark.parametrize("rounds", [1, 5, 10])
def test_s3_21_they_agree_at_the_reservation_value_in_the_last_round(
    strategy: Any, rounds: int
) -> None:
    outcome = executed(strategy=strategy, rounds=rounds)
    assert outcome.accepted_offer == NegotiationOffer("buyer", 50.0, rounds)


@pytest.mark.parametrize("initial", [50.0, 30.0])
def test_s3_21_an_initial_offer_at_or_below_it_is_agreed_at_once_if_strict(initial: float) -> None:
    outcome = executed(initial=initial, strict=True)
    assert outcome.agreed
    assert outcome.rounds_used == 1


def test_s3_21_an_initial_offer_that_equals_it_is_agreed_at_once_in_any_case() -> None:
    assert executed(initial=50.0).rounds_used == 1


def test_s3_22_fewer_than_two_parties_are_an_error() -> None:
    for parties in ((), ("alone",)):
        with pytest.raises(OptionError, match="between two parties"):
            executed(parties=parties)


def test_s3_22_further_parties_are_ignored_with_a_warning() -> None:
    with pytest.warns(GeniusWarning, match="the first two of the 3 parties"):
        outcome = executed(parties=("buyer", "seller", "bystander"))
    assert values(outcome) == values(executed())


def test_s3_22_two_parties_of_one_name_cannot_be_told_apart() -> None:
    with pytest.raises(OptionError, match="the same id"):
        executed(parties=("ann", "ann"))


def test_s3_23_parties_may_have_numbers_and_strategies_of_their_own() -> None:
    seller = Participant("seller")
    buyer = Participant(
        "buyer",
        reservation_value=80.0,
        initial_offer=40.0,
        concession_strategy=LinearConcession(),
    )
    outcome = executed(parties=(seller, buyer))
    # 100 down to 50 in steps of 5, 40 up to 80 in steps of 4. In round 7 the seller's 65 is still
    # above the buyer's 64, but the 68 with which the buyer counters reaches it.
    assert values(outcome, "seller")[-1] == 65.0
    assert outcome.accepted_offer == NegotiationOffer("buyer", 68.0, 7)


def test_s3_23_participants_with_nothing_of_their_own_change_nothing() -> None:
    plain = executed(parties=(Participant("buyer"), Participant("seller")))
    assert values(plain) == values(executed())


def test_s3_32_where_the_reservation_value_is_higher_the_proposer_comes_up() -> None:
    outcome = executed(initial=50.0, reservation=80.0, rounds=5)
    assert values(outcome, "buyer") == [56, 62, 68, 74, 80]
    assert outcome.accepted_offer == NegotiationOffer("buyer", 80.0, 5)


def test_s3_32_rising_and_falling_are_mirror_images() -> None:
    falling = executed(initial=100.0, reservation=50.0)
    rising = executed(initial=-0.0, reservation=50.0)
    assert [100 - value for value in values(rising)] == values(falling)


def test_no_deal_says_so() -> None:
    outcome = executed(NegotiationType.BILATERAL, strategy=lambda *given: given[3])
    assert outcome.final_state is NegotiationState.FAILED
    assert outcome.failure_reason == "no agreement within the rounds"
