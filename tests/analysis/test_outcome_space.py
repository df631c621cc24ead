"""The whole analysis of an outcome space, and of one outcome in it."""

import math

import numpy as np
import pytest

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.outcome_space import analyze_factors, analyze_frontier, analyze_points
from genius_py.analysis.sampling import sampled_frontier
from genius_py.analysis.solutions import SOLUTIONS
from genius_py.errors import OptionError

POINTS = [(0.1, 0.1), (1.0, 0.2), (0.6, 0.7), (0.3, 0.9), (0.6, 0.7)]


def factors(n_issues: int, n_parties: int = 2) -> AdditiveFactors:
    rng = np.random.default_rng(n_issues)
    return AdditiveFactors([rng.random((3, n_parties)) / n_issues for _ in range(n_issues)])


def test_a_listed_space_is_analysed_whole() -> None:
    analysis = analyze_points(POINTS, (0.2, 0.3))
    assert analysis.complete
    assert analysis.n_outcomes == analysis.frontier.examined == 5
    assert analysis.frontier.bids.tolist() == [1, 2, 3]
    assert analysis.utopia.tolist() == [1.0, 0.9]
    assert analysis.nadir.tolist() == [0.3, 0.2]
    assert analysis.has_zopa
    assert analysis.opposition == pytest.approx(0.5)
    assert set(analysis.solutions) == set(SOLUTIONS)
    nash = analysis.solution("nash")
    assert nash is not None
    assert nash.tolist() == [0.6, 0.7]


@pytest.mark.parametrize("n_parties", [2, 3, 4])
def test_factors_and_list_give_the_same_analysis(n_parties: int) -> None:
    space = factors(6, n_parties)
    reservation = np.full(n_parties, 0.3)
    from_factors = analyze_factors(space, reservation)
    from_list = analyze_points(space.listed(), reservation)
    assert from_factors.n_outcomes == from_list.n_outcomes == 729
    assert from_factors.frontier.points.tolist() == from_list.frontier.points.tolist()
    assert from_factors.solutions == from_list.solutions
    assert from_factors.opposition == from_list.opposition
    assert from_factors.nadir.tolist() == from_list.nadir.tolist()


def test_an_agreement_is_seen_beside_what_could_have_been() -> None:
    analysis = analyze_points(POINTS, (0.2, 0.3))
    good = analysis.assess((0.6, 0.7))
    assert good.pareto_optimal
    assert good.distance_to_pareto == good.distances["nash"] == 0.0
    assert good.individually_rational
    assert good.social_welfare == pytest.approx(1.3)
    assert good.surplus_shares == pytest.approx((0.5, 0.5))
    bad = analysis.assess((0.1, 0.1))
    assert bad.pareto_optimal is False
    assert bad.distance_to_pareto == pytest.approx(math.hypot(0.5, 0.6))
    assert bad.distances["utilitarian"] == pytest.approx(math.hypot(0.5, 0.6))
    assert not bad.individually_rational
    assert bad.surplus_shares is None


def test_no_agreement_is_the_reservation_point() -> None:
    analysis = analyze_points(POINTS, (0.2, 0.3))
    nothing = analysis.assess(None)
    assert nothing.distances["nash"] == pytest.approx(math.hypot(0.4, 0.4))
    assert nothing.social_welfare == 0.5
    assert nothing.individually_rational
    assert nothing.pareto_optimal is False


def test_no_agreement_is_efficient_where_nothing_is_rational() -> None:
    analysis = analyze_points([(0.4, 0.3), (0.9, 0.05)], (0.5, 0.5))
    assert not analysis.has_zopa
    assert analysis.solution("nash") is None
    nothing = analysis.assess(None)
    assert nothing.distances["nash"] is None
    assert nothing.pareto_optimal
    assert nothing.distance_to_pareto == 0.0


def test_an_incomplete_frontier_does_not_claim_efficiency() -> None:
    space = factors(14)
    frontier = sampled_frontier(space.points, space.sizes, np.random.default_rng(0), budget=5_000)
    analysis = analyze_frontier(frontier, space.n_outcomes)
    assert not analysis.complete
    assert analysis.assess(frontier.points[0]).pareto_optimal is None
    assert analysis.assess((0.0, 0.0)).pareto_optimal is False


def test_opposition_is_not_told_where_utilities_are_not_at_most_1() -> None:
    assert analyze_points([(680.0, 650.0)]).opposition is None


def test_no_outcome_is_refused() -> None:
    with pytest.raises(OptionError, match="no outcome to analyse"):
        analyze_points(np.empty((0, 2)))
