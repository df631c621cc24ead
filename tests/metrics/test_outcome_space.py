import math

import pytest
from attrs import evolve

from genius_py import registry
from genius_py.domain import Domain
from genius_py.errors import OutcomeSpaceTooLarge
from genius_py.issue import DiscreteIssue, RealIssue, TextIssue
from genius_py.manager import run
from genius_py.metrics._space import space_of
from genius_py.outcome import Outcome
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, CallableUtilitySpace, DiscreteEvaluator
from tests.metrics.sessions import played, scenario

# Frontier: 0, 1 and 2. Reservation values exclude 0; Nash is 1; 3 is beaten by 1.
GAME = scenario({"ann": 0.2, "bob": 0.1}, ann=[1.0, 0.7, 0.3, 0.6], bob=[0.0, 0.65, 1.0, 0.55])


def measured(name: str, outcome: Outcome) -> float:
    values = registry.make("metric", name).measure(outcome)
    assert len(set(values.values())) == 1 or all(math.isnan(v) for v in values.values())
    found: float = values["ann"]
    return found


def agreed(number: int) -> Outcome:
    return played(GAME, 1, ann=[number], bob=["accept"])


def test_an_agreement_on_the_frontier_is_optimal() -> None:
    assert measured("pareto_optimality", agreed(1)) == 1.0
    assert measured("distance_to_pareto", agreed(1)) == 0.0
    assert measured("distance_to_nash", agreed(1)) == 0.0


def test_an_agreement_below_it_is_not() -> None:
    assert measured("pareto_optimality", agreed(3)) == 0.0
    assert measured("distance_to_pareto", agreed(3)) == pytest.approx(0.1 * math.sqrt(2))
    assert measured("distance_to_nash", agreed(3)) == pytest.approx(0.1 * math.sqrt(2))


def test_distances_to_the_other_solutions() -> None:
    # Gains are (0.5, 0.55) or (0.1, 0.9), of at most (0.5, 0.9); sums are 1.0, 1.35 and 1.3.
    for solution in ("kalai_smorodinsky", "egalitarian"):
        assert measured(f"distance_to_{solution}", agreed(1)) == 0.0
    assert measured("distance_to_utilitarian", agreed(1)) == pytest.approx(0.0)
    assert measured("distance_to_nash_welfare", agreed(2)) == pytest.approx(math.hypot(0.4, 0.35))


def test_welfare_product_and_opposition() -> None:
    assert measured("social_welfare", agreed(1)) == pytest.approx(1.35)
    assert measured("nash_product", agreed(1)) == pytest.approx(0.275)
    assert measured("nash_product", agreed(0)) == 0.0
    assert measured("opposition", agreed(3)) == pytest.approx(math.hypot(0.3, 0.35))


def test_no_agreement_is_the_point_of_the_reservation_values() -> None:
    failed = played(GAME, 1, ann=[0], bob=[2])
    assert measured("social_welfare", failed) == pytest.approx(0.3)
    assert measured("distance_to_nash", failed) == pytest.approx(math.hypot(0.5, 0.55))
    assert measured("pareto_optimality", failed) == 0.0
    assert dict(registry.make("metric", "individual_rationality").measure(failed)) == {
        "ann": 1.0,
        "bob": 1.0,
    }


def test_each_party_is_individually_rational_for_itself() -> None:
    found = registry.make("metric", "individual_rationality").measure(agreed(0))
    assert found == {"ann": 1.0, "bob": 0.0}


def test_without_a_zone_of_possible_agreement_there_is_no_nash_solution() -> None:
    game = scenario({"ann": 0.9, "bob": 0.9}, ann=[0.7, 0.2], bob=[0.2, 0.7])
    outcome = played(game, 1, ann=[0], bob=["accept"])
    assert math.isnan(measured("distance_to_nash", outcome))


def test_the_space_of_a_session_is_analysed_once() -> None:
    outcome = agreed(1)
    assert space_of(outcome) is space_of(outcome)
    assert space_of(outcome) is space_of(agreed(3))


def additive(issues: int) -> Scenario:
    domain = Domain("big", [DiscreteIssue(f"i{n}", ("a", "b", "c")) for n in range(issues)])

    def profile(worths: tuple[float, ...]) -> AdditiveUtilitySpace:
        evaluator = DiscreteEvaluator(dict(zip("abc", worths, strict=True)))
        return AdditiveUtilitySpace(
            domain=domain, weights=[1 / issues] * issues, evaluators=[evaluator] * issues
        )

    return Scenario(domain, {"ann": profile((1.0, 0.7, 0.0)), "bob": profile((0.0, 0.7, 1.0))})


def test_additive_spaces_of_any_size_are_exact() -> None:
    outcome = run("SAOP", additive(40), parties=["boulware", "conceder"], deadline=10)
    assert outcome.agreement is not None
    assert space_of(outcome).complete
    best = space_of(outcome).solution("nash")
    assert best == pytest.approx([0.7, 0.7])
    expected = math.dist(list(outcome.utilities.values()), [0.7, 0.7])
    assert measured_first("distance_to_nash", outcome) == pytest.approx(expected)


def measured_first(name: str, outcome: Outcome) -> float:
    found: float = next(iter(registry.make("metric", name).measure(outcome).values()))
    return found


def of_functions(domain: Domain) -> Outcome:
    space = CallableUtilitySpace(domain=domain, function=lambda bid: 0.5)
    return run(
        "default",
        Scenario(domain, {"ann": space, "bob": space}),
        parties=["random"] * 2,
        deadline=1,
    )


def test_a_space_that_can_be_neither_listed_nor_merged_is_not_complete() -> None:
    outcome = of_functions(additive(40).domain)
    assert not space_of(outcome).complete
    assert space_of(outcome).assess([0.5, 0.5]).pareto_optimal is None


def test_what_free_text_is_worth_cannot_be_analysed() -> None:
    with pytest.raises(OutcomeSpaceTooLarge, match="free text of which the worth depends"):
        space_of(of_functions(Domain("pitch", [TextIssue("slogan")])))


def test_a_lone_real_issue_that_is_not_linear_counts_with_its_grid() -> None:
    domain = Domain("dial", [RealIssue("x", 0.0, 1.0)])
    spaces = {
        "ann": CallableUtilitySpace(domain=domain, function=lambda bid: float(bid["x"])),
        "bob": CallableUtilitySpace(domain=domain, function=lambda bid: 1 - float(bid["x"]) ** 2),
    }
    outcome = run("default", Scenario(domain, spaces), parties=["random"] * 2, deadline=1)
    assert space_of(outcome).n_outcomes == 21


def test_discounted_everything_counts_as_it_does_at_the_end() -> None:
    game = scenario({"ann": 0.2, "bob": 0.1}, ann=[1.0, 0.7, 0.3], bob=[0.0, 0.65, 1.0])
    halving = {role: evolve(p, discount_factor=0.25) for role, p in game.profiles.items()}
    outcome = played(
        Scenario(game.domain, halving), 1, ann=[2], bob=["accept"]
    )  # at time 1 / 2, when half of all is left
    assert measured("distance_to_nash", outcome) == pytest.approx(math.hypot(0.4, 0.35))
    assert measured("distance_to_nash:discounted=True", outcome) == pytest.approx(
        math.hypot(0.2, 0.175)
    )
    assert measured("pareto_optimality:discounted=True", outcome) == 1.0
