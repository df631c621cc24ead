"""Sessions are judged as Java Genius judged them, and by the textbook where that agrees."""

import json
import os
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genius_py import formats
from genius_py.analysis.genius import genius_session_analysis
from genius_py.analysis.of_outcome import OutcomeAnalysis, OutcomeSpace, analyze_outcome
from genius_py.analysis.pareto import efficient
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.errors import GeniusWarning
from genius_py.log import Ending, Event, Kind, Log, Reason
from genius_py.outcome import Outcome
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.scenario import Scenario

Vector = dict[str, Any]


@cache
def _read(path: Path) -> Vector:
    vector: Vector = json.loads(path.read_text(encoding="utf-8"))
    return vector


def _analysed() -> list[str]:
    """The scenarios that Genius could analyse."""
    folder = os.environ.get("GENIUS_PY_GOLDEN")
    paths = sorted(Path(folder, "utility").glob("*.json")) if folder else []
    return [path.stem for path in paths if "analysis_BidSpace" in _read(path)]


@pytest.fixture(params=_analysed() or [""])
def vector(request: pytest.FixtureRequest, golden: Path) -> Vector:
    """Each scenario in turn."""
    return _read(golden / "utility" / f"{request.param}.json")


@pytest.fixture
def scenario(golden: Path, vector: Vector) -> Scenario:
    """The same scenario, read by us."""
    inputs = golden / "inputs"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GeniusWarning)
        return formats.load(
            inputs / vector["domain_file"], [inputs / name for name in vector["profile_files"]]
        )


def judged(
    scenario: Scenario, agreement: Bid | None, time: float, *, faithful: bool
) -> OutcomeAnalysis:
    """A session that ended at a time, with this agreement."""
    plan = SessionPlan(
        protocol="alternating_offers",
        scenario=scenario,
        seats=[SeatPlan(role, role, "random") for role in scenario.roles],
        deadline=Deadline(rounds=10),
        faithful=faithful,
    )
    reason = Reason.DEADLINE if agreement is None else Reason.AGREEMENT
    end = Event(Kind.END, 5, 1, time, "", None, (), Ending(agreement, reason, "", 0, 5))
    analysis = analyze_outcome(Outcome(plan, Log([end])))
    assert analysis is not None
    return analysis


def same(expected: object) -> Any:
    """Equal up to the last bits, which another library of mathematics may round otherwise."""
    return None if expected is None else pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize(
    ("key", "time"),
    [("analysis_MultilateralAnalysis", 0.0), ("analysis_MultilateralAnalysis_t0.5", 0.5)],
)
def test_a_faithful_session_is_judged_as_genius_judged_it(
    vector: Vector, scenario: Scenario, key: str, time: float
) -> None:
    expected = vector[key]
    for agreement in expected["agreements"]:
        bid = agreement["agreement_bid"]
        agreed = None if bid is None else scenario.domain.bid(bid["bid"])
        found = judged(scenario, agreed, time, faithful=True)
        assert found.distance_to_pareto == same(agreement["distance_pareto"])
        assert found.distance_to_nash == same(agreement["distance_nash"])
        assert found.social_welfare == same(agreement["social_welfare"])
        assert found.max_social_welfare == same(expected["max_social_welfare"])
        assert found.pareto_size == expected["pareto_size"]
        nash = None if found.nash_utilities is None else list(found.nash_utilities.values())
        assert nash == same(expected["nash"])


def test_all_bids_are_analysed_as_in_genius(vector: Vector, scenario: Scenario) -> None:
    expected = vector["analysis_BidSpace"]
    found = genius_session_analysis(list(scenario.profiles.values()), limit=None)
    assert found.points[found.pareto] == same(np.array(expected["pareto"]))
    for index, point in ((found.nash, expected["nash"]), (found.kalai, expected["kalai"])):
        assert (None if index is None else found.points[index].tolist()) == same(point)


def test_our_frontier_is_genius_s_with_every_point_once_and_no_noise(
    vector: Vector, scenario: Scenario
) -> None:
    space = OutcomeSpace.of(scenario.profiles)
    assert space is not None
    assert space.analysis.complete
    theirs = np.array(vector["analysis_BidSpace"]["pareto"])
    expected = np.unique(theirs[efficient(theirs)].round(12), axis=0)
    assert np.unique(space.frontier.round(12), axis=0) == same(expected)
    for row in range(0, len(space.frontier), max(1, len(space.frontier) // 20)):
        bid = space.bid_at(row)
        worth = [profile.utility(bid) for profile in scenario.profiles.values()]
        assert worth == same(space.frontier[row].tolist())


def test_our_nash_point_is_genius_s_where_that_is_rational(
    vector: Vector, scenario: Scenario
) -> None:
    space = OutcomeSpace.of(scenario.profiles)
    assert space is not None
    expected = vector["analysis_BidSpace"]["nash"]
    reservation = space.analysis.reservation
    if expected is None or (np.array(expected) < reservation).any():
        return
    found = space.analysis.solution("nash")
    assert found is not None
    product = np.prod(np.array(expected) - reservation)
    assert np.prod(found - reservation) == same(product)
