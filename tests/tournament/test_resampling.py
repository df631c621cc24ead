import numpy as np
import pytest
from scipy.stats import bootstrap

from genius_py.tournament.resampling import draws, interval, ranks, resampled_means


def test_a_draw_has_as_many_blocks_as_there_are() -> None:
    drawn = draws(7, np.random.default_rng(1), resamples=50)
    assert drawn.shape == (50, 7)
    assert (drawn.sum(axis=1) == 7).all()


def test_means_weigh_blocks_by_their_sessions() -> None:
    means = resampled_means(
        np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([[3.0, 2.0]]), np.array([[3.0, 1.0]])
    )
    assert means.tolist() == [[1.0], [1.25]]


def test_the_interval_agrees_with_scipy_for_many_blocks() -> None:
    values = np.random.default_rng(2).normal(0.5, 0.2, size=400)
    drawn = draws(400, np.random.default_rng(3), resamples=5000)
    low, high = interval(resampled_means(drawn, values[None], np.ones((1, 400))), 400)
    known = bootstrap(
        (values,), np.mean, method="percentile", rng=np.random.default_rng(4)
    ).confidence_interval
    assert low[0] == pytest.approx(known.low, abs=0.002)
    assert high[0] == pytest.approx(known.high, abs=0.002)


def test_an_interval_of_few_blocks_covers_the_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    drawn = draws(10, rng)
    covered = 0
    for _ in range(300):
        values = rng.normal(size=(1, 10))
        low, high = interval(resampled_means(drawn, values, np.ones((1, 10))), 10)
        covered += bool(low[0] <= 0 <= high[0])
    assert 0.90 <= covered / 300 <= 0.98  # plain percentiles give about 0.90


def test_what_was_never_observed_has_no_interval() -> None:
    low, high = interval(np.full((10, 1), np.nan), 5)
    assert np.isnan([low[0], high[0]]).all()


def test_ties_share_the_better_rank() -> None:
    assert ranks(np.array([[0.5, 0.7, 0.5, np.nan]])).tolist() == [[2, 1, 2, 4]]
