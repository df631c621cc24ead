import pytest

from genius_py import registry
from genius_py.parties.linear_concession import LinearConcession
from tests.parties.table import answer, in_round, seat, seller


def test_equal_steps_lead_to_the_reservation_value_in_the_last_round() -> None:
    # From 1 to 0.5 in ten rounds: 0.95, 0.9, ... 0.5.
    party = LinearConcession()
    seat(party, seller(reservation_value=0.5), rounds=10)
    asked = []
    for number in range(1, 11):
        in_round(party, number)
        answer(party)
        asked.append(party.current)
    assert asked == pytest.approx([1 - 0.05 * n for n in range(1, 11)])
    assert asked[-1] == 0.5


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "linear-concession"), LinearConcession)
