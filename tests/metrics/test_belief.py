import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.metrics.belief import (
    AcceptanceCalibration,
    OpponentModelKendall,
    OpponentModelPearson,
    ReservationBeliefError,
    kendall_accuracy,
    pearson_accuracy,
)
from tests.metrics.sessions import played, scenario

GAME = scenario({"ann": 0.4, "bob": 0.1}, ann=[1.0, 0.6, 0.2], bob=[0.0, 0.5, 0.8])


def believe(**belief: object) -> dict[str, object]:
    return {"belief": belief}


def test_calibration_is_the_brier_score_of_stated_chances_of_acceptance() -> None:
    outcome = played(
        GAME,
        3,
        ann=[(0, believe(accept=0.3)), (1, {"mood": "good"}), (2, believe(accept=0.6))],
        bob=[(2, believe(accept=1.0)), 2, "accept"],
    )
    found = AcceptanceCalibration().measure(outcome)
    # Ann: 0.3 for what was not accepted, nothing said of the second, 0.6 for what was.
    assert found["ann"] == pytest.approx((0.3**2 + 0.4**2) / 2)
    assert found["bob"] == pytest.approx(1.0)


def test_calibration_needs_statements_about_offers() -> None:
    outcome = played(GAME, 2, ann=[0], bob=[2, ("accept", believe(accept=0.5))])
    assert all(math.isnan(v) for v in AcceptanceCalibration().measure(outcome).values())


def test_errors_about_reservation_values_are_shares_of_the_opponents_range() -> None:
    outcome = played(
        GAME,
        2,
        ann=[(0, believe(reservation=0.3)), (1, believe(reservation={"bob": 0.1}))],
        bob=[(2, believe(reservation={"zoe": 0.5}))],
    )
    found = ReservationBeliefError().measure(outcome)
    assert found["ann"] == pytest.approx((0.2 / 0.8 + 0.0) / 2)
    assert math.isnan(found["bob"])


def test_a_stated_model_is_compared_with_the_truth_over_all_bids() -> None:
    model = {"x": {"0": 0.1, "1": 0.2, "2": 0.9}}
    outcome = played(
        GAME,
        2,
        ann=[(0, believe(utilities={"x": {}})), (1, believe(utilities=model))],
        bob=[(2, believe(utilities={"ann": {"x": {2: 1.0}}}))],
    )
    pearson = OpponentModelPearson().measure(outcome)
    kendall = OpponentModelKendall().measure(outcome)
    assert pearson["ann"] == pytest.approx(np.corrcoef([0.1, 0.2, 0.9], [0.0, 0.5, 0.8])[0, 1])
    assert kendall["ann"] == pytest.approx(1.0)
    assert pearson["bob"] < 0
    assert kendall["bob"] == pytest.approx(-math.sqrt(2 / 3))


def test_without_a_model_there_is_no_accuracy() -> None:
    outcome = played(GAME, 1, ann=[0], bob=[2])
    assert all(math.isnan(v) for v in OpponentModelPearson().measure(outcome).values())


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=9), st.floats(0.1, 5.0))
def test_a_model_that_is_right_up_to_scale_is_perfect(true: list[float], scale: float) -> None:
    estimated = [scale * utility + 1.0 for utility in true]
    if np.ptp(true) > 1e-3:
        assert pearson_accuracy(estimated, true) == pytest.approx(1.0)
        assert pearson_accuracy([-u for u in estimated], true) == pytest.approx(-1.0)


def test_constant_utilities_and_odd_shapes() -> None:
    assert math.isnan(pearson_accuracy([1.0, 1.0], [0.0, 1.0]))
    assert math.isnan(kendall_accuracy([1.0, 0.0], [0.5, 0.5]))
    with pytest.raises(ValueError, match="shapes"):
        pearson_accuracy([1.0, 2.0], [1.0])
