"""Utility spaces: what each bid of a domain is worth to one party."""

from genius_py.utility.additive import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    RealConstantEvaluator,
    RealLinearEvaluator,
    RealTriangularEvaluator,
)
from genius_py.utility.base import UtilitySpace, discounted
from genius_py.utility.constraint import (
    Condition,
    Constraint,
    ConstraintUtilitySpace,
    Total,
)
from genius_py.utility.function import CallableUtilitySpace
from genius_py.utility.hyperrectangle import (
    Aggregate,
    HyperRectangle,
    HyperRectangleUtilitySpace,
)
from genius_py.utility.linear import Limit, LinearUtilitySpace
from genius_py.utility.table import TableUtilitySpace

__all__ = [
    "AdditiveUtilitySpace",
    "Aggregate",
    "CallableUtilitySpace",
    "Condition",
    "Constraint",
    "ConstraintUtilitySpace",
    "DiscreteEvaluator",
    "Evaluator",
    "HyperRectangle",
    "HyperRectangleUtilitySpace",
    "IntegerEvaluator",
    "Limit",
    "LinearUtilitySpace",
    "RealConstantEvaluator",
    "RealLinearEvaluator",
    "RealTriangularEvaluator",
    "TableUtilitySpace",
    "Total",
    "UtilitySpace",
    "discounted",
]
