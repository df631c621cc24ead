"""Bargaining solutions against worked examples and brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from genius_py.analysis.pareto import pareto_frontier
from genius_py.analysis.solutions import (
    SOLUTIONS,
    egalitarian,
    kalai_smorodinsky,
    nadir,
    nash,
    nash_welfare,
    utilitarian,
    utopia,
)

Problem = tuple[NDArray[np.float64], NDArray[np.float64]]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Outcomes of 2 to 5 parties and their reservation values, with ties, losses and no-gains."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_parties = draw(st.integers(2, 5))
    n_outcomes = draw(st.integers(1, 60))
    if draw(st.booleans()):
        return (
            rng.integers(-2, 9, (n_outcomes, n_parties)) / 8,
            rng.integers(-1, 5, n_parties) / 8,
        )
    return rng.random((n_outcomes, n_parties)), rng.random(n_parties) * 0.7


def brute_force(problem: Problem, name: str) -> int | None:
    """A solution by its definition, one outcome after the other."""
    points, reservation = problem
    outcomes = [tuple(map(float, point)) for point in points]
    disagreement = tuple(map(float, reservation))
    if name == "nash_welfare":
        disagreement = (0.0,) * len(disagreement)
    rational = [
        i
        for i, outcome in enumerate(outcomes)
        if all(u >= r - 1e-9 * abs(r) for u, r in zip(outcome, disagreement, strict=True))
    ]
    if name == "utilitarian":
        rational = list(range(len(outcomes)))
    if not rational:
        return None
    gains = {i: [u - r for u, r in zip(outcomes[i], disagreement, strict=True)] for i in rational}
    most = [max(gain[party] for gain in gains.values()) for party in range(len(disagreement))]

    def score(i: int) -> float:
        if name == "utilitarian":
            return float(np.sum(points[i]))
        if name == "egalitarian":
            return min(gains[i])
        if name == "kalai_smorodinsky":
            return min((g / m for g, m in zip(gains[i], most, strict=True) if m > 0), default=0.0)
        return float(np.prod([max(gain, 0.0) for gain in gains[i]]))

    best = max(map(score, rational))
    tied = [i for i in rational if score(i) == best]
    efficient = pareto_frontier(points[tied])
    return tied[int(efficient[0])]


@pytest.mark.parametrize("name", sorted(SOLUTIONS))
@given(problem=problems())
def test_a_solution_is_that_of_brute_force(name: str, problem: Problem) -> None:
    assert SOLUTIONS[name](*problem) == brute_force(problem, name)


@pytest.mark.parametrize("name", sorted(SOLUTIONS))
@given(problem=problems())
def test_the_frontier_alone_gives_the_same_solution(name: str, problem: Problem) -> None:
    points, reservation = problem
    frontier = pareto_frontier(points)
    row = SOLUTIONS[name](points[frontier], reservation)
    assert (None if row is None else frontier[row]) == SOLUTIONS[name](points, reservation)


@pytest.mark.parametrize("name", sorted(SOLUTIONS))
@given(problem=problems())
def test_a_solution_is_pareto_optimal(name: str, problem: Problem) -> None:
    points, reservation = problem
    index = SOLUTIONS[name](points, reservation)
    assert index is None or index in pareto_frontier(points)


@pytest.mark.parametrize("name", ["nash", "kalai_smorodinsky", "nash_welfare"])
@given(problem=problems())
def test_these_solutions_do_not_depend_on_the_scale(name: str, problem: Problem) -> None:
    # Powers of two scale floats without rounding.
    points, reservation = problem
    scale = 2.0 ** np.arange(-1, points.shape[1] - 1)
    assert SOLUTIONS[name](points * scale, reservation * scale) == SOLUTIONS[name](*problem)


@pytest.fixture(scope="module")
def resource_allocation() -> tuple[list[tuple[int, int]], NDArray[np.float64]]:
    """GPU and CPU hours, at least 5 each and at most 95 together, and their worth to both teams."""
    plans = [(x, y) for x, y in product(range(5, 96), repeat=2) if x + y <= 95]
    return plans, np.array([(8 * x + 6 * y, 6 * x + 8 * y) for x, y in plans], dtype=np.float64)


def test_the_nash_solution_of_the_resource_game(
    resource_allocation: tuple[list[tuple[int, int]], NDArray[np.float64]],
) -> None:
    plans, points = resource_allocation
    assert len(plans) == 3741
    frontier = pareto_frontier(points)
    assert len(frontier) == 86
    assert {plans[i] for i in frontier} == {(x, 95 - x) for x in range(5, 91)}
    index = nash(points, (300, 270))
    assert index is not None
    assert plans[index] == (55, 40)
    assert points[index].tolist() == [680, 650]
    assert (points[index] - (300, 270)).prod() == 144400


def test_all_solutions_of_the_integrative_game_are_its_only_efficient_outcome() -> None:
    points = [
        (
            0.4 * room + 0.1 * access + 0.3 * cleaning + 0.2 * branding,
            0.1 * room + 0.4 * access + 0.2 * cleaning + 0.3 * branding,
        )
        for room, access, cleaning, branding in product((10, 30, 60), repeat=4)
    ]
    assert pareto_frontier(points).tolist() == [80]
    assert points[80] == pytest.approx((60, 60))
    assert {solve(points, (27, 19)) for solve in SOLUTIONS.values()} == {80}


def test_a_zero_sum_game_is_split_in_the_middle() -> None:
    points = [(i / 10, 1 - i / 10) for i in range(11)]
    assert nash(points) == 5
    assert kalai_smorodinsky(points) == 5
    assert egalitarian(points) == 5


def test_nothing_rational_has_no_solution() -> None:
    # The product of two losses, +0.02, must not win.
    points = [(0.4, 0.3), (0.9, 0.05)]
    for name in ("nash", "kalai_smorodinsky", "egalitarian"):
        assert SOLUTIONS[name](points, (0.5, 0.5)) is None
    assert utilitarian(points) == 1
    assert nash_welfare(points) == 0


def test_the_solutions_differ_where_they_should() -> None:
    # Gains; the ideal point is (10, 4). Ratios: .3/.75 .6/.5 .9/.25.
    points = [(10.0, 0.0), (9.0, 1.0), (6.0, 2.0), (3.0, 3.0), (0.0, 4.0)]
    assert nash(points) == 2
    assert kalai_smorodinsky(points) == 2
    assert egalitarian(points) == 3
    assert utilitarian(points) == 0
    # With a reservation value of 5 the first party can gain 5, the second at most 2.
    assert nash(points, (5, 0)) == 1
    assert kalai_smorodinsky(points, (5, 0)) == 1
    assert egalitarian(points, (5, 0)) == 1


def test_a_party_that_cannot_gain_has_no_say_in_kalai_smorodinsky() -> None:
    points = [(0.2, 0.5), (0.8, 0.5), (0.3, 0.4)]
    assert kalai_smorodinsky(points, (0.0, 0.5)) == 1
    assert kalai_smorodinsky(points, (0.8, 0.5)) == 1


def test_a_dominated_outcome_never_wins_a_tie() -> None:
    points = [(0.5, 0.5), (0.5, 0.9), (0.0, 2.0)]
    assert egalitarian(points) == 1
    # Nobody gains both: all products are 0.
    assert nash([(0.1, 0.2), (0.1, 0.7), (0.9, 0.2)], (0.1, 0.2)) == 1


def test_ties_go_to_the_first_outcome() -> None:
    points = [(0.2, 0.2), (0.4, 0.8), (0.8, 0.4), (0.4, 0.8)]
    for solve in SOLUTIONS.values():
        assert solve(points, None) == 1


def test_nash_welfare_knows_no_reservation_values_and_no_negative_utilities() -> None:
    points = [(0.5, 0.5), (0.9, 0.2), (-2.0, -2.0)]
    assert nash_welfare(points) == 0
    assert SOLUTIONS["nash_welfare"](points, (0.6, 0.0)) == 0
    assert nash(points, (0.6, 0.0)) == 1
    assert nash_welfare([(-1.0, 0.5)]) is None


def test_no_outcome_has_no_solution() -> None:
    assert {solve(np.empty((0, 2)), None) for solve in SOLUTIONS.values()} == {None}


def test_utopia_and_nadir_frame_the_frontier() -> None:
    points = [(0.9, 0.2), (0.5, 0.6), (0.1, 0.7), (0.0, 0.1)]
    assert utopia(points).tolist() == [0.9, 0.7]
    assert nadir(points).tolist() == [0.1, 0.2]
