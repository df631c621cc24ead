from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py import registry
from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.parties.random import RandomBidder
from tests.parties.table import answer, in_round, price, random_space, seat, seller


def test_every_bid_worth_having_is_equally_likely() -> None:
    party = RandomBidder()
    seat(party, seller(reservation_value=0.75))
    drawn = Counter(party.propose() for _ in range(3_000))
    assert set(drawn) == {price(8), price(9), price(10)}
    assert all(count == pytest.approx(1_000, abs=120) for count in drawn.values())


def test_it_accepts_what_is_worth_the_bid_that_it_drew() -> None:
    party = RandomBidder()
    seat(party, seller(reservation_value=1.0))
    assert answer(party, price(10)) == Accept("me", price(10))
    assert answer(party, price(9)) == Offer("me", price(10))


def test_it_walks_away_when_no_bid_is_worth_its_reservation_value() -> None:
    party = RandomBidder()
    seat(party, seller(reservation_value=1.1))
    assert answer(party) == EndNegotiation("me")


def test_the_same_seed_draws_the_same_bids() -> None:
    def drawn(seed: int) -> list[object]:
        party = RandomBidder()
        seat(party, seller(), seed=seed)
        return [party.propose() for _ in range(20)]

    assert drawn(1) == drawn(1) != drawn(2)


@given(st.integers(0, 10_000))
def test_it_neither_offers_nor_accepts_less_than_its_reservation_value(seed: int) -> None:
    space = random_space(seed)
    party = RandomBidder()
    seat(party, space, seed=seed)
    for number in range(1, 10):
        in_round(party, number)
        action = answer(party, space.domain.bid_at((seed * number) % space.domain.size))
        if not isinstance(action, EndNegotiation):
            assert isinstance(action, Offer | Accept)
            assert space.utility(action.bid) >= space.reservation_value


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "random"), RandomBidder)
