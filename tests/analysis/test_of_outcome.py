"""How good an outcome is among all bids of its domain."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, TextIssue
from genius_py.utility import (
    AdditiveUtilitySpace,
    CallableUtilitySpace,
    TableUtilitySpace,
    UtilitySpace,
)

PIE = Domain("pie", [DiscreteIssue("share", ["a", "b", "c", "d"])])
# Three efficient bids, and one (d) that b beats for both.
POINTS = {"ann": (1.0, 0.6, 0.1, 0.4), "bob": (0.0, 0.7, 1.0, 0.5)}


def profiles(
    points: Mapping[str, tuple[float, ...]] = POINTS, reservation: float = 0.0
) -> dict[str, UtilitySpace]:
    return {
        party: TableUtilitySpace(domain=PIE, table=list(worth), reservation_value=reservation)
        for party, worth in points.items()
    }


def space(reservation: float = 0.0) -> OutcomeSpace:
    made = OutcomeSpace.of(profiles(reservation=reservation))
    assert made is not None
    return made


def test_the_nash_bid_is_at_no_distance_from_itself() -> None:
    analysis = space().analyze({"ann": 0.6, "bob": 0.7})
    assert analysis is not None
    assert analysis.pareto_optimal
    assert analysis.distance_to_pareto == 0
    assert analysis.distance_to_nash == 0
    assert analysis.nash_bid == PIE.bid(share="b")
    assert analysis.nash_utilities == {"ann": 0.6, "bob": 0.7}
    assert analysis.social_welfare == analysis.max_social_welfare == pytest.approx(1.3)
    assert analysis.nash_product == analysis.max_nash_product == pytest.approx(0.42)
    assert analysis.pareto_size == 3


def test_distances_of_a_bid_that_another_one_beats() -> None:
    analysis = space().analyze({"ann": 0.4, "bob": 0.5})
    assert analysis is not None
    assert not analysis.pareto_optimal
    assert analysis.distance_to_pareto == pytest.approx(math.hypot(0.2, 0.2))
    assert analysis.distance_to_nash == pytest.approx(math.hypot(0.2, 0.2))


def test_no_agreement_is_the_point_of_the_reservation_values() -> None:
    analysis = space(reservation=0.5).analyze({"ann": 0.5, "bob": 0.5})
    assert analysis is not None
    assert not analysis.pareto_optimal
    assert analysis.nash_product == 0
    assert analysis.max_nash_product == pytest.approx(0.1 * 0.2)
    assert analysis.distance_to_nash == pytest.approx(math.hypot(0.1, 0.2))


def test_no_agreement_is_optimal_when_no_bid_is_worth_having() -> None:
    analysis = space(reservation=0.9).analyze({"ann": 0.9, "bob": 0.9})
    assert analysis is not None
    assert analysis.pareto_optimal
    assert analysis.distance_to_pareto == 0
    assert analysis.nash_bid is None
    assert analysis.distance_to_nash is None
    assert analysis.nash_utilities is None
    assert analysis.max_nash_product == 0


def test_what_cannot_be_listed_has_no_space() -> None:
    free = Domain("free", [TextIssue("scope")])
    of_text = CallableUtilitySpace(domain=free, function=lambda bid: len(str(bid["scope"])))
    assert OutcomeSpace.of({"ann": of_text}) is None
    assert OutcomeSpace.of({}) is None
    assert OutcomeSpace.of(profiles({"ann": (1.0, math.nan, 0.0, 0.0)})) is None
    assert OutcomeSpace.of(profiles(reservation=-math.inf)) is None


def test_a_profile_that_is_silent_on_a_bid_has_no_space() -> None:
    silent = AdditiveUtilitySpace(domain=PIE, weights=[1.0], evaluators=[None])
    assert OutcomeSpace.of({"ann": silent}) is None


def test_what_is_not_a_number_is_not_analysed() -> None:
    assert space().analyze({"ann": math.inf, "bob": 0.5}) is None


# Quarters, so that no difference is as small as float noise.
worth = st.tuples(*[st.integers(0, 4).map(lambda quarters: quarters / 4)] * 4)


@given(ann=worth, bob=worth, chosen=st.integers(0, 3))
def test_a_bid_is_optimal_exactly_when_its_point_is_on_the_frontier(
    ann: tuple[float, ...], bob: tuple[float, ...], chosen: int
) -> None:
    made = OutcomeSpace.of(profiles({"ann": ann, "bob": bob}))
    assert made is not None
    analysis = made.analyze({"ann": ann[chosen], "bob": bob[chosen]})
    assert analysis is not None
    is_on_frontier = bool((made.frontier == made.points[chosen]).all(axis=1).any())
    assert analysis.pareto_optimal == is_on_frontier == (analysis.distance_to_pareto == 0)
    assert analysis.social_welfare <= analysis.max_social_welfare
    assert analysis.nash_product <= analysis.max_nash_product
