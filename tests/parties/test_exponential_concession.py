import pytest

from genius_py import registry
from genius_py.parties.exponential_concession import ExponentialConcession
from tests.parties.table import answer, in_round, seat, seller


def test_concessions_grow_with_the_square_of_the_progress() -> None:
    # The figures for 100 -> 50 in ten rounds, as shares.
    party = ExponentialConcession()
    seat(party, seller(reservation_value=0.5), rounds=10)
    asked = []
    for number in range(1, 11):
        in_round(party, number)
        answer(party)
        asked.append(party.current)
    figures = [
        0.995,
        0.9752,
        0.932432,
        0.86324288,
        0.77243216,
        0.67435658,
        0.58892186,
        0.53201187,
        0.50608226,
        0.5,
    ]
    assert asked == pytest.approx(figures, abs=5e-9)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "exponential-concession"), ExponentialConcession)
