import pytest
from hypothesis import given
from hypothesis import strategies as st

import genius_py as gp
from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.errors import OptionError
from genius_py.log import Reason
from genius_py.parties.faratin import TimeDependentParty
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, TableUtilitySpace
from tests.parties.table import (
    PRICE,
    answer,
    buyer,
    hear,
    in_round,
    price,
    random_space,
    seat,
    seller,
)

seeds = st.integers(0, 10_000)
speeds = st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0, 10.0])


def seated(e: float = 1.0, reservation_value: float = 0.0, **options: object) -> TimeDependentParty:
    party = TimeDependentParty(e=e, **options)  # type: ignore[arg-type]
    seat(party, seller(reservation_value))
    return party


def test_the_target_is_the_formula_of_faratin_from_best_bid_to_reservation_value() -> None:
    # e = 1/2: F(t) = t^2; at t = 0.3 of the range from 0.4 to 1 the share 0.09 is given up.
    party = seated(e=0.5, reservation_value=0.4)
    in_round(party, 3)
    assert party.target() == pytest.approx(0.4 + 0.6 * 0.91)


def test_the_range_ends_at_the_worst_bid_where_that_is_better_than_no_agreement() -> None:
    party = seated(e=1.0, reservation_value=-3.0)
    in_round(party, 5)
    assert party.target() == pytest.approx(0.5)


def test_a_share_may_be_conceded_from_the_start() -> None:
    party = seated(e=0.0, k=0.25)
    assert party.target() == pytest.approx(0.75)


def test_it_offers_the_lowest_bid_at_or_above_its_target() -> None:
    party = seated(e=1.0)
    in_round(party, 3)
    assert party.target() == pytest.approx(0.7)
    assert answer(party) == Offer("me", price(7))


def test_it_accepts_what_reaches_the_target_and_nothing_below() -> None:
    party = seated(e=1.0, reservation_value=0.05)
    in_round(party, 3)
    assert 0.7 < party.target() < 0.8
    assert answer(party, price(7)) == Offer("me", price(8))
    assert answer(party, price(8)) == Accept("me", price(8))


def test_the_best_bid_is_accepted_even_where_rounding_lifts_the_target_above_it() -> None:
    low, high = 0.04, 0.11
    assert low + (high - low) > high
    space = TableUtilitySpace(domain=PRICE, table=[low] * 10 + [high], reservation_value=low)
    party = TimeDependentParty(e=0.0)
    seat(party, space)
    assert answer(party, price(10)) == Accept("me", price(10))


def test_it_walks_away_when_no_bid_is_worth_its_reservation_value() -> None:
    party = seated(reservation_value=1.5)
    assert answer(party) == EndNegotiation("me")
    assert answer(party, price(10)) == EndNegotiation("me")


@given(seeds, speeds)
def test_targets_never_rise(seed: int, e: float) -> None:
    party = TimeDependentParty(e=e)
    seat(party, random_space(seed), rounds=20)
    targets = []
    for number in range(1, 21):
        in_round(party, number)
        targets.append(party.target())
    assert targets == sorted(targets, reverse=True)


@given(seeds, speeds, st.floats(0, 1))
def test_it_neither_offers_nor_accepts_less_than_its_reservation_value(
    seed: int, e: float, k: float
) -> None:
    space = random_space(seed)
    party = TimeDependentParty(e=e, k=k)
    seat(party, space, rounds=10)
    for number in range(1, 11):
        in_round(party, number)
        action = answer(party, space.domain.bid_at((seed + number) % space.domain.size))
        if not isinstance(action, EndNegotiation):
            assert isinstance(action, Offer | Accept)
            assert space.utility(action.bid) >= space.reservation_value


def test_genius_offers_the_nearest_bid_even_below_its_reservation_value() -> None:
    party = seated(e=1.0, reservation_value=0.74, search="genius")
    in_round(party, 9)
    assert party.target() == pytest.approx(0.74 + 0.26 * 0.1)
    assert answer(party) == Offer("me", price(8))
    low = seated(e=1.0, reservation_value=0.71, search="genius")
    in_round(low, 9)
    assert low.target() == pytest.approx(0.739)
    assert answer(low) == Offer("me", price(7))


def test_genius_accepts_what_is_worth_its_own_plan() -> None:
    party = seated(e=1.0, reservation_value=0.71, search="genius")
    in_round(party, 9)
    assert answer(party, price(7)) == Accept("me", price(7))


def test_a_clock_moves_it_as_rounds_do() -> None:
    party = TimeDependentParty(e=1.0)
    seat(party, seller(), rounds=None, seconds=10.0)
    in_round(party, 1)  # the clock of the table stands at half time
    assert party.target() == pytest.approx(0.5)


def test_very_many_rounds_are_not_looked_at_beforehand() -> None:
    party = TimeDependentParty(e=1.0)
    seat(party, seller(), rounds=10**9)
    in_round(party, 5 * 10**8)
    assert party.target() == pytest.approx(0.5)


def test_a_reservation_value_that_falls_is_followed_down() -> None:
    class Falling(AdditiveUtilitySpace):
        def reservation_at(self, round_number: int, time: float) -> float:
            return 1 - 0.1 * round_number

    fixed = seller()
    space = Falling(domain=PRICE, weights=fixed.weights, evaluators=fixed.evaluators)
    party = TimeDependentParty(e=1.0)
    seat(party, space)
    in_round(party, 2)
    assert party.target() == pytest.approx(0.8 + 0.2 * 0.8)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"e": -0.1}, "e must be 0 or more"),
        ({"e": float("nan")}, "e must be 0 or more"),
        ({"k": 1.1}, r"k must lie in \[0, 1\]"),
        ({"search": "nearest"}, "no search 'nearest'"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, float | str], named: str) -> None:
    with pytest.raises(OptionError, match=named):
        TimeDependentParty(**options)  # type: ignore[arg-type]


def test_rational_bots_with_something_to_share_agree_between_their_reservation_values() -> None:
    scenario = Scenario(PRICE, {"seller": seller(0.4), "buyer": buyer(0.4)})
    outcome = gp.run("SAOP", scenario, parties=["boulware", "conceder"], deadline=40)
    assert outcome.reason is Reason.AGREEMENT
    assert outcome.agreement is not None
    assert 4 <= int(outcome.agreement["price"]) <= 6


def test_rational_bots_with_nothing_to_share_do_not_agree() -> None:
    scenario = Scenario(PRICE, {"seller": seller(0.6), "buyer": buyer(0.6)})
    outcome = gp.run("SAOP", scenario, parties=["conceder", "conceder"], deadline=40)
    assert outcome.reason is Reason.DEADLINE


def test_an_opponent_s_offer_is_no_reason_to_change_the_own() -> None:
    party = seated(e=1.0)
    before = answer(party)
    hear(party, price(0))
    assert answer(party) == before
