"""How what an agreement gained was shared."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from genius_py.analysis.surplus import surplus_shares
from genius_py.metrics.base import UNDEFINED, OutcomeMetric
from genius_py.outcome import Outcome

__all__ = ["Fairness", "SurplusShare"]


class SurplusShare(OutcomeMetric):
    """The share of the joint surplus that a party took; all shares add up to 1.

    Surplus is what a party got beyond its reservation value, negative for one that should have
    walked away. NaN without an agreement, and where the parties gained nothing together.
    """

    name = "surplus_share"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Own surplus over the sum of all."""
        parties = list(outcome.utilities)
        shares = None
        if outcome.agreement is not None:
            shares = surplus_shares(
                [outcome.utilities[party] for party in parties],
                [outcome.reservation_values[party] for party in parties],
            )
        if shares is None:
            return dict.fromkeys(parties, UNDEFINED)
        return dict(zip(parties, shares.tolist(), strict=True))


class Fairness(OutcomeMetric):
    """How evenly the surplus was shared: from 1 / n, one party got all, to 1, all got the same.

    The fairness index of Jain, Chiu & Hawe (1984), "A quantitative measure of fairness and
    discrimination for resource allocation in shared computer systems": (sum x)^2 / (n sum x^2),
    of what each party got beyond its reservation value, losses counted as 0. The same for all
    parties; NaN without an agreement or where nobody gained.
    """

    name = "fairness"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Jain's index of the surpluses."""
        gains = np.array(
            [
                max(0.0, utility - outcome.reservation_values[party])
                for party, utility in outcome.utilities.items()
            ]
        )
        index = UNDEFINED
        if outcome.agreement is not None and gains.any():
            index = float(gains.sum() ** 2 / (len(gains) * np.square(gains).sum()))
        return dict.fromkeys(outcome.utilities, index)
