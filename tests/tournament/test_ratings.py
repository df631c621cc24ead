import numpy as np
import pytest

from genius_py.tournament import ratings
from genius_py.tournament.ratings import bradley_terry, elo


def test_two_parties_have_the_odds_of_their_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "_PRIOR", 0.0)
    strong, weak = bradley_terry([[0, 30], [10, 0]])
    assert strong / weak == pytest.approx(3.0)


def test_the_likelihood_has_its_maximum_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "_PRIOR", 0.0)
    wins = np.array([[0, 5, 3], [2, 0, 7], [4, 1, 0]], dtype=float)

    def likelihood(strength: np.ndarray) -> float:
        share = strength[:, None] / (strength[:, None] + strength[None, :])
        return float((wins * np.log(share)).sum())

    best = bradley_terry(wins)
    rng = np.random.default_rng(1)
    assert all(
        likelihood(best * np.exp(rng.normal(0, 0.05, 3))) <= likelihood(best) for _ in range(50)
    )


def test_who_never_lost_has_a_finite_rating() -> None:
    assert np.isfinite(elo([[0, 10], [0, 0]])).all()


def test_a_rating_does_not_depend_on_how_often_the_same_was_repeated() -> None:
    separated = np.triu(np.ones((5, 5)), 1)
    once = elo(separated)
    assert elo(6000 * separated) == pytest.approx(once)
    assert np.all(np.diff(once) < 0)
    assert np.ptp(once) < 2000


def test_who_played_nothing_is_average() -> None:
    assert elo(np.zeros((2, 2))).tolist() == [1500, 1500]
    assert elo([[0, 3, 0], [3, 0, 0], [0, 0, 0]]) == pytest.approx(1500)


def test_ratings_are_1500_on_average_and_equals_are_equal() -> None:
    rated = elo([[0, 5, 9], [5, 0, 9], [1, 1, 0]])
    assert rated.mean() == pytest.approx(1500)
    assert rated[0] == pytest.approx(rated[1])
    assert rated[2] < rated[0]
