"""Distances in utility space."""

import numpy as np
import pytest

from genius_py.analysis.distance import distance, distance_to_nearest


def test_it_is_euclidean() -> None:
    assert distance((0.0, 0.0), (0.3, 0.4)) == pytest.approx(0.5)
    assert distance((0.2, 0.2, 0.2), (0.2, 0.2, 0.2)) == 0.0


def test_the_nearest_of_many_counts() -> None:
    frontier = [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]
    assert distance_to_nearest((0.5, 0.4), frontier) == pytest.approx(0.1)
    assert distance_to_nearest((0.0, 1.0), frontier) == 0.0


def test_of_none_none_is_near() -> None:
    assert distance_to_nearest((0.5, 0.5), np.empty((0, 2))) == np.inf
