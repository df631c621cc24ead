import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.plain_sum import additive, plain_sum, without_linear
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Limit,
    LinearUtilitySpace,
    UtilitySpace,
)

MIXED = Domain(
    "mixed", [DiscreteIssue("d", "ab"), IntegerIssue("n", -3, 4), RealIssue("x", 2.5, 2.5)]
)


def made_additive(space: UtilitySpace) -> UtilitySpace:
    return without_linear(Scenario(space.domain, {"ann": space})).profile("ann")


@given(st.floats(0, 1), st.floats(0, 10), st.floats(0, 10))
def test_a_plain_sum_multiplies_weight_and_evaluation(
    weight: float, one: float, two: float
) -> None:
    domain = Domain("x", [DiscreteIssue("x", "ab")])
    space = plain_sum(domain, [weight], [DiscreteEvaluator({"a": one, "b": two})])
    expected = [min(1, weight * one), min(1, weight * two)]
    assert space.utilities() == pytest.approx(expected, abs=1e-4 if max(one, two) < 1e-4 else 1e-12)


@given(st.floats(-0.1, 0.1), st.floats(-0.2, 0.2), st.floats(-1, 1))
def test_a_linear_profile_in_the_unit_interval_equals_its_additive_one(
    n: float, x: float, constant: float
) -> None:
    space = LinearUtilitySpace(
        domain=MIXED,
        coefficients=[0, n, x],
        constant=constant,
        reservation_value=0.2,
        discount_factor=0.5,
    )
    utilities = space.utilities()
    if utilities.min() >= 0 and utilities.max() <= 1:
        found = made_additive(space)
        assert isinstance(found, AdditiveUtilitySpace)
        assert found.utilities() == pytest.approx(utilities, abs=1e-9)
        assert (found.reservation_value, found.discount_factor) == (0.2, 0.5)
    elif utilities.min() < -1e-6 or utilities.max() > 1 + 1e-6:
        assert made_additive(space) is space


def test_a_constant_profile_over_discrete_issues_keeps_its_worth() -> None:
    space = LinearUtilitySpace(domain=MIXED, coefficients=[0, 0, 0], constant=0.7)
    assert set(made_additive(space).utilities()) == {0.7}


def test_free_text_takes_no_part_of_the_worth() -> None:
    domain = Domain("x", [TextIssue("t"), IntegerIssue("n", 0, 1)])
    space = LinearUtilitySpace(domain=domain, coefficients=[0, 0.5], constant=0.25)
    found = made_additive(space)
    assert isinstance(found, AdditiveUtilitySpace)
    assert found.utility(domain.bid(t="anything", n=1)) == pytest.approx(0.75)


def test_free_text_alone_cannot_carry_a_worth() -> None:
    space = LinearUtilitySpace(
        domain=Domain("x", [TextIssue("t")]), coefficients=[0], constant=0.25
    )
    assert made_additive(space) is space


def test_limits_and_other_kinds_stay_what_they_are() -> None:
    limited = LinearUtilitySpace(
        domain=MIXED, coefficients=[0, 0, 0], constant=0.5, limits=[Limit([0, 1, 0], 0)]
    )
    assert made_additive(limited) is limited
    with pytest.raises(DomainError, match="X holds additive profiles only; profile 'ann' is a Lin"):
        additive(limited, "ann", "X")


def test_an_incomplete_profile_is_refused() -> None:
    domain = Domain("x", [DiscreteIssue("d", "ab")])
    space = AdditiveUtilitySpace(domain=domain, weights=[1], evaluators=[None])
    with pytest.raises(DomainError, match="Profile 'ann' is incomplete: issue 'd' has no"):
        additive(space, "ann", "X")
