"""How good proposals for a job are, compared with each other: cost, time and confidence."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["WEIGHTS", "proposal_scores"]

WEIGHTS = (0.4, 0.3, 0.3)
"""What cost, time and confidence count, unless said otherwise."""


def proposal_scores(
    costs: Sequence[float],
    times: Sequence[float],
    confidences: Sequence[float],
    weights: Sequence[float] = WEIGHTS,
) -> list[float]:
    """A score in [0, 1] for each proposal, given that costs and times are 0 or more.

    ``cost weight * least cost / cost + time weight * least time / time + confidence weight *
    confidence``, the weights summing to 1: whoever is cheapest, or fastest, gets that part in full.

    >>> proposal_scores([40.0], [60_000.0], [0.8])
    [0.94]
    """
    cost_weight, time_weight, confidence_weight = weights
    cheapest, fastest = min(costs, default=0.0), min(times, default=0.0)
    return [
        cost_weight * _share(cheapest, cost)
        + time_weight * _share(fastest, time)
        + confidence_weight * confidence
        for cost, time, confidence in zip(costs, times, confidences, strict=True)
    ]


def _share(least: float, own: float) -> float:
    # Where the least is 0 nothing else is comparable to it.
    return 1.0 if own == least else least / own
