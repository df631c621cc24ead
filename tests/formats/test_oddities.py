from collections.abc import Mapping

import pytest

from genius_py.domain import Domain
from genius_py.errors import GeniusWarning
from genius_py.formats.oddities import oddities, warn_of_oddities
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    IntegerEvaluator,
    LinearUtilitySpace,
)

DOMAIN = Domain("x", [DiscreteIssue("d", "ab"), IntegerIssue("n", 0, 1)])


def scenario(
    weights: tuple[float, float] = (0.5, 0.5),
    evaluations: Mapping[str, float] | None = None,
    reservation: float = 0.0,
    domain: Domain = DOMAIN,
) -> Scenario:
    space = AdditiveUtilitySpace(
        domain=domain,
        weights=weights,
        evaluators=[DiscreteEvaluator(evaluations or {"a": 1, "b": 2}), IntegerEvaluator(0, 1)],
        reservation_value=reservation,
    )
    return Scenario(domain, {"ann": space}, source="file.yaml")


def test_nothing_is_odd_about_a_plain_scenario() -> None:
    assert list(oddities(scenario())) == []
    assert list(oddities(scenario(weights=(1 / 3, 2 / 3)))) == []
    linear = LinearUtilitySpace(domain=DOMAIN, coefficients=[0, 9])
    assert list(oddities(Scenario(DOMAIN, {"ann": linear}))) == []


@pytest.mark.parametrize(
    ("odd", "text"),
    [
        (scenario(weights=(0.5, 0.6)), "its weights sum to 1.1, not to 1; they are taken as they"),
        (scenario(weights=(0, 0)), "its weights sum to 0, not to 1"),
        (scenario(evaluations={"a": 0, "b": 0}), "no value of issue 'd' has an evaluation above 0"),
        (scenario(reservation=-0.2), "its reservation value -0.2 is negative"),
    ],
)
def test_what_is_odd_about_a_profile_is_said(odd: Scenario, text: str) -> None:
    [found] = oddities(odd)
    assert found.startswith(f"profile 'ann': {text}")
    with pytest.warns(GeniusWarning, match="file.yaml: profile 'ann': "):
        warn_of_oddities(odd)


def test_a_value_that_is_listed_twice_is_odd() -> None:
    twice = Domain("x", [DiscreteIssue("d", ["a", "b", "a"]), IntegerIssue("n", 0, 1)])
    assert list(oddities(scenario(domain=twice))) == [
        "issue 'd' lists the value 'a' more than once."
    ]


def test_a_profile_without_any_weight_gives_every_bid_nothing() -> None:
    assert scenario(weights=(0, 0)).profile("ann").utilities().tolist() == [0, 0, 0, 0]
