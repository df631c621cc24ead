from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import OptionError, ProfileError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    RealConstantEvaluator,
    RealLinearEvaluator,
    RealTriangularEvaluator,
)

CAR = Domain(
    "car",
    [
        DiscreteIssue("colour", ["red", "blue"]),
        IntegerIssue("price", 0, 4),
        RealIssue("range", 0, 20),
    ],
)
EVALUATORS = (
    DiscreteEvaluator({"red": 1, "blue": 4}),
    IntegerEvaluator(0, slope=-0.25, offset=1),
    RealLinearEvaluator(intercept=0, slope=0.05),
)


def space(
    *weights: float, evaluators: tuple[Evaluator | None, ...] = EVALUATORS
) -> AdditiveUtilitySpace:
    return AdditiveUtilitySpace(domain=CAR, weights=weights, evaluators=evaluators)


def car(colour: str = "blue", price: int = 0, range: float = 20.0) -> Bid:
    return CAR.bid(colour=colour, price=price, range=range)


def test_a_bid_is_worth_the_weighted_sum_of_its_evaluations() -> None:
    # 0.5 * 1/4 + 0.3 * (1 - 0.25 * 2) + 0.2 * 0.05 * 10.1
    assert space(0.5, 0.3, 0.2).utility(car("red", 2, 10.1)) == pytest.approx(0.376)
    assert space(0.5, 0.3, 0.2).utility(car()) == 1


def test_a_mapping_is_the_evaluator_of_a_discrete_issue() -> None:
    plain = AdditiveUtilitySpace(
        domain=CAR, weights=(0.5, 0.3, 0.2), evaluators=[{"red": 1, "blue": 4}, *EVALUATORS[1:]]
    )
    assert plain == space(0.5, 0.3, 0.2)


@pytest.mark.parametrize(
    ("weights", "evaluators", "told"),
    [
        ({"colour": 1}, EVALUATORS, "Weights stand in the order of the issues"),
        ([1, 0, 0], {"colour": {"red": 1}}, "Evaluators stand in the order of the issues"),
        ([1, 0, 0], [max, None, None], "A builtin_function_or_method is no evaluator"),
    ],
)
def test_what_is_no_weight_or_evaluator_is_refused(
    weights: Any, evaluators: Any, told: str
) -> None:
    with pytest.raises(OptionError, match=told):
        AdditiveUtilitySpace(domain=CAR, weights=weights, evaluators=evaluators)


def test_weights_are_not_normalised_and_the_sum_is_cut_at_1_but_not_at_0() -> None:
    assert space(0.25, 0.1, 0.1).utility(car()) == pytest.approx(0.45)
    assert space(1, 1, 1).utility(car()) == 1
    assert space(-1, 0, 0).utility(car()) == -1
    assert space(1, 1, 1).utilities().max() == 1
    assert space(-1, 0, 0).utilities().min() == -1


def test_evaluations_are_divided_by_the_largest_of_all_known_and_unknown_values() -> None:
    evaluator = DiscreteEvaluator({"red": 1, "blue": 4, "gold": 8})
    assert [evaluator.evaluate(value) for value in ("red", "blue")] == [0.125, 0.5]


# C12 of the known faults.
@pytest.mark.parametrize("largest", [0.0, 0.000009, -3.0])
def test_evaluations_that_are_all_0_or_nearly_are_worth_0(largest: float) -> None:
    evaluator = DiscreteEvaluator({"red": largest, "blue": -5.0})
    assert evaluator.evaluate("red") == 0
    assert evaluator.evaluate("blue") == 0


def test_a_single_negative_evaluation_is_worth_less_than_nothing() -> None:
    assert DiscreteEvaluator({"red": -1, "blue": 2}).evaluate("red") == -0.5


def test_an_integer_is_evaluated_by_its_distance_from_the_lower_bound_of_the_profile() -> None:
    evaluator = IntegerEvaluator(2, slope=0.25, offset=0.5)
    assert [evaluator.evaluate(n) for n in (-9, 1, 2, 3, 9)] == [0, 0.25, 0.5, 0.75, 1]
    assert evaluator.listed(IntegerIssue("n", 1, 3)).tolist() == [0.25, 0.5, 0.75]


def test_a_line_over_a_real_issue_goes_by_the_value_itself() -> None:
    # C54 of the known faults: 4/3 - x/30 on [10, 40].
    evaluator = RealLinearEvaluator(intercept=4 / 3, slope=-1 / 30)
    assert evaluator.evaluate(10.0) == pytest.approx(1)
    assert evaluator.evaluate(25.0) == pytest.approx(0.5)
    assert evaluator.evaluate(40.0) == pytest.approx(0)
    assert (evaluator.evaluate(0.0), evaluator.evaluate(99.0)) == (1, 0)


def test_a_constant_is_not_cut() -> None:
    assert RealConstantEvaluator(-1.5).evaluate(7.0) == -1.5


def test_a_triangle_rises_to_its_top_and_falls() -> None:
    triangle = RealTriangularEvaluator(left=-1, right=2, top=0)
    xs = (-2.0, -1.0, -0.5, 0.0, 1.0, 2.0, 3.0)
    assert [triangle.evaluate(x) for x in xs] == [0, 0, 0.5, 1, 0.5, 0, 0]


@pytest.mark.parametrize(
    ("evaluators", "complaint"),
    [
        ((None, *EVALUATORS[1:]), "issue 'colour' has no evaluator (or no weight)"),
        (
            (DiscreteEvaluator({"red": 1}), *EVALUATORS[1:]),
            "issue 'colour': the value 'blue' has no evaluation",
        ),
    ],
)
def test_an_incomplete_profile_complains_and_fails_where_it_is_asked(
    evaluators: tuple[Evaluator | None, ...], complaint: str
) -> None:
    incomplete = space(0.5, 0.3, 0.2, evaluators=evaluators)
    assert incomplete.complaint == complaint
    with pytest.raises(ProfileError, match="olour"):
        incomplete.utility(car())
    with pytest.raises(ProfileError, match="The profile is incomplete"):
        incomplete.utilities()
    assert space(0.5, 0.3, 0.2).complaint == ""


def test_what_is_known_of_an_incomplete_profile_can_be_asked() -> None:
    incomplete = space(1, 0, 0, evaluators=(DiscreteEvaluator({"red": 1}), *EVALUATORS[1:]))
    assert incomplete.utility(car("red")) == 1


def test_free_text_is_worth_nothing_and_needs_no_evaluator() -> None:
    domain = Domain("project", [TextIssue("scope"), IntegerIssue("price", 0, 1)])
    space = AdditiveUtilitySpace(
        domain=domain, weights=[0, 1], evaluators=[None, IntegerEvaluator(0, slope=1)]
    )
    assert space.complaint == ""
    assert space.utility(domain.bid(scope="all of it", price=1)) == 1
    assert space.utilities(np.array([0, 1])).tolist() == [0, 1]


def test_a_profile_has_a_weight_and_an_evaluator_for_each_issue() -> None:
    with pytest.raises(OptionError, match="needs 3 weights and evaluators, one an issue; got 2 an"):
        space(0.5, 0.5)


def evaluators(issue: Issue) -> st.SearchStrategy[Evaluator]:
    numbers = st.floats(-2, 2)
    match issue:
        case DiscreteIssue(values=values):
            return st.fixed_dictionaries(dict.fromkeys(values, numbers)).map(DiscreteEvaluator)
        case IntegerIssue():
            return st.builds(IntegerEvaluator, st.integers(-3, 3), numbers, numbers)
        case _:
            return st.builds(RealLinearEvaluator, numbers, numbers) | st.builds(
                RealTriangularEvaluator, numbers, numbers, numbers
            )


@given(
    weights=st.tuples(*[st.floats(-1, 1)] * 3),
    given=st.tuples(*map(evaluators, CAR.issues)),
)
def test_arrays_give_the_utilities_of_single_bids_to_the_bit(
    weights: tuple[float, ...], given: tuple[Evaluator, ...]
) -> None:
    drawn = space(*weights, evaluators=given)
    single = [drawn.utility(bid) for bid in CAR.bids()]
    np.testing.assert_array_equal(drawn.utilities(), single)
    again = space(*weights, evaluators=given)
    np.testing.assert_array_equal(again.utilities(np.arange(CAR.size)), single)


def test_the_parts_of_all_issues_add_up_to_the_utility() -> None:
    found = space(0.5, 0.3, 0.2)
    bid = car("red", 3, 5.0)
    assert sum(found.part(i, v) for i, v in enumerate(bid.content)) == found.utility(bid)
    factors = found.factors()
    assert [len(factor) for factor in factors] == [2, 5, 21]
    assert factors[0].tolist() == [0.125, 0.5]


def test_a_million_bids_are_evaluated_without_asking_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    domain = Domain("wide", [IntegerIssue(f"i{i}", 0, 9) for i in range(6)])
    line = IntegerEvaluator(0, slope=1 / 9)
    wide = AdditiveUtilitySpace(domain=domain, weights=[1 / 6] * 6, evaluators=[line] * 6)
    monkeypatch.setattr(AdditiveUtilitySpace, "_utility", None)
    utilities = wide.utilities()
    assert utilities.shape == (10**6,)
    assert (utilities[0], utilities[-1]) == (0, pytest.approx(1))
