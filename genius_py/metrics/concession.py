"""How fast a party gives in."""

from __future__ import annotations

from collections.abc import Mapping

from genius_py.analysis.process import concessions
from genius_py.metrics._offers import offers_by_party
from genius_py.metrics.base import UNDEFINED, OutcomeMetric
from genius_py.outcome import Outcome

__all__ = ["ConcessionPerTurn"]


class ConcessionPerTurn(OutcomeMetric):
    """The own utility that a party gave up from one of its offers to the next, on average.

    Negative where it came to ask for more; NaN for a party that made fewer than two offers.
    """

    name = "concession_per_turn"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """(utility of the first offer - utility of the last) / (offers - 1)."""
        return {
            party: float(concessions(made.own).mean()) if len(made.own) > 1 else UNDEFINED
            for party, made in offers_by_party(outcome).items()
        }
