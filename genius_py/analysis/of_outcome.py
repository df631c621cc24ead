"""How good an outcome is among all that a session could have come to."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import numpy as np

from genius_py.analysis.outcome_space import OutcomeSpaceAnalysis, analyze_points
from genius_py.analysis.points import Points
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ProfileError
from genius_py.utility import UtilitySpace

__all__ = ["OutcomeAnalysis", "OutcomeSpace"]


@attrs.frozen
class OutcomeAnalysis:
    """An outcome among all that were possible; utilities are undiscounted.

    Distances are Euclidean, in utility space. `nash_bid` is the Nash bargaining solution and
    `nash_utilities` what it gives each party; these and `distance_to_nash` are None where no bid
    gives every party its reservation value. `nash_product` multiplies what each party got beyond
    its reservation value, 0 when one got less. `pareto_size` is the number of utility vectors on
    the frontier.
    """

    pareto_optimal: bool | None
    distance_to_pareto: float
    distance_to_nash: float | None
    social_welfare: float
    max_social_welfare: float
    nash_product: float
    max_nash_product: float
    pareto_size: int
    nash_bid: Bid | None
    nash_utilities: Mapping[str, float] | None


@attrs.frozen(eq=False)
class OutcomeSpace:
    """All bids of a domain as points, and what there is to be said of them.

    `parties` are ids, in the order of the columns of `points`, which has shape
    (n_bids, n_parties) and bid indices as rows.
    """

    domain: Domain
    parties: tuple[str, ...]
    points: Points
    analysis: OutcomeSpaceAnalysis

    @classmethod
    def of(cls, profiles: Mapping[str, UtilitySpace]) -> OutcomeSpace | None:
        """The space of parties, given as id -> profile.

        None when there is nobody, when the bids cannot be listed, or when some profile does not
        say what each of them, or no agreement, is worth.
        """
        spaces = list(profiles.values())
        if not spaces or not spaces[0].domain.is_listable or spaces[0].domain.size == 0:
            return None
        reservation = np.array([space.reservation_value for space in spaces])
        try:
            points = np.column_stack([space.utilities() for space in spaces])
        except ProfileError:
            return None
        if not (np.isfinite(points).all() and np.isfinite(reservation).all()):
            return None
        analysis = analyze_points(points, reservation)
        return cls(spaces[0].domain, tuple(profiles), points, analysis)

    @property
    def frontier(self) -> Points:
        """The points of the Pareto frontier, shape (n_points, n_parties)."""
        return self.analysis.frontier.points

    def bid_of(self, solution: str) -> Bid | None:
        """The bid of a bargaining solution, by its name in `SOLUTIONS`; None if there is none."""
        row = self.analysis.solutions[solution]
        return None if row is None else self.domain.bid_at(int(self.analysis.frontier.bids[row]))

    def analyze(self, utilities: Mapping[str, float]) -> OutcomeAnalysis | None:
        """Compare what the parties got (id -> utility) with all bids.

        No agreement is the point of the reservation values. None when somebody got what is not a
        finite number.
        """
        got = np.array([utilities[party] for party in self.parties])
        if not np.isfinite(got).all():
            return None
        assessment = self.analysis.assess(got)
        nash, welfare = self.analysis.solution("nash"), self.analysis.solution("utilitarian")
        assert welfare is not None
        return OutcomeAnalysis(
            pareto_optimal=assessment.pareto_optimal,
            # What no bid beats need not be a bid: no agreement, or a value between the listed
            # points of a real issue. The frontier then passes through it.
            distance_to_pareto=(
                0.0 if assessment.pareto_optimal else assessment.distance_to_pareto
            ),
            distance_to_nash=assessment.distances["nash"],
            social_welfare=assessment.social_welfare,
            max_social_welfare=float(welfare.sum()),
            nash_product=self._product_of_gains(got),
            max_nash_product=0.0 if nash is None else self._product_of_gains(nash),
            pareto_size=len(self.frontier),
            nash_bid=self.bid_of("nash"),
            nash_utilities=(
                None if nash is None else dict(zip(self.parties, nash.tolist(), strict=True))
            ),
        )

    def _product_of_gains(self, utilities: Points) -> float:
        return float((utilities - self.analysis.reservation).clip(min=0.0).prod())
