"""Sentences about outcomes and outcome spaces."""

import math
from typing import Any

import attrs
import numpy as np
import pytest

from genius_py.analysis.frontier import Frontier
from genius_py.analysis.of_outcome import OutcomeAnalysis, OutcomeSpace
from genius_py.cli._judgement import certainty, of_outcome, of_space
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue
from genius_py.utility import CallableUtilitySpace, LinearUtilitySpace, TableUtilitySpace

BEST = OutcomeAnalysis(
    pareto_optimal=True,
    distance_to_pareto=0.0,
    distance_to_nash=0.04,
    social_welfare=1.2,
    max_social_welfare=1.3,
    nash_product=0.1,
    max_nash_product=0.2,
    surplus_shares={"buyer": 0.62, "seller": 0.38},
    pareto_size=3,
    nash_bid=None,
    nash_utilities=None,
    complete=True,
    error=0.0,
    examined=9,
)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {},
            "Pareto-optimal; 0.0400 from the Nash bargaining solution; "
            "buyer got 62 % of the surplus.",
        ),
        (
            {"distance_to_nash": 0.0, "surplus_shares": {"a": 0.5, "b": 0.5}},
            "Pareto-optimal; the Nash bargaining solution; all got the same share of the surplus.",
        ),
        (
            {
                "pareto_optimal": False,
                "distance_to_pareto": 0.25,
                "surplus_shares": {"a": 1.2, "b": -0.2},
            },
            "0.2500 from the Pareto frontier; 0.0400 from the Nash bargaining solution; "
            "b got less than its reservation value.",
        ),
        (
            {"pareto_optimal": None, "surplus_shares": None},
            "No better bid is known; 0.0400 from the Nash bargaining solution.",
        ),
        (
            {"distance_to_nash": None, "surplus_shares": {"alone": 1.0}},
            "Pareto-optimal; no bid gives every party its reservation value.",
        ),
    ],
)
def test_an_outcome_is_judged_in_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    assert of_outcome(attrs.evolve(BEST, **changes)) == sentence


def test_what_is_exact_needs_no_word_and_what_is_not_says_how_sure_it_is() -> None:
    assert certainty(BEST) == ""
    near = Frontier(np.ones((1, 2)), np.zeros(1, dtype=np.intp), 7, 0.0123)
    assert certainty(near) == (
        "Approximate: no bid is better for everybody by more than 0.012 than those that are known."
    )
    assert certainty(attrs.evolve(near, error=math.inf)) == ("Approximate: 7 bids were looked at.")


ONE = Domain("one", [DiscreteIssue("only", ["x", "y"])])


def test_a_space_with_one_best_bid_has_a_frontier_of_one_point() -> None:
    space = TableUtilitySpace(domain=ONE, table=[1.0, 0.5])
    assert of_space(OutcomeSpace.require({"ann": space, "bob": space})) == (
        "There is something to agree on: 2 of 2 bids give everybody the reservation value; "
        "the Pareto frontier has 1 point; opposition 0.0000."
    )


def test_utilities_in_euros_have_no_opposition() -> None:
    space = LinearUtilitySpace(domain=ONE, coefficients=[0], constant=500)
    assert of_space(OutcomeSpace.require({"ann": space})).endswith(
        "the Pareto frontier has 1 point."
    )


def test_of_a_sample_nobody_knows_that_there_is_nothing_to_agree_on() -> None:
    domain = Domain("f", [DiscreteIssue(f"i{n}", "abcdefghij") for n in range(12)])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: 0.5, reservation_value=0.6)
    assert of_space(OutcomeSpace.require({"ann": space})).startswith(
        "There is nothing to agree on: no bid that is known gives everybody"
    )
