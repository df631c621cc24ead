"""A broken scenario of each kind fails, with a sentence that says what to mend."""

from typing import Any

import attrs
import numpy as np
import pytest
from numpy.typing import NDArray

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import UnknownName
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.scenario import Scenario
from genius_py.testing import ConformanceError, check_domain
from genius_py.testing.scenarios import huge_scenario, mixed_scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    CallableUtilitySpace,
    DiscreteEvaluator,
    LinearUtilitySpace,
    UtilitySpace,
)

LUNCH = Domain("lunch", [DiscreteIssue("meal", ["soup", "salad"])])
LIKES = {"soup": 1.0, "salad": 2.0}


def additive(evaluations: dict[str, float] | None = None, **fields: Any) -> AdditiveUtilitySpace:
    evaluator = DiscreteEvaluator(LIKES if evaluations is None else evaluations)
    return AdditiveUtilitySpace(domain=LUNCH, weights=[1], evaluators=[evaluator], **fields)


@attrs.frozen(kw_only=True)
class Contradictory(UtilitySpace):
    """Says something else of all bids than of each."""

    def _utility(self, bid: Bid) -> float:
        return 0.5

    def _utilities(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.ones(len(positions))


EMPTY = Domain("empty", [DiscreteIssue("meal", [])])
NUMBERS = Domain("numbers", [IntegerIssue("pieces", 1, 10**30)])

BROKEN = [
    (Scenario(EMPTY, {}), "there are bids", "Issue 'meal' has no values"),
    (Scenario(LUNCH, {}), "there are profiles, and they are complete", "add one for each party"),
    (
        Scenario(LUNCH, {"ann": additive(), "bob": additive({"soup": 1.0})}),
        "there are profiles, and they are complete",
        "Profile 'bob' is incomplete",
    ),
    (
        Scenario(LUNCH, {"ann": CallableUtilitySpace(domain=LUNCH, function=lambda b: np.nan)}),
        "every bid has a worth",
        "is worth nan",
    ),
    (
        Scenario(LUNCH, {"ann": additive(reservation_value=np.inf)}),
        "every bid has a worth",
        "reservation value inf",
    ),
    (
        Scenario(LUNCH, {"ann": Contradictory(domain=LUNCH), "bob": additive()}),
        "utilities are the same one by one and all at once",
        "worth 0.5 when it is asked alone, but 1.0 among all",
    ),
    (
        Scenario(LUNCH, {"ann": additive(), "bob": additive(reservation_value=1.5)}),
        "an agreement can be worth it for everybody",
        "lower its reservation value",
    ),
    (
        Scenario(NUMBERS, {"ann": CallableUtilitySpace(domain=NUMBERS, function=lambda b: 0.5)}),
        "it can be written down and read again",
        "DomainError",
    ),
]


@pytest.mark.parametrize(
    ("scenario", "claim", "words"), BROKEN, ids=[f"{c}-{w}" for _, c, w in BROKEN]
)
def test_a_broken_scenario_is_told_what_to_mend(scenario: Scenario, claim: str, words: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_domain(scenario)
    failed = {check.claim: check.failure for check in caught.value.report.failures}
    assert words in failed[claim]


@pytest.mark.parametrize("make", [mixed_scenario, huge_scenario])
def test_a_sound_scenario_passes(make: Any) -> None:
    assert check_domain(make(3)).passed


def test_a_domain_without_a_second_profile_cannot_be_played() -> None:
    report = check_domain(Scenario(LUNCH, {"ann": additive()}))
    assert report.checks[-1].skipped == "it takes two profiles to negotiate"


def test_a_scenario_is_checked_under_the_protocol_that_it_names() -> None:
    profiles = {"ann": additive(), "bob": additive()}
    assert check_domain(Scenario(LUNCH, profiles, protocol="AMOP")).passed


def test_numbers_beyond_any_array_can_be_played() -> None:
    profile = LinearUtilitySpace(domain=NUMBERS, coefficients=[1], scale=1e30)
    assert check_domain(Scenario(NUMBERS, {"ann": profile, "bob": profile})).passed


def test_what_cannot_be_read_is_no_failure_but_an_error() -> None:
    with pytest.raises(UnknownName, match="nowhere"):
        check_domain("nowhere")
