"""An additive space over an issue that is too wide to be listed."""

import numpy as np
import pytest

from genius_py.domain import Domain
from genius_py.errors import OutcomeSpaceTooLarge
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator, IntegerEvaluator

WIDE = Domain("wide", [IntegerIssue("price", 1, 10**9), DiscreteIssue("colour", ["red", "blue"])])
SPACE = AdditiveUtilitySpace(
    domain=WIDE,
    weights=[0.5, 0.5],
    evaluators=[IntegerEvaluator(0, 1e-9), DiscreteEvaluator({"red": 1, "blue": 2})],
)


def test_utilities_of_some_bids_need_no_list_of_all_values() -> None:
    assert SPACE.utilities(np.array([0, WIDE.size - 1])) == pytest.approx([0.25, 1.0])


def test_the_values_are_not_listed_by_accident() -> None:
    with pytest.raises(OutcomeSpaceTooLarge, match="Issue 'price' has 1000000000 values"):
        SPACE.factors()
