"""How good something is, in sentences, and how sure that is."""

from __future__ import annotations

import math

import numpy as np

from genius_py.analysis.frontier import Frontier
from genius_py.analysis.of_outcome import OutcomeAnalysis, OutcomeSpace
from genius_py.analysis.zopa import zopa

__all__ = ["certainty", "of_outcome", "of_space"]

_NO_DISTANCE = 1e-9
_EVEN = 0.005
"""Shares of the surplus that differ by less from equal ones are equal."""


def of_outcome(analysis: OutcomeAnalysis) -> str:
    """One sentence: efficiency, distance to Nash, and who got most of what there was to share."""
    said = (_efficiency(analysis), _nearness(analysis), _sharing(analysis))
    sentence = "; ".join(part for part in said if part)
    return f"{sentence[0].upper()}{sentence[1:]}."


def of_space(space: OutcomeSpace) -> str:
    """Whether there is something to agree on, and how much is at odds."""
    analysis, domain = space.analysis, space.domain
    if not analysis.has_zopa:
        known = "no bid" if analysis.complete else "no bid that is known"
        agree = f"There is nothing to agree on: {known} gives everybody the reservation value"
    elif analysis.complete and domain.is_listable:
        found = len(zopa(space.cloud(np.random.default_rng(0)), analysis.reservation))
        agree = (
            f"There is something to agree on: {found:,} of {domain.size:,} bids give everybody "
            f"the reservation value"
        )
    else:
        agree = "There is something to agree on"
    points = len(space.frontier)
    frontier = f"the Pareto frontier has {points:,} {'point' if points == 1 else 'points'}"
    if analysis.opposition is None:
        return f"{agree}; {frontier}."
    return f"{agree}; {frontier}; opposition {analysis.opposition:.4f}."


def certainty(found: OutcomeAnalysis | Frontier) -> str:
    """How sure an analysis is, in a sentence; empty where it is exact."""
    if found.complete:
        return ""
    if math.isfinite(found.error):
        return (
            f"Approximate: no bid is better for everybody by more than {found.error:.2g} than "
            f"those that are known."
        )
    return f"Approximate: {found.examined:,} bids were looked at."


def _efficiency(analysis: OutcomeAnalysis) -> str:
    if analysis.pareto_optimal is None:
        return "no better bid is known"
    if analysis.pareto_optimal:
        return "Pareto-optimal"
    return f"{analysis.distance_to_pareto:.4f} from the Pareto frontier"


def _nearness(analysis: OutcomeAnalysis) -> str:
    if analysis.distance_to_nash is None:
        return "no bid gives every party its reservation value"
    if analysis.distance_to_nash < _NO_DISTANCE:
        return "the Nash bargaining solution"
    return f"{analysis.distance_to_nash:.4f} from the Nash bargaining solution"


def _sharing(analysis: OutcomeAnalysis) -> str:
    shares = analysis.surplus_shares
    if shares is None or len(shares) < 2:
        return ""
    least, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    if shares[least] < 0:
        return f"{least} got less than its reservation value"
    if shares[most] - 1 / len(shares) < _EVEN:
        return "all got the same share of the surplus"
    return f"{most} got {100 * shares[most]:.0f} % of the surplus"
