import math

import pytest

from genius_py.metrics.concession import ConcessionPerTurn
from tests.metrics.sessions import played, scenario


def test_it_is_what_was_given_up_over_the_offers_between() -> None:
    game = scenario(ann=[1.0, 0.9, 0.4], bob=[0.0, 0.1, 1.0])
    found = ConcessionPerTurn().measure(played(game, 3, ann=[0, 1, 2], bob=[1, 2, 2]))
    assert found == pytest.approx({"ann": 0.3, "bob": -0.45})


def test_one_offer_is_no_concession() -> None:
    game = scenario(ann=[1.0, 0.0], bob=[0.0, 1.0])
    found = ConcessionPerTurn().measure(played(game, 1, ann=[0], bob=["accept"]))
    assert math.isnan(found["ann"])
    assert math.isnan(found["bob"])
