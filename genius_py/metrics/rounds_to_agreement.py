"""How long the parties took."""

from __future__ import annotations

from collections.abc import Mapping

from genius_py.metrics.base import UNDEFINED, OutcomeMetric
from genius_py.outcome import Outcome

__all__ = ["RoundsToAgreement"]


class RoundsToAgreement(OutcomeMetric):
    """The number of rounds until the agreement, its own included; NaN without one."""

    name = "rounds_to_agreement"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """The same for all parties."""
        rounds = UNDEFINED if outcome.agreement is None else float(outcome.rounds)
        return dict.fromkeys(outcome.utilities, rounds)
