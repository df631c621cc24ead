"""Outcome-space analysis by the conventions of Java Genius 10.4, for faithful runs.

They differ from the textbook and from `genius_py.analysis.solutions`: outcomes worth the same to
everybody are all on the frontier; frontier points are ordered by the first party's utility and ties
go to the first in that order; the Nash product takes two losses for a gain; "Kalai-Smorodinsky"
looks for equal utilities; no agreement is the point (0, ..., 0).
"""

from collections.abc import Sequence
from itertools import combinations

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.pareto import undominated
from genius_py.analysis.points import Points, as_points, as_reservation
from genius_py.issue import TextIssue
from genius_py.utility import UtilitySpace

__all__ = [
    "BIDS_ANALYSED",
    "GeniusAnalysis",
    "genius_analysis",
    "genius_frontier",
    "genius_kalai",
    "genius_nash",
    "genius_session_analysis",
    "genius_utilitarian",
]

BIDS_ANALYSED = 100_000
"""Genius's session analysis looks at the first bids only, in index order, and does not say so."""


@attrs.frozen(eq=False)
class GeniusAnalysis:
    """What Genius's MultilateralAnalysis finds.

    `pareto` holds indices of the bids in Genius's order; `nash`, `kalai` and `max_social_welfare`
    are indices of bids too, or None where Genius has null. `opposition` is the smallest distance of
    a bid to (1, ..., 1).
    """

    points: Points
    pareto: NDArray[np.intp]
    nash: int | None
    kalai: int | None
    max_social_welfare: int | None
    opposition: float

    def distance_to_pareto(self, agreement: ArrayLike | None) -> float:
        """The smallest distance from the agreement's utilities to a Pareto point."""
        return float(_distances(self.points[self.pareto], agreement).min())

    def distance_to_nash(self, agreement: ArrayLike | None) -> float:
        """The distance from the agreement's utilities to the Nash point.

        NaN without a Nash point.
        """
        if self.nash is None:
            return float("nan")
        return float(_distances(self.points[self.nash, None], agreement)[0])


def genius_analysis(
    utilities: ArrayLike, reservation: ArrayLike | None = None, *, limit: int | None = BIDS_ANALYSED
) -> GeniusAnalysis:
    """The analysis that Genius logs for a session.

    `utilities` has shape (n_bids, n_parties), in index order, discounted at the end of the session
    where a discount counts; the `reservation` values are undiscounted even then. `limit=None` looks
    at all bids, as Genius's BidSpace does.
    """
    points = as_points(utilities)[:limit]
    pareto = genius_frontier(points)
    frontier = points[pareto]

    def place(row: int | None) -> int | None:
        return None if row is None else int(pareto[row])

    return GeniusAnalysis(
        points,
        pareto,
        nash=place(genius_nash(frontier, reservation)),
        kalai=place(genius_kalai(frontier)),
        max_social_welfare=place(genius_utilitarian(frontier)),
        opposition=float(_distances(points, np.ones(points.shape[1])).min(initial=np.inf)),
    )


def genius_session_analysis(
    profiles: Sequence[UtilitySpace], time: float = 0.0, *, limit: int | None = BIDS_ANALYSED
) -> GeniusAnalysis:
    """`genius_analysis` of the profiles of all seats, a mediator's included, discounted at a time.

    Raises:
        OutcomeSpaceTooLarge: bids hold free text; or, without a limit, cannot be listed.
        ProfileError: a profile does not say what a bid is worth, or not as a finite number.
    """
    domain = profiles[0].domain
    if limit is None or any(isinstance(issue, TextIssue) for issue in domain.issues):
        domain.require_listable()
    bids = np.arange(domain.size if limit is None else min(domain.size, limit))
    columns = [space.utilities(bids) * space.discounted(1.0, time) for space in profiles]
    reservation = [space.reservation_value for space in profiles]
    return genius_analysis(np.column_stack(columns), reservation, limit=limit)


def genius_frontier(utilities: ArrayLike) -> NDArray[np.intp]:
    """Indices of all Pareto-optimal bids, equal ones included, in Genius's order.

    That is ascending by the first party's utility; bids of the same utility stay in index order.
    """
    points = as_points(utilities)
    kept = undominated(points, duplicates=True)
    return kept[np.argsort(points[kept, 0], kind="stable")]


def genius_nash(frontier: ArrayLike, reservation: ArrayLike | None = None) -> int | None:
    """Row of the first frontier point with the largest product of gains, if that exceeds -1.

    Nobody is asked whether a point is individually rational: two losses multiply to a gain.
    """
    points = as_points(frontier)
    product = np.ones(len(points))
    # Party by party: another order of multiplication rounds differently.
    for gain in (points - as_reservation(reservation, points.shape[1])).T:
        product *= gain
    return _first_above(product, -1.0)


def genius_kalai(frontier: ArrayLike) -> int | None:
    """Row of the first frontier point with the most equal utilities, if they are equal enough.

    The sum of the differences between all pairs of parties is minimised and must be below 2, which
    three or more parties can exceed. Genius calls this Kalai-Smorodinsky.

    >>> genius_kalai([(0.16, 1.0), (0.299, 0.299), (1.0, 0.16)])
    1
    """
    points = as_points(frontier)
    spread = np.zeros(len(points))
    for one, other in combinations(points.T, 2):
        spread += np.abs(one - other)
    return _first_above(-spread, -2.0)


def genius_utilitarian(frontier: ArrayLike) -> int | None:
    """Row of the first frontier point with the largest sum of utilities."""
    points = as_points(frontier)
    welfare = np.zeros(len(points))
    for utility in points.T:
        welfare += utility
    return _first_above(welfare, -np.inf)


def _first_above(scores: NDArray[np.float64], start: float) -> int | None:
    """Index of the first highest score above `start`; None if no score is."""
    if len(scores) == 0 or not scores.max() > start:
        return None
    return int(scores.argmax())


def _distances(points: Points, agreement: ArrayLike | None) -> NDArray[np.float64]:
    """From each point to an agreement's utilities; no agreement is worth 0 to everybody."""
    place = np.zeros(points.shape[1]) if agreement is None else np.asarray(agreement)
    squares = np.zeros(len(points))
    for utility, there in zip(points.T, place, strict=True):
        squares += np.square(utility - there)
    return np.sqrt(squares)
