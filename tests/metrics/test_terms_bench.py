import math

import pytest

from genius_py import registry
from genius_py.fronts.platform import GameEngine, MetricsCalculator, SessionManager
from genius_py.outcome import Outcome
from tests.metrics.sessions import played, scenario

# Gains of (0.3, 0.1), (0.1, 0.4) and, outside the zone of possible agreement, (-0.1, 0.9).
FEASIBLE = scenario({"ann": 0.4, "bob": 0.1}, ann=[0.7, 0.5, 0.3], bob=[0.2, 0.5, 1.0])
INFEASIBLE = scenario({"ann": 0.9, "bob": 0.9}, ann=[0.7, 0.2], bob=[0.2, 0.7])


def measured(name: str, outcome: Outcome) -> dict[str, float]:
    return dict(registry.make("metric", name).measure(outcome))


def test_surplus_efficiency_is_the_own_gain_over_the_largest_joint_one() -> None:
    outcome = played(FEASIBLE, 1, ann=[0], bob=["accept"])
    assert measured("surplus_efficiency", outcome) == pytest.approx({"ann": 0.6, "bob": 0.2})
    bad = played(FEASIBLE, 1, ann=[2], bob=["accept"])
    assert measured("surplus_efficiency", bad) == pytest.approx({"ann": -0.2, "bob": 1.8})
    failed = played(FEASIBLE, 1, ann=[0], bob=[1])
    assert measured("surplus_efficiency", failed) == {"ann": 0.0, "bob": 0.0}
    assert all(math.isnan(v) for v in measured("conditional_surplus_efficiency", failed).values())
    assert measured("conditional_surplus_efficiency", outcome) == measured(
        "surplus_efficiency", outcome
    )


def test_in_an_infeasible_session_there_is_no_surplus_to_take() -> None:
    outcome = played(INFEASIBLE, 1, ann=[0], bob=["accept"])
    assert all(math.isnan(v) for v in measured("surplus_efficiency", outcome).values())


def test_agreements_are_counted_apart_where_they_were_feasible_and_where_not() -> None:
    agreed = played(FEASIBLE, 1, ann=[0], bob=["accept"])
    failed = played(FEASIBLE, 1, ann=[0], bob=[1])
    false = played(INFEASIBLE, 1, ann=[0], bob=["accept"])
    right = played(INFEASIBLE, 1, ann=[0], bob=[1])
    assert measured("feasible_agreement", agreed)["ann"] == 1.0
    assert measured("feasible_agreement", failed)["ann"] == 0.0
    assert math.isnan(measured("feasible_agreement", false)["ann"])
    assert measured("false_agreement", false)["ann"] == 1.0
    assert measured("false_agreement", right)["ann"] == 0.0
    assert math.isnan(measured("false_agreement", agreed)["ann"])


def test_offers_and_acceptances_below_the_reservation_value_are_critical() -> None:
    outcome = played(FEASIBLE, 2, ann=[0, 2], bob=[0])
    assert measured("critical_violation", outcome) == {"ann": 1.0, "bob": 0.0}
    outcome = played(INFEASIBLE, 1, ann=[0], bob=["accept"])
    assert measured("critical_violation", outcome) == {"ann": 1.0, "bob": 1.0}


def test_what_the_engine_refused_is_critical() -> None:
    outcome = played(FEASIBLE, 2, ann=[0], bob=[RuntimeError("lost my mind"), 0])
    assert measured("critical_violation", outcome) == {"ann": 0.0, "bob": 1.0}


def test_in_a_price_game_it_is_the_share_of_the_zone_of_possible_agreement() -> None:
    """TERMS-Bench: surplus over the width of the zone, here 41000 - 39000.

    The zone lies between two of the 21 points at which a real issue is listed.
    """
    sessions = SessionManager(
        {"b": lambda _: {"type": "offer", "price": 39500}, "s": lambda _: {"type": "accept"}},
        GameEngine(),
        MetricsCalculator(),
    )
    sessions.run_negotiation(game_type="company_car", players=["b", "s"])
    assert sessions.outcome is not None
    assert measured("surplus_efficiency", sessions.outcome) == pytest.approx({"b": 0.75, "s": 0.25})
    assert measured("feasible_agreement", sessions.outcome) == {"b": 1.0, "s": 1.0}
    assert measured("distance_to_nash", sessions.outcome)["b"] == pytest.approx(500 * math.sqrt(2))
