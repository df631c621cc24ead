"""How good an outcome is among all that the parties could have come to.

No agreement is the point of the reservation values. Utilities are undiscounted; with
``discounted=True`` all count as they do at the end of the session. Definitions and sources are
those of `genius_py.analysis`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from genius_py.analysis.outcome_space import Assessment, OutcomeSpaceAnalysis
from genius_py.metrics._space import discounted, space_of
from genius_py.metrics.base import UNDEFINED, OutcomeMetric
from genius_py.outcome import Outcome

__all__ = [
    "DistanceToEgalitarian",
    "DistanceToKalaiSmorodinsky",
    "DistanceToNash",
    "DistanceToNashWelfare",
    "DistanceToPareto",
    "DistanceToUtilitarian",
    "IndividualRationality",
    "NashProduct",
    "Opposition",
    "ParetoOptimality",
    "SocialWelfare",
]


class _SpaceMetric(OutcomeMetric):
    """One number of an outcome and its space, the same for all parties."""

    settings = ("discounted",)

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """NaN where there is no such thing."""
        space, utilities = space_of(outcome), outcome.utilities
        if self.config.get("discounted"):
            space, utilities = discounted(space, outcome), outcome.discounted_utilities
        found = self.judge(space.assess(list(utilities.values())), space)
        return dict.fromkeys(outcome.utilities, UNDEFINED if found is None else float(found))

    @abstractmethod
    def judge(self, assessment: Assessment, space: OutcomeSpaceAnalysis) -> float | None:
        """The number, None where there is none."""


class ParetoOptimality(_SpaceMetric):
    """1 when no outcome is better for somebody and worse for nobody, else 0."""

    name = "pareto_optimality"

    def judge(self, assessment: Assessment, space: OutcomeSpaceAnalysis) -> float | None:
        """Whether the outcome is on the frontier."""
        return assessment.pareto_optimal


class DistanceToPareto(_SpaceMetric):
    """The distance of the parties' utilities to the nearest point of the Pareto frontier."""

    name = "distance_to_pareto"

    def judge(self, assessment: Assessment, space: OutcomeSpaceAnalysis) -> float | None:
        """0 for what no bid beats, listed or not."""
        return 0.0 if assessment.pareto_optimal else assessment.distance_to_pareto


class _DistanceToSolution(_SpaceMetric):
    solution: ClassVar[str]

    def judge(self, assessment: Assessment, space: OutcomeSpaceAnalysis) -> float | None:
        """None when no outcome gives all parties their reservation values."""
        return assessment.distances[self.solution]


class DistanceToNash(_DistanceToSolution):
    """The distance of the parties' utilities to the Nash bargaining solution."""

    name = "distance_to_nash"
    solution = "nash"


class DistanceToKalaiSmorodinsky(_DistanceToSolution):
    """The distance of the parties' utilities to the Kalai-Smorodinsky solution."""

    name = "distance_to_kalai_smorodinsky"
    solution = "kalai_smorodinsky"


class DistanceToEgalitarian(_DistanceToSolution):
    """The distance of the parties' utilities to the egalitarian (Kalai) solution."""

    name = "distance_to_egalitarian"
    aliases = ("distance_to_kalai",)
    solution = "egalitarian"


class DistanceToUtilitarian(_DistanceToSolution):
    """The distance of the parties' utilities to the outcome of maximal social welfare."""

    name = "distance_to_utilitarian"
    solution = "utilitarian"


class DistanceToNashWelfare(_DistanceToSolution):
    """The distance of the parties' utilities to the outcome of maximal product of utilities."""

    name = "distance_to_nash_welfare"
    solution = "nash_welfare"


class SocialWelfare(OutcomeMetric):
    """The sum of all parties' utilities."""

    name = "social_welfare"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """The same for all parties."""
        return dict.fromkeys(outcome.utilities, float(sum(outcome.utilities.values())))


class NashProduct(OutcomeMetric):
    """The product of what the parties got beyond their reservation values; losses count as 0."""

    name = "nash_product"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """The same for all parties."""
        gains = [
            max(0.0, utility - outcome.reservation_values[party])
            for party, utility in outcome.utilities.items()
        ]
        return dict.fromkeys(outcome.utilities, float(np.prod(gains)))


class Opposition(_SpaceMetric):
    """How far the parties are from all having their best at once; a trait of the domain.

    NaN where utilities exceed 1.
    """

    name = "opposition"

    def judge(self, assessment: Assessment, space: OutcomeSpaceAnalysis) -> float | None:
        """The distance from (1, ..., 1) to the nearest outcome."""
        return space.opposition


class IndividualRationality(OutcomeMetric):
    """1 for a party that got at least its reservation value, else 0."""

    name = "individual_rationality"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Each party for itself; float noise is forgiven."""
        return {
            party: float(utility >= outcome.reservation_values[party] - 1e-9)
            for party, utility in outcome.utilities.items()
        }
