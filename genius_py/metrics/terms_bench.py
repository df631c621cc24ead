"""The diagnostics of TERMS-Bench that a single session can answer.

Zhang et al. (2026), "TERMS-Bench: Diagnosing LLM negotiation agents beyond deal rate", arXiv
2605.13909 and terms-bench.github.io. There a session is *feasible* when some agreement is worth to
both parties what they have without one. Its means over many sessions are the benchmark's figures:
SE+ of `surplus_efficiency`, CSE+ of `conditional_surplus_efficiency`, AGR+ of
`feasible_agreement`, FAGR- of `false_agreement`, CritViol% of `critical_violation`. NaN marks the
sessions that do not count for one.

Its belief error BE_type adds up errors about reservation, urgency and stance with weights that
could not be found; it is not here. `reservation_belief_error` is a measure of our own.
"""

from __future__ import annotations

from collections.abc import Mapping

from genius_py.action import Accept, Offer
from genius_py.analysis.outcome_space import OutcomeSpaceAnalysis
from genius_py.analysis.zopa import zopa
from genius_py.log import Kind
from genius_py.metrics._offers import NOISE, profiles_of
from genius_py.metrics._space import space_of
from genius_py.metrics.base import UNDEFINED, OutcomeMetric
from genius_py.outcome import Outcome

__all__ = [
    "ConditionalSurplusEfficiency",
    "CriticalViolation",
    "FalseAgreement",
    "FeasibleAgreement",
    "SurplusEfficiency",
]


def _joint_surplus(space: OutcomeSpaceAnalysis) -> float:
    """The largest sum of gains in the zone of possible agreement."""
    gains = space.frontier.points - space.reservation
    return float(gains[zopa(space.frontier.points, space.reservation)].sum(axis=1).max())


class SurplusEfficiency(OutcomeMetric):
    """What a party gained, as a share of the most that both could have gained together.

    SE+ of TERMS-Bench: own utility beyond the reservation value over the width of the zone of
    possible agreement, where a price is haggled over; elsewhere over the largest joint surplus of
    an individually rational outcome. 0 without an agreement, negative for a party that should have
    walked away, NaN in an infeasible session.
    """

    name = "surplus_efficiency"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Own surplus over the joint one."""
        space = space_of(outcome)
        joint = _joint_surplus(space) if space.has_zopa else 0.0
        return {
            party: UNDEFINED
            if joint <= 0
            else 0.0
            if outcome.agreement is None
            else (utility - outcome.reservation_values[party]) / joint
            for party, utility in outcome.utilities.items()
        }


class ConditionalSurplusEfficiency(SurplusEfficiency):
    """Surplus efficiency of the sessions that ended in an agreement; NaN for the others.

    CSE+ of TERMS-Bench.
    """

    name = "conditional_surplus_efficiency"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Only with an agreement."""
        if outcome.agreement is None:
            return dict.fromkeys(outcome.utilities, UNDEFINED)
        return super().measure(outcome)


class FeasibleAgreement(OutcomeMetric):
    """1 when the parties agreed where they could, 0 when they failed to; NaN if infeasible.

    AGR+ of TERMS-Bench.
    """

    name = "feasible_agreement"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """The same for all parties."""
        agreed = float(outcome.agreement is not None)
        return dict.fromkeys(outcome.utilities, agreed if space_of(outcome).has_zopa else UNDEFINED)


class FalseAgreement(OutcomeMetric):
    """1 when the parties agreed where somebody had to lose by it, else 0; NaN if feasible.

    FAGR- of TERMS-Bench.
    """

    name = "false_agreement"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """The same for all parties."""
        agreed = float(outcome.agreement is not None)
        return dict.fromkeys(outcome.utilities, UNDEFINED if space_of(outcome).has_zopa else agreed)


class CriticalViolation(OutcomeMetric):
    """1 for a party that did something illegal, or offered or accepted below its reservation value.

    CritViol of TERMS-Bench: bounds, individual rationality, invalid actions. Illegal is what the
    engine refused, even if the party then did something else.
    """

    name = "critical_violation"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Each party for itself; 0 is without blame."""
        guilty = {
            fault.party for fault in outcome.faults if fault.during == "choose_action"
        } | _irrational(outcome)
        return {party: float(party in guilty) for party in outcome.utilities}


def _irrational(outcome: Outcome) -> set[str]:
    profiles = profiles_of(outcome)
    return {
        event.party
        for event in outcome.log
        if event.kind == Kind.ACTION
        and isinstance(event.action, Offer | Accept)
        and event.party in profiles
        and profiles[event.party].utility(event.action.bid)
        < profiles[event.party].reservation_value - NOISE
    }
