"""A frontier with its bids."""

import math

import numpy as np
import pytest

from genius_py.analysis.frontier import Frontier
from genius_py.errors import OptionError

POINTS = np.array([(0.2, 0.9), (0.8, 0.4)])
BIDS = np.array([3, 7])


def test_a_frontier_without_error_is_complete() -> None:
    assert Frontier(POINTS, BIDS, 10).complete
    assert not Frontier(POINTS, BIDS, 10, 1e-6).complete
    assert not Frontier(POINTS, BIDS, 10, math.inf).complete
    assert len(Frontier(POINTS, BIDS, 10)) == 2


def test_a_discount_scales_points_and_error_and_keeps_the_bids() -> None:
    later = Frontier(POINTS, BIDS, 10, 0.1).scaled((0.5, 0.25))
    assert later.points.tolist() == [[0.1, 0.225], [0.4, 0.1]]
    assert later.bids.tolist() == [3, 7]
    assert later.error == 0.05


@pytest.mark.parametrize("factors", [(0.5,), (0.5, 0.0), (0.5, -1.0), 0.5])
def test_factors_that_do_not_fit_are_refused(factors: object) -> None:
    with pytest.raises(OptionError, match="as many positive factors"):
        Frontier(POINTS, BIDS, 10).scaled(factors)  # type: ignore[arg-type]
