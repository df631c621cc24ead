"""How good an outcome is among all that a session could have come to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import attrs
import numpy as np

from genius_py.analysis.genius import genius_session_analysis
from genius_py.analysis.of_profiles import frontier_of
from genius_py.analysis.outcome_space import OutcomeSpaceAnalysis, analyze_frontier
from genius_py.analysis.pareto import is_pareto_optimal
from genius_py.analysis.points import Points
from genius_py.analysis.surplus import surplus_shares
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import OptionError, OutcomeSpaceTooLarge, ProfileError
from genius_py.issue import TextIssue
from genius_py.log import Reason
from genius_py.outcome import Outcome
from genius_py.utility import UtilitySpace

__all__ = ["OutcomeAnalysis", "OutcomeSpace", "analyze_outcome", "analyze_profiles"]


@attrs.frozen
class OutcomeAnalysis:
    """An outcome among all that were possible; utilities are undiscounted.

    Distances are Euclidean, in utility space. `nash_bid` is the Nash bargaining solution and
    `nash_utilities` what it gives each party; these and `distance_to_nash` are None where no bid
    gives every party its reservation value. `nash_product` multiplies what each party got beyond
    its reservation value, 0 when one got less; `surplus_shares` are its shares of the sum of that,
    None where the parties gained nothing together. `pareto_size` is the number of utility vectors
    on the frontier.

    `complete` tells whether all this is exact. If it is not, `examined` bids (or parts of bids)
    were looked at, and `error` is by how much a bid may be better for every party than the best
    known ones, infinite if nobody knows; `pareto_optimal` is None where that leaves it open.
    """

    pareto_optimal: bool | None
    distance_to_pareto: float
    distance_to_nash: float | None
    social_welfare: float
    max_social_welfare: float
    nash_product: float
    max_nash_product: float
    surplus_shares: Mapping[str, float] | None
    pareto_size: int
    nash_bid: Bid | None
    nash_utilities: Mapping[str, float] | None
    complete: bool
    error: float
    examined: int


@attrs.frozen(eq=False)
class OutcomeSpace:
    """All that some parties can come to, whatever the size of the domain.

    `profiles` maps the ids of the parties to their profiles, in the order of all points' columns.
    """

    profiles: Mapping[str, UtilitySpace]
    analysis: OutcomeSpaceAnalysis
    _bid: Callable[[int], Bid]

    @classmethod
    def of(
        cls, profiles: Mapping[str, UtilitySpace], *, rng: np.random.Generator | None = None
    ) -> OutcomeSpace | None:
        """`require`, or None when nothing can be said."""
        try:
            return cls.require(profiles, rng=rng)
        except (OptionError, OutcomeSpaceTooLarge, ProfileError):
            return None

    @classmethod
    def require(
        cls, profiles: Mapping[str, UtilitySpace], *, rng: np.random.Generator | None = None
    ) -> OutcomeSpace:
        """The space of parties, given as id -> profile; `rng` is as for `analyze_profiles`.

        Raises:
            ProfileError: a profile does not say what some bid is worth, or not as a finite number.
            OutcomeSpaceTooLarge: worths depend on free text, or on numbers beyond 64 bits.
            OptionError: there is nobody or no bid, or a reservation value is not finite.
        """
        if not profiles:
            raise OptionError("There are no profiles to analyse; give at least one.")
        analysis, bid = analyze_profiles(tuple(profiles.values()), rng=rng)
        return cls(dict(profiles), analysis, bid)

    @property
    def parties(self) -> tuple[str, ...]:
        """The ids of the parties."""
        return tuple(self.profiles)

    @property
    def domain(self) -> Domain:
        """What is negotiated about."""
        return next(iter(self.profiles.values())).domain

    @property
    def frontier(self) -> Points:
        """The points of the Pareto frontier, shape (n_points, n_parties)."""
        return self.analysis.frontier.points

    def bid_at(self, row: int) -> Bid:
        """The bid of a point of the frontier."""
        return self._bid(row)

    def bid_of(self, solution: str) -> Bid | None:
        """The bid of a bargaining solution, by its name in `SOLUTIONS`; None if there is none."""
        row = self.analysis.solutions[solution]
        return None if row is None else self._bid(row)

    def cloud(self, rng: np.random.Generator, most: int = 2000) -> Points:
        """All bids as points, or where they cannot be listed `most` of them drawn at random.

        Shape (n_bids, n_parties); to look at, that is.

        Raises:
            ProfileError: a profile does not say what one of them is worth.
        """
        spaces = list(self.profiles.values())
        if self.domain.is_listable:
            return np.column_stack([space.utilities() for space in spaces])
        bids = [self.domain.random_bid(rng) for _ in range(most)]
        return np.column_stack([space.utilities(bids) for space in spaces])

    def analyze(self, utilities: Mapping[str, float]) -> OutcomeAnalysis | None:
        """Compare what the parties got (id -> utility) with all bids.

        No agreement is the point of the reservation values. None when somebody got what is not a
        finite number.
        """
        got = np.array([utilities[party] for party in self.parties])
        if not np.isfinite(got).all():
            return None
        space, frontier = self.analysis, self.analysis.frontier
        assessment = space.assess(got)
        nash, welfare = space.solution("nash"), space.solution("utilitarian")
        assert welfare is not None
        max_welfare = float(welfare.sum())
        product = self._product_of_gains(got)
        max_product = 0.0 if nash is None else self._product_of_gains(nash)
        if not space.complete:  # an agreement may be better than all that were looked at
            max_welfare = max(max_welfare, assessment.social_welfare)
            max_product = max(max_product, product)
        return OutcomeAnalysis(
            pareto_optimal=assessment.pareto_optimal,
            distance_to_pareto=assessment.distance_to_pareto,
            distance_to_nash=assessment.distances["nash"],
            social_welfare=assessment.social_welfare,
            max_social_welfare=max_welfare,
            nash_product=product,
            max_nash_product=max_product,
            surplus_shares=self._by_party(assessment.surplus_shares),
            pareto_size=len(frontier),
            nash_bid=self.bid_of("nash"),
            nash_utilities=self._by_party(nash),
            complete=frontier.complete,
            error=frontier.error,
            examined=frontier.examined,
        )

    def _product_of_gains(self, utilities: Points) -> float:
        return float((utilities - self.analysis.reservation).clip(min=0.0).prod())

    def _by_party(self, numbers: Points | None) -> Mapping[str, float] | None:
        if numbers is None:
            return None
        return dict(zip(self.parties, numbers.tolist(), strict=True))


def analyze_profiles(
    profiles: tuple[UtilitySpace, ...], *, rng: np.random.Generator | None = None
) -> tuple[OutcomeSpaceAnalysis, Callable[[int], Bid]]:
    """The analysis of the profiles of one domain, and what gives the bid of a frontier point.

    Found once and remembered as long as the profiles live. `rng` matters only where bids have to
    be looked at at random (see `frontier_of`); with it nothing is remembered.

    Raises:
        ProfileError: a profile does not say what some bid is worth, or not as a finite number.
        OutcomeSpaceTooLarge: worths depend on free text, or on numbers beyond 64 bits.
        OptionError: the domain has no bid, or a reservation value is not finite.
    """
    if rng is not None:
        return _analyzed(profiles, rng)
    key = "analysis with " + " ".join(str(id(space)) for space in profiles)
    # The profiles are kept along, so that no later one can come to have the same id.
    kept = profiles[0].keep(key, lambda: (_analyzed(profiles), profiles))
    return kept[0]


def _analyzed(
    profiles: tuple[UtilitySpace, ...], rng: np.random.Generator | None = None
) -> tuple[OutcomeSpaceAnalysis, Callable[[int], Bid]]:
    domain = profiles[0].domain
    if domain.size == 0:
        raise OptionError(f"Domain {domain.name!r} has no bid: one of its issues has no values.")
    frontier, bid = frontier_of(profiles, rng)
    reservation = [space.reservation_value for space in profiles]
    return analyze_frontier(frontier, domain.size, reservation), bid


def analyze_outcome(outcome: Outcome) -> OutcomeAnalysis | None:
    """How good a session's outcome is; None where nothing can be said.

    That is so where the session failed by a fault, where the rules of the game and not the
    profiles say what each party gets, and where `OutcomeSpace.of` is None.

    A faithful session is analysed as Java Genius does it (see `genius_py.analysis.genius`): its
    first 100,000 bids, discounted at its end, with a mediator as one party more, and no agreement
    worth 0 to everybody.
    """
    plan = outcome.plan
    if outcome.reason is Reason.FAULT or outcome.ending.payoffs is not None:
        return None
    if plan.faithful:
        return _as_in_genius(outcome)
    space = OutcomeSpace.of({seat.id: plan.profile(seat) for seat in plan.parties})
    return None if space is None else space.analyze(outcome.utilities)


def _as_in_genius(outcome: Outcome) -> OutcomeAnalysis | None:
    plan, agreement = outcome.plan, outcome.agreement
    domain = plan.scenario.domain
    profiles = [plan.profile(seat) for seat in plan.seats]
    if not profiles or domain.size == 0 or any(isinstance(i, TextIssue) for i in domain.issues):
        return None
    reservation = np.array([space.reservation_value for space in profiles])
    if not np.isfinite(reservation).all():
        return None
    try:
        found = genius_session_analysis(profiles, outcome.time)
    except ProfileError:
        return None
    got = None
    if agreement is not None:
        got = np.array(
            [space.discounted(space.utility(agreement), outcome.time) for space in profiles]
        )
    nash = None if found.nash is None else found.points[found.nash]
    welfare = found.max_social_welfare
    gained = surplus_shares(
        [outcome.utilities[seat.id] for seat in plan.parties],
        [outcome.reservation_values[seat.id] for seat in plan.parties],
    )
    return OutcomeAnalysis(
        pareto_optimal=got is not None and is_pareto_optimal(got, found.points[found.pareto]),
        distance_to_pareto=found.distance_to_pareto(got),
        distance_to_nash=None if nash is None else found.distance_to_nash(got),
        social_welfare=0.0 if got is None else float(got.sum()),
        max_social_welfare=0.0 if welfare is None else float(found.points[welfare].sum()),
        nash_product=0.0 if got is None else float((got - reservation).prod()),
        max_nash_product=0.0 if nash is None else float((nash - reservation).prod()),
        surplus_shares=(
            None
            if gained is None
            else dict(zip((seat.id for seat in plan.parties), gained.tolist(), strict=True))
        ),
        pareto_size=len(found.pareto),
        nash_bid=None if found.nash is None else domain.bid_at(found.nash),
        nash_utilities=(
            None
            if nash is None
            else {
                seat.id: float(utility)
                for seat, utility in zip(plan.seats, nash, strict=True)
                if not seat.is_mediator
            }
        ),
        complete=len(found.points) == domain.size,
        error=0.0 if len(found.points) == domain.size else math.inf,
        examined=len(found.points),
    )
