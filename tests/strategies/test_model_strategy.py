import numpy as np
import pytest

from genius_py.strategies.model_strategy import best_bid, best_bids, candidates


def test_a_window_of_a_hundred_bids_is_a_hundredth_high() -> None:
    descending = np.linspace(1.0, 0.0, 20_001)  # 200 bids in a hundredth
    window = descending[candidates(descending, 0.5)]
    assert window.min() == pytest.approx(0.5)
    # Genius's range takes one bid above its upper bound along.
    assert window.max() == pytest.approx(0.51, abs=1.01 / 20_000)


def test_a_thin_window_is_twice_as_high() -> None:
    descending = np.linspace(1.0, 0.0, 1001)  # 10 bids in a hundredth
    window = descending[candidates(descending, 0.5)]
    assert window.min() == pytest.approx(0.5)
    assert window.max() == pytest.approx(0.52, abs=0.0011)


def test_nothing_is_widened_beyond_the_best_utility() -> None:
    descending = np.array([1.0, 0.999, 0.5])
    assert candidates(descending, 1.0) == slice(0, 1)


def test_a_target_beyond_the_best_bid_gives_the_best_bid() -> None:
    assert candidates(np.array([0.6, 0.5, 0.1]), 0.9) == slice(0, 1)


def test_the_first_of_the_best_bids_is_taken() -> None:
    assert best_bid(np.array([0.2, 0.7, 0.7])) == 1


def test_a_model_that_values_nothing_decides_nothing() -> None:
    assert best_bid(np.array([0.0, 0.0001])) is None


def test_the_best_bids_come_in_order() -> None:
    assert best_bids(np.array([0.2, 0.7, 0.9, 0.7]), 3).tolist() == [2, 1, 3]
    assert best_bids(np.array([0.2, 0.7]), 3).tolist() == [1, 0]
