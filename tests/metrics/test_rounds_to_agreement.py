import math

from genius_py.metrics.rounds_to_agreement import RoundsToAgreement
from tests.metrics.sessions import played, scenario

GAME = scenario(ann=[1.0, 0.0], bob=[0.0, 1.0])


def test_the_round_of_the_agreement_counts() -> None:
    outcome = played(GAME, 9, ann=[0, 1], bob=[1, "accept"])
    assert RoundsToAgreement().measure(outcome) == {"ann": 2.0, "bob": 2.0}


def test_there_is_none_without_an_agreement() -> None:
    outcome = played(GAME, 2, ann=[0], bob=[1])
    assert all(math.isnan(value) for value in RoundsToAgreement().measure(outcome).values())
