import math

import pytest

from genius_py.metrics.compliance import Compliance, IrrationalOffers, RetractedConcessions
from tests.metrics.sessions import played, scenario

GAME = scenario(
    {"ann": 0.5, "bob": 0.5}, ann=[1.0, 0.8, 0.6, 0.4, 0.5], bob=[0.0, 0.2, 0.4, 0.6, 1.0]
)


def test_offers_below_the_own_reservation_value_are_irrational_and_at_it_are_not() -> None:
    found = IrrationalOffers().measure(played(GAME, 4, ann=[0, 3, 4, 3], bob=[4]))
    assert found == {"ann": 0.5, "bob": 0.0}


def test_asking_for_more_than_one_has_been_content_with_takes_a_concession_back() -> None:
    found = RetractedConcessions().measure(played(GAME, 4, ann=[0, 2, 1, 1], bob=[4]))
    # 1.0, 0.6, then twice 0.8: less than at first, but more than the least so far.
    assert found == pytest.approx({"ann": 2 / 3, "bob": 0.0})


def test_compliance_is_the_share_of_offers_without_either() -> None:
    found = Compliance().measure(played(GAME, 4, ann=[0, 2, 1, 3], bob=[3, 4, 4, 4]))
    assert found == {"ann": 0.5, "bob": 0.25}


def test_without_offers_there_is_nothing_to_say() -> None:
    outcome = played(GAME, 1, ann=[0], bob=["accept"])
    for metric in (IrrationalOffers(), Compliance()):
        assert math.isnan(metric.measure(outcome)["bob"])
    assert math.isnan(RetractedConcessions().measure(outcome)["ann"])
    assert math.isnan(RetractedConcessions().measure(outcome)["bob"])
