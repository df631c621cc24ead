import math

import pytest

from genius_py.metrics.surplus import Fairness, SurplusShare
from tests.metrics.sessions import played, scenario

GAME = scenario({"ann": 0.4, "bob": 0.2}, ann=[0.7, 0.4, 0.3], bob=[0.3, 0.8, 0.9])


@pytest.mark.parametrize(
    ("agreed", "shares", "fairness"),
    [
        (0, {"ann": 0.75, "bob": 0.25}, 0.4**2 / (2 * (0.3**2 + 0.1**2))),
        (1, {"ann": 0.0, "bob": 1.0}, 0.5),
        (2, {"ann": -0.1 / 0.6, "bob": 0.7 / 0.6}, 0.5),
    ],
)
def test_the_surplus_beyond_the_reservation_values_is_shared(
    agreed: int, shares: dict[str, float], fairness: float
) -> None:
    outcome = played(GAME, 1, ann=[agreed], bob=["accept"])
    assert SurplusShare().measure(outcome) == pytest.approx(shares)
    assert Fairness().measure(outcome) == pytest.approx({"ann": fairness, "bob": fairness})


def test_an_even_split_is_perfectly_fair() -> None:
    outcome = played(scenario(ann=[0.5], bob=[0.5]), 1, ann=[0], bob=["accept"])
    assert Fairness().measure(outcome) == {"ann": 1.0, "bob": 1.0}


def test_without_agreement_or_gain_nothing_is_shared() -> None:
    failed = played(GAME, 1, ann=[0], bob=[1])
    worthless = played(scenario(ann=[0.0], bob=[0.0]), 1, ann=[0], bob=["accept"])
    for outcome in (failed, worthless):
        for metric in (SurplusShare(), Fairness()):
            assert all(math.isnan(value) for value in metric.measure(outcome).values())
