"""How good an outcome is among all that a session could have come to."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.analysis.distance import distance, distance_to_nearest
from genius_py.analysis.pareto import is_pareto_optimal, pareto_frontier
from genius_py.analysis.points import Points
from genius_py.analysis.solutions import nash
from genius_py.bid import Bid
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

    pareto_optimal: bool
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
    """All bids as points: what each is worth to each party.

    `parties` are ids, in the order of the columns of `points`, which has shape
    (n_bids, n_parties) and bid indices as rows. `pareto` holds the indices of the frontier's bids,
    ascending; `nash` is the index of the Nash bargaining solution, None when no bid gives every
    party its reservation value.
    """

    parties: tuple[str, ...]
    reservation: NDArray[np.float64]
    points: Points
    pareto: NDArray[np.intp]
    nash: int | None
    nash_bid: Bid | None

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
        best = nash(points, reservation)
        return cls(
            parties=tuple(profiles),
            reservation=reservation,
            points=points,
            pareto=pareto_frontier(points),
            nash=best,
            nash_bid=None if best is None else spaces[0].domain.bid_at(best),
        )

    @property
    def frontier(self) -> Points:
        """The points of the Pareto frontier."""
        return self.points[self.pareto]

    def analyse(self, utilities: Mapping[str, float]) -> OutcomeAnalysis | None:
        """Compare what the parties got (id -> utility) with all bids.

        No agreement is the point of the reservation values. None when somebody got what is not a
        finite number.
        """
        got = np.array([utilities[party] for party in self.parties])
        if not np.isfinite(got).all():
            return None
        # What no bid beats need not be a bid: no agreement, or a value between the listed points
        # of a real issue. The frontier then passes through it.
        is_optimal = is_pareto_optimal(got, self.frontier)
        best = None if self.nash is None else self.points[self.nash]
        return OutcomeAnalysis(
            pareto_optimal=is_optimal,
            distance_to_pareto=0.0 if is_optimal else distance_to_nearest(got, self.frontier),
            distance_to_nash=None if best is None else distance(got, best),
            social_welfare=float(got.sum()),
            max_social_welfare=float(self.points.sum(axis=1).max()),
            nash_product=self._product_of_gains(got),
            max_nash_product=0.0 if best is None else self._product_of_gains(best),
            pareto_size=len(self.pareto),
            nash_bid=self.nash_bid,
            nash_utilities=(
                None if best is None else dict(zip(self.parties, best.tolist(), strict=True))
            ),
        )

    def _product_of_gains(self, utilities: NDArray[np.float64]) -> float:
        return float((utilities - self.reservation).clip(min=0.0).prod())
