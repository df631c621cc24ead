"""Opposition of the parties."""

import numpy as np
import pytest

from genius_py.analysis.opposition import opposition
from genius_py.analysis.pareto import pareto_frontier


def test_parties_who_can_both_have_all_are_not_opposed() -> None:
    assert opposition([(0.2, 0.3), (1.0, 1.0)]) == 0.0


def test_it_is_the_distance_from_everybody_having_all() -> None:
    assert opposition([(1.0, 0.4), (0.4, 0.2)]) == pytest.approx(0.6)
    assert opposition([(0.5, 0.5)]) == pytest.approx(0.5**0.5)


def test_no_outcome_is_infinitely_far() -> None:
    assert opposition(np.empty((0, 2))) == np.inf


def test_the_frontier_is_enough() -> None:
    points = np.random.default_rng(0).random((500, 3))
    assert opposition(points[pareto_frontier(points)]) == opposition(points)
