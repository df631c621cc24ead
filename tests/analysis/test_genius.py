"""Analysis by Java Genius's conventions, and against what Java Genius printed."""

import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from genius_py import formats
from genius_py.analysis.genius import (
    BIDS_ANALYSED,
    GeniusAnalysis,
    genius_analysis,
    genius_frontier,
    genius_kalai,
    genius_nash,
    genius_utilitarian,
)
from genius_py.errors import GeniusWarning
from genius_py.scenario import Scenario

Record = dict[str, Any]


def test_the_frontier_keeps_duplicates_and_is_sorted_by_the_first_party() -> None:
    points = [(0.9, 0.1), (0.2, 0.8), (0.2, 0.8), (0.1, 0.5), (0.5, 0.5)]
    assert genius_frontier(points).tolist() == [1, 2, 4, 0]


def test_the_nash_product_takes_two_losses_for_a_gain() -> None:
    assert genius_nash([(0.4, 0.3), (0.9, 0.05)], (0.5, 0.5)) == 0


def test_the_nash_product_must_exceed_minus_one() -> None:
    assert genius_nash([(0.0, 1.0)], (2.0, 0.0)) is None


def test_kalai_looks_for_equal_utilities() -> None:
    # Far from efficient for everybody but the difference.
    assert genius_kalai([(0.16, 1.0), (0.299, 0.299), (1.0, 0.16)]) == 1


def test_kalai_is_none_when_three_parties_differ_by_two() -> None:
    assert genius_kalai([(1.0, 0.0, 0.5), (1.0, 1.0, 0.0)]) is None
    assert genius_kalai([(1.0, 0.0, 0.5), (1.0, 0.9, 0.1)]) == 1


def test_ties_go_to_the_first_in_the_frontiers_order() -> None:
    points = [(0.8, 0.4), (0.4, 0.8)]
    frontier = np.array(points)[genius_frontier(points)]
    assert frontier[0].tolist() == [0.4, 0.8]
    assert genius_nash(frontier) == genius_kalai(frontier) == genius_utilitarian(frontier) == 0


def test_the_session_analysis_looks_at_the_first_bids_only() -> None:
    points = np.full((BIDS_ANALYSED + 1, 2), 0.5)
    points[-1] = 1.0
    assert len(genius_analysis(points).pareto) == BIDS_ANALYSED
    assert genius_analysis(points, limit=None).pareto.tolist() == [BIDS_ANALYSED]


def test_no_agreement_is_worth_nothing_to_anybody() -> None:
    analysis = genius_analysis([(0.6, 0.8)], (0.5, 0.5))
    assert analysis.distance_to_pareto(None) == 1.0
    assert analysis.distance_to_nash(None) == 1.0
    assert analysis.distance_to_pareto((0.6, 0.5)) == pytest.approx(0.3)


def test_the_distance_to_a_nash_point_that_is_not_there_is_nan() -> None:
    analysis = genius_analysis([(0.0, 1.0)], (2.0, 0.0))
    assert math.isnan(analysis.distance_to_nash((0.0, 1.0)))


def recorded_scenarios(golden: Path) -> list[tuple[Record, Scenario]]:
    """The recorded scenarios that Genius could analyse."""
    found = []
    for path in sorted((golden / "utility").glob("*.json")):
        record: Record = json.loads(path.read_text())
        if "analysis_BidSpace" in record:
            inputs = golden / "inputs"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", GeniusWarning)
                scenario = formats.load(
                    inputs / record["domain_file"],
                    [inputs / profile for profile in record["profile_files"]],
                )
            found.append((record, scenario))
    return found


def utilities(scenario: Scenario) -> NDArray[np.float64]:
    return np.column_stack([profile.utilities() for profile in scenario.profiles.values()])


def reservation(scenario: Scenario) -> list[float]:
    return [profile.reservation_value for profile in scenario.profiles.values()]


def point(analysis: GeniusAnalysis, index: int | None) -> list[float] | None:
    return None if index is None else analysis.points[index].tolist()


def same(expected: object) -> object:
    """Equal up to the last bits, which another library of mathematics may round otherwise."""
    return None if expected is None else pytest.approx(expected, rel=0, abs=1e-12)


def test_all_bids_are_analysed_as_in_genius(golden: Path) -> None:
    scenarios = recorded_scenarios(golden)
    assert scenarios
    for record, scenario in scenarios:
        expected = record["analysis_BidSpace"]
        found = genius_analysis(utilities(scenario), reservation(scenario), limit=None)
        assert len(found.pareto) == len(expected["pareto"]), record["id"]
        assert found.points[found.pareto] == same(np.array(expected["pareto"])), record["id"]
        assert point(found, found.nash) == same(expected["nash"]), record["id"]
        assert point(found, found.kalai) == same(expected["kalai"]), record["id"]


@pytest.mark.parametrize(
    ("key", "time"),
    [("analysis_MultilateralAnalysis", None), ("analysis_MultilateralAnalysis_t0.5", 0.5)],
)
def test_sessions_are_analysed_as_in_genius(golden: Path, key: str, time: float | None) -> None:
    n_agreements = 0
    for record, scenario in recorded_scenarios(golden):
        expected, name = record[key], record["id"]
        points = utilities(scenario)
        if time is not None:
            for column, profile in zip(points.T, scenario.profiles.values(), strict=True):
                column *= profile.discounted(1.0, time)
        found = genius_analysis(points, reservation(scenario))
        assert len(found.pareto) == expected["pareto_size"], name
        if "pareto" in expected:
            assert found.points[found.pareto] == same(np.array(expected["pareto"])), name
        assert point(found, found.nash) == same(expected["nash"]), name
        assert point(found, found.kalai) == same(expected["kalai"]), name
        best = point(found, found.max_social_welfare)
        assert best == same(expected["max_social_welfare_point"]), name
        assert best is not None
        assert sum(best) == same(expected["max_social_welfare"]), name
        assert found.opposition == same(expected["opposition"]), name
        for agreement in expected["agreements"]:
            bid, got = agreement["agreement_bid"], None
            if bid is not None:
                got = points[scenario.domain.bid(bid["bid"]).index].tolist()
                assert sum(got) == same(agreement["social_welfare"]), name
            assert found.distance_to_pareto(got) == same(agreement["distance_pareto"]), name
            assert found.distance_to_nash(got) == same(agreement["distance_nash"]), name
            n_agreements += 1
    assert n_agreements > 0
