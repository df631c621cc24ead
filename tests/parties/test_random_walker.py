import itertools

from hypothesis import given
from hypothesis import strategies as st

from genius_py import registry
from genius_py.action import EndNegotiation, Offer
from genius_py.parties.random_walker import RandomWalker
from tests.parties.table import answer, price, random_space, seat, seller


def test_it_starts_at_its_best_bid() -> None:
    party = RandomWalker()
    seat(party, seller())
    assert answer(party) == Offer("me", price(10))


@given(st.integers(0, 10_000))
def test_each_step_changes_one_issue_and_none_goes_below_the_reservation_value(seed: int) -> None:
    space = random_space(seed)
    party = RandomWalker()
    seat(party, space, seed=seed)
    walk = [party.propose() for _ in range(30)]
    for before, after in itertools.pairwise(walk):
        if before is None or after is None:
            assert before is after
        else:
            assert before.distance(after) in (0, 1 / 3)
            assert space.utility(after) >= space.reservation_value


def test_it_goes_somewhere() -> None:
    party = RandomWalker()
    seat(party, seller())
    assert len({party.propose() for _ in range(50)}) > 5


def test_it_stays_where_every_step_leads_below_the_reservation_value() -> None:
    party = RandomWalker()
    seat(party, seller(reservation_value=1.0))
    assert {party.propose() for _ in range(5)} == {price(10)}


def test_it_walks_away_when_no_bid_is_worth_its_reservation_value() -> None:
    party = RandomWalker()
    seat(party, seller(reservation_value=1.1))
    assert answer(party) == EndNegotiation("me")


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "random-walker"), RandomWalker)
