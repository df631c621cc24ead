"""All that can be said of an outcome space, and of one outcome in it, at once."""

from collections.abc import Mapping

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.distance import distance, distance_to_nearest
from genius_py.analysis.frontier import Frontier
from genius_py.analysis.minkowski import additive_frontier
from genius_py.analysis.opposition import opposition
from genius_py.analysis.pareto import efficient, is_pareto_optimal
from genius_py.analysis.points import as_point, as_points, as_reservation
from genius_py.analysis.solutions import SOLUTIONS
from genius_py.analysis.surplus import surplus_shares
from genius_py.analysis.zopa import zopa
from genius_py.errors import OptionError

__all__ = [
    "Assessment",
    "OutcomeSpaceAnalysis",
    "analyze_factors",
    "analyze_frontier",
    "analyze_points",
]


@attrs.frozen(eq=False)
class Assessment:
    """How good an outcome is: for everybody, and beside what could have been.

    `distances` are Euclidean, to each solution by its name; None where there is no such solution.
    `pareto_optimal` is None where an incomplete frontier cannot tell. `surplus_shares` are None
    where the parties gained nothing together.
    """

    pareto_optimal: bool | None
    distance_to_pareto: float
    distances: Mapping[str, float | None]
    social_welfare: float
    individually_rational: bool
    surplus_shares: NDArray[np.float64] | None


@attrs.frozen(eq=False)
class OutcomeSpaceAnalysis:
    """The frontier of an outcome space, its bargaining solutions, and how much is at odds.

    `solutions` maps each name in `genius_py.analysis.solutions.SOLUTIONS` to its row of the
    frontier, or None if there is no such solution. `utopia` and `nadir` are each party's best and
    worst utility on the frontier; `opposition` is the distance from (1, ..., 1) to the nearest
    outcome, None where utilities are not at most 1 and the frontier does not tell. Where the
    frontier has an error, all of them are of the frontier as it is.
    """

    n_outcomes: int
    frontier: Frontier
    reservation: NDArray[np.float64]
    solutions: Mapping[str, int | None]
    utopia: NDArray[np.float64]
    nadir: NDArray[np.float64]
    opposition: float | None

    @property
    def complete(self) -> bool:
        """Whether all of this is exact."""
        return self.frontier.complete

    @property
    def has_zopa(self) -> bool:
        """Whether some outcome gives every party at least its reservation value."""
        return len(zopa(self.frontier.points, self.reservation)) > 0

    def solution(self, name: str) -> NDArray[np.float64] | None:
        """The utilities of a solution, shape (n_parties,); None if there is none."""
        row = self.solutions[name]
        return None if row is None else self.frontier.points[row]

    def assess(self, utility: ArrayLike | None) -> Assessment:
        """What is to be said of an outcome of these utilities, shape (n_parties,).

        None is no agreement, which is worth the reservation values.
        """
        points = self.frontier.points
        point = self.reservation if utility is None else as_point(utility, points.shape[1])
        optimal: bool | None = is_pareto_optimal(point, points)
        if optimal and not self.complete:
            optimal = None
        # What no outcome beats need not be one itself: it is part of the frontier all the same.
        to_pareto = 0.0 if optimal else distance_to_nearest(point, points)
        distances = {
            name: None if row is None else distance(point, points[row])
            for name, row in self.solutions.items()
        }
        return Assessment(
            pareto_optimal=optimal,
            distance_to_pareto=to_pareto,
            distances=distances,
            social_welfare=float(point.sum()),
            individually_rational=len(zopa(point[None], self.reservation)) > 0,
            surplus_shares=surplus_shares(point, self.reservation),
        )


def analyze_points(
    utilities: ArrayLike, reservation: ArrayLike | None = None
) -> OutcomeSpaceAnalysis:
    """Analyse a listed outcome space, `utilities` of shape (n_outcomes, n_parties).

    The frontier's `bids` are indices of outcomes.

    Raises:
        OptionError: there is no outcome.
        ProfileError: a utility is not a finite number.
    """
    points = as_points(utilities)
    kept = efficient(points)
    frontier = Frontier(points[kept], kept, len(points))
    return analyze_frontier(frontier, len(points), reservation)


def analyze_factors(
    factors: AdditiveFactors,
    reservation: ArrayLike | None = None,
    *,
    epsilon: float = 0.0,
    limit: int = 1 << 18,
) -> OutcomeSpaceAnalysis:
    """Analyse additive profiles of any size without listing the bids.

    The frontier's `bids` are value places of each issue. `epsilon` and `limit` are those of
    `additive_frontier`, and so is what they cost.
    """
    frontier = additive_frontier(factors, epsilon=epsilon, limit=limit)
    return analyze_frontier(frontier, factors.n_outcomes, reservation)


def analyze_frontier(
    frontier: Frontier, n_outcomes: int, reservation: ArrayLike | None = None
) -> OutcomeSpaceAnalysis:
    """Analyse an outcome space of which the frontier has been found already, or sampled."""
    points = as_points(frontier.points)
    if len(points) == 0:
        raise OptionError("There is no outcome to analyse; give at least one.")
    values = as_reservation(reservation, points.shape[1])
    utopia = points.max(axis=0)
    return OutcomeSpaceAnalysis(
        n_outcomes=n_outcomes,
        frontier=frontier,
        reservation=values,
        solutions={name: solve(points, values) for name, solve in SOLUTIONS.items()},
        utopia=utopia,
        nadir=points.min(axis=0),
        opposition=opposition(points) if utopia.max() <= 1.0 else None,
    )
