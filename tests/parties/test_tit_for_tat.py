import pytest

from genius_py import registry
from genius_py.action import Offer
from genius_py.parties.tit_for_tat import TitForTat
from tests.parties.table import answer, hear, in_round, price, seat, seller


def seated(reservation_value: float = 0.0, others: tuple[str, ...] = ("you",)) -> TitForTat:
    party = TitForTat()
    seat(party, seller(reservation_value), rounds=10, others=others)
    return party


def test_it_concedes_linearly_before_the_opponent_s_second_offer() -> None:
    party = seated()
    assert answer(party, price(0)) == Offer("me", price(9))
    assert party.current == pytest.approx(0.9)


def test_it_concedes_as_much_as_the_opponent_did_last() -> None:
    party = seated()
    hear(party, price(1))
    answer(party, price(4))
    assert party.current == pytest.approx(0.7)
    in_round(party, 2)
    answer(party, price(5))
    assert party.current == pytest.approx(0.6)


def test_a_step_away_is_not_punished_but_earns_nothing() -> None:
    party = seated()
    hear(party, price(4))
    answer(party, price(1))
    assert party.current == 1.0


def test_it_never_goes_past_its_reservation_value() -> None:
    party = seated(reservation_value=0.8)
    hear(party, price(0))
    answer(party, price(6))
    assert party.current == 0.8


def test_of_several_opponents_the_one_that_conceded_least_counts() -> None:
    party = seated(others=("you", "they"))
    for sender, amount in (("you", 0), ("they", 0), ("you", 4), ("they", 1)):
        hear(party, price(amount), sender)
    answer(party)
    assert party.current == pytest.approx(0.9)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "tit-for-tat"), TitForTat)
