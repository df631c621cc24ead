import numpy as np
import pytest

from genius_py.tournament.empirical_game import replicator, solve


def test_hawks_and_doves_mix_as_maynard_smith_says() -> None:
    # Maynard Smith (1982): with value V = 2 and cost C = 4, a share of V / C = 1/2 are hawks.
    game = solve(("hawk", "dove"), [[-1.0, 2.0], [0.0, 1.0]])
    assert game is not None
    (equilibrium,) = game.equilibria
    assert equilibrium.shares == pytest.approx((0.5, 0.5), abs=1e-3)
    assert equilibrium.payoff == pytest.approx(0.5, abs=1e-3)
    assert game.best_responses == (1, 0)


def test_in_the_prisoners_dilemma_everybody_defects() -> None:
    game = solve(("cooperate", "defect"), [[3.0, 0.0], [5.0, 1.0]])
    assert game is not None
    assert [e.shares for e in game.equilibria] == [(0.0, 1.0)]


def test_a_coordination_game_has_both_pure_equilibria() -> None:
    game = solve(("left", "right"), [[2.0, 0.0], [0.0, 1.0]])
    assert game is not None
    found = {tuple(round(share, 3) for share in e.shares) for e in game.equilibria}
    assert {(1.0, 0.0), (0.0, 1.0)} <= found
    assert all(e.regret <= 1e-3 for e in game.equilibria)


def test_of_parties_that_do_alike_one_mix_is_told() -> None:
    # Tit for tat and the grim trigger cooperate with each other; the third one defects.
    game = solve(
        ("copycat", "grim", "defect"), [[15.0, 15.0, 4.0], [15.0, 15.0, 4.0], [9.0, 9.0, 5.0]]
    )
    assert game is not None
    chosen = [tuple(share > 0 for share in e.shares) for e in game.equilibria]
    assert len(chosen) == len(set(chosen))
    assert (True, True, False) in chosen


def test_without_all_meetings_there_is_no_game() -> None:
    assert solve(("a", "b"), [[np.nan, 1.0], [0.0, 1.0]]) is None
    assert solve((), np.zeros((0, 0))) is None


def test_shares_stay_shares() -> None:
    shares = replicator(np.array([[0.2, 0.9], [0.9, 0.1]]), np.array([0.3, 0.7]))
    assert shares.sum() == pytest.approx(1.0)
    assert (shares >= 0).all()
