import pytest

from genius_py.manager import run
from genius_py.report.concessions import TIMES, concession_curves


def test_a_hardliner_asks_for_its_best_bid_to_the_end() -> None:
    outcome = run("SAOP", "flour_supply", parties=["hardliner", "hardliner"], deadline=19)
    ((party, curve),) = concession_curves([outcome]).items()
    assert party == "hardliner"
    assert [point.utility for point in curve] == pytest.approx([1.0] * len(curve))
    # Both seats count, from the first round (t = 1 / 20) to the last (t = 19 / 20).
    assert {point.sessions for point in curve} == {2}
    assert [point.time for point in curve] == pytest.approx(
        [time for time in TIMES if 0.04 < time < 0.96]
    )


def test_later_points_are_of_the_sessions_that_were_still_going_on() -> None:
    short = run("SAOP", "flour_supply", parties=["conceder", "conceder"], deadline=20)
    long = run("SAOP", "flour_supply", parties=["conceder", "hardliner"], deadline=20)
    assert short.time < long.time
    curve = concession_curves([short, long])["conceder"]
    assert [point.sessions for point in curve if point.time <= short.time][-1] == 3
    assert next(point.sessions for point in curve if point.time > short.time) == 1
    utilities = [point.utility for point in curve if point.time > short.time]
    assert utilities == sorted(utilities, reverse=True)


def test_who_offers_nothing_has_no_curve() -> None:
    outcome = run(
        "SAOP", "flour_supply", parties=["boulware", "scripted:script=EndNegotiation"], deadline=19
    )
    assert concession_curves([outcome]).keys() == {"boulware"}


def test_a_session_between_two_times_that_are_looked_at_has_no_curve() -> None:
    outcome = run("SAOP", "flour_supply", parties=["linear", "accepting"], deadline=5)
    assert outcome.time == pytest.approx(1 / 6)
    assert concession_curves([outcome]) == {}
