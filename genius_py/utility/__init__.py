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

__all__ = [
    "AdditiveUtilitySpace",
    "DiscreteEvaluator",
    "Evaluator",
    "IntegerEvaluator",
    "RealConstantEvaluator",
    "RealLinearEvaluator",
    "RealTriangularEvaluator",
    "UtilitySpace",
    "discounted",
]
