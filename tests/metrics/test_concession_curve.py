import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.metrics.concession_curve import (
    Burstiness,
    ConcessionCurve,
    ConcessionRigidity,
    fit_concession_curve,
)
from tests.metrics.sessions import played, scenario


@pytest.mark.parametrize(("a", "middle"), [(0.5, 5.0), (1.0, 4.0), (2.0, 7.0)])
def test_the_curve_that_made_the_offers_is_found_again(a: float, middle: float) -> None:
    turns = np.arange(1.0, 13.0)
    own = 0.8 - 0.2 * np.tanh(a * turns - a * middle)
    curve = fit_concession_curve(own)
    assert curve is not None
    assert curve.rmse < 1e-4
    assert curve.a == pytest.approx(a, rel=1e-2)
    assert curve.c / curve.a == pytest.approx(middle, rel=1e-2)
    # Conceded shares run from 0 to 1, so that b is half of what the bend spans.
    assert curve.burstiness == pytest.approx(a * 0.2 / np.ptp(own), rel=2e-2)
    assert curve.rigidity == pytest.approx(1 - 1.32 / (a * 12), abs=0.01)


def test_burstiness_and_rigidity_are_those_of_the_paper() -> None:
    curve = ConcessionCurve(a=-2.0, b=0.25, c=0.0, d=0.5, turns=10, rmse=0.0)
    assert curve.burstiness == 0.5
    assert curve.rigidity == pytest.approx(1 - 1.32 / 20, abs=1e-3)
    assert ConcessionCurve(0.01, 1.0, 0.0, 0.0, 10, 0.0).rigidity == 0.0


def test_all_at_once_is_rigid_and_bursty_and_evenly_is_neither() -> None:
    step = fit_concession_curve([1.0] * 6 + [0.5] * 6)
    line = fit_concession_curve(np.linspace(1.0, 0.5, 12))
    assert step is not None
    assert line is not None
    assert step.rigidity > 0.9
    assert step.burstiness > 0.9
    assert line.rigidity < 0.3
    assert line.burstiness < 0.15


def test_too_few_offers_or_always_the_same_have_no_curve() -> None:
    assert fit_concession_curve([1.0, 0.9, 0.8]) is None
    assert fit_concession_curve([0.7] * 9) is None


def test_the_metrics_measure_each_party_by_its_own_offers() -> None:
    game = scenario(ann=[1.0, 1.0, 0.5, 0.5], bob=[0.4, 0.4, 0.4, 0.4])
    outcome = played(game, 4, ann=[0, 1, 2, 3], bob=[0])
    burstiness, rigidity = Burstiness().measure(outcome), ConcessionRigidity().measure(outcome)
    assert burstiness["ann"] > 0.9
    assert (burstiness["bob"], rigidity["bob"]) == (0.0, 1.0)
    short = played(game, 2, ann=[0, 1], bob=[0])
    assert math.isnan(Burstiness().measure(short)["ann"])
    assert math.isnan(ConcessionRigidity().measure(short)["ann"])


@given(st.lists(st.floats(0.0, 1.0), min_size=4, max_size=8))
def test_rigidity_is_a_share_and_a_curve_is_no_worse_than_a_constant(own: list[float]) -> None:
    curve = fit_concession_curve(own)
    if curve is not None:
        assert 0.0 <= curve.rigidity <= 1.0
        assert curve.burstiness >= 0.0
        assert curve.rmse <= np.std((max(own) - np.array(own)) / np.ptp(own)) + 1e-3
