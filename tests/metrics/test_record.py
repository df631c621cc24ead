import pytest

from genius_py.metrics.calculator import MetricsCalculator
from genius_py.metrics.record import record_of_outcome
from tests.metrics.sessions import played, scenario

GAME = scenario({"ann": 0.4, "bob": 0.3}, ann=[1.0, 0.6, 0.2], bob=[0.0, 0.5, 0.9])


def test_any_session_becomes_a_record() -> None:
    result, actions = record_of_outcome(played(GAME, 5, ann=[0, 1], bob=[2, "accept"]))
    assert result.players == ["ann", "bob"]
    assert (result.success, result.total_rounds) == (True, 2)
    assert result.final_scores == {"ann": 0.6, "bob": 0.5}
    assert [(a.player_id, a.action_type, a.round_number) for a in actions] == [
        ("ann", "offer", 1),
        ("bob", "offer", 1),
        ("ann", "offer", 2),
        ("bob", "accept", 2),
    ]
    assert actions[0].action_data == {
        "type": "offer",
        "x": 0,
        "utilities": {"ann": 1.0, "bob": 0.0},
    }


def test_the_platforms_metrics_measure_any_session() -> None:
    outcome = played(GAME, 5, ann=[2, 0, 1], bob=[2, 2, "accept"])
    found = MetricsCalculator().calculate_outcome(outcome)
    assert found["utility_surplus"] == pytest.approx({"ann": 0.2, "bob": 0.2})
    assert found["risk_minimization"] == pytest.approx({"ann": 2 / 3, "bob": 1.0})
    assert found["feasibility"] == {"ann": 1.0, "bob": 1.0}
    # Ann offered bob 0.6 beyond his 0.3, then nothing, then 0.2: (0.6 - 0.2) / 0.6 over 2 rounds.
    assert found["deadline_sensitivity"] == pytest.approx({"ann": 0.0, "bob": 1 / 3})


def test_an_agreement_below_the_reservation_value_is_not_feasible() -> None:
    outcome = played(GAME, 1, ann=[0], bob=["accept"])
    found = MetricsCalculator().calculate_outcome(outcome)
    assert found["feasibility"] == {"ann": 1.0, "bob": 0.0}
    assert found["utility_surplus"] == pytest.approx({"ann": 0.6, "bob": -0.3})


def test_other_actions_go_under_their_names() -> None:
    outcome = played(GAME, 1, ann=[0], bob=[RuntimeError("gone")])
    assert [action.action_type for action in record_of_outcome(outcome)[1]] == ["offer", "forfeit"]
