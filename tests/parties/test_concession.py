import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.parties.concession import ConcessionParty
from genius_py.parties.exponential_concession import ExponentialConcession
from genius_py.parties.linear_concession import LinearConcession
from genius_py.parties.time_dependent import TimeDependentConcession
from genius_py.parties.tit_for_tat import TitForTat
from tests.parties.table import answer, in_round, price, random_space, seat, seller

KINDS = [LinearConcession, ExponentialConcession, TimeDependentConcession, TitForTat]


class Halving(ConcessionParty):
    """Gives up half of what it asks for."""

    def concede(self, round: int, rounds: int, reservation: float) -> float:
        self.asked = round, rounds, reservation
        return self.current / 2


def test_it_starts_at_its_best_bid_and_compounds() -> None:
    party = Halving()
    seat(party, seller())
    assert answer(party) == Offer("me", price(5))
    in_round(party, 2)
    assert answer(party) == Offer("me", price(3))
    assert party.current == 0.25


def test_what_its_strategy_asks_is_kept_at_or_above_the_reservation_value() -> None:
    party = Halving()
    seat(party, seller(reservation_value=0.6))
    assert answer(party) == Offer("me", price(6))
    assert party.asked == (1, 9, 0.6)


def test_it_accepts_what_is_worth_its_next_offer() -> None:
    party = Halving()
    seat(party, seller())
    assert answer(party, price(5)) == Accept("me", price(5))


def test_it_walks_away_when_no_bid_is_worth_its_reservation_value() -> None:
    party = Halving()
    seat(party, seller(reservation_value=1.1))
    assert answer(party) == EndNegotiation("me")


def test_of_a_deadline_in_seconds_thousandths_count_as_rounds() -> None:
    party = Halving()
    seat(party, seller(), rounds=None, seconds=8.0)
    in_round(party, 1)  # the clock of the table stands at half time
    answer(party)
    assert party.asked == (500, 1000, 0.0)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10_000))
def test_no_strategy_offers_or_accepts_less_than_its_reservation_value(
    kind: type[ConcessionParty], seed: int
) -> None:
    space = random_space(seed)
    party = kind()
    seat(party, space, rounds=10)
    for number in range(1, 11):
        in_round(party, number)
        action = answer(party, space.domain.bid_at((seed * number) % space.domain.size))
        if not isinstance(action, EndNegotiation):
            assert isinstance(action, Offer | Accept)
            assert space.utility(action.bid) >= space.reservation_value


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10_000))
def test_no_strategy_asks_for_more_than_before(kind: type[ConcessionParty], seed: int) -> None:
    space = random_space(seed)
    party = kind()
    seat(party, space, rounds=10)
    asked = [party.current]
    for number in range(1, 11):
        in_round(party, number)
        answer(party, space.domain.bid_at((seed * number) % space.domain.size))
        asked.append(party.current)
    assert asked == sorted(asked, reverse=True)
