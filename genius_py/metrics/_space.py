"""The outcome space of a session: its frontier and bargaining solutions, found once."""

from __future__ import annotations

import attrs
import numpy as np

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.outcome_space import (
    OutcomeSpaceAnalysis,
    analyze_factors,
    analyze_frontier,
    analyze_points,
)
from genius_py.errors import OutcomeSpaceTooLarge
from genius_py.issue import RealIssue
from genius_py.metrics._offers import profiles_of
from genius_py.outcome import Outcome
from genius_py.utility import AdditiveUtilitySpace, LinearUtilitySpace, UtilitySpace

__all__ = ["discounted", "space_of"]

_STEPS = 1000
"""Into how many steps the zone between the reservation values of a price is divided."""


def space_of(outcome: Outcome) -> OutcomeSpaceAnalysis:
    """All that the parties of a session could have come to; columns in seat order, undiscounted.

    Spaces that can be listed and additive ones of any size are exact; but a real issue counts with
    its 21 listed points, unless it is the only one and all profiles are linear (a price).

    Raises:
        OutcomeSpaceTooLarge: the space is neither.
        ProfileError: a profile does not say what some bid is worth.
    """
    spaces = list(profiles_of(outcome).values())
    key = "analysis with " + " ".join(str(id(space)) for space in spaces)
    # The other spaces are kept along, so that no later one can come to have the same id.
    kept: tuple[OutcomeSpaceAnalysis, list[UtilitySpace]] = spaces[0].keep(
        key, lambda: (_analyzed(spaces), spaces)
    )
    return kept[0]


def discounted(space: OutcomeSpaceAnalysis, outcome: Outcome) -> OutcomeSpaceAnalysis:
    """The same space with all utilities as they count at the end of the session.

    Each party's utilities shrink alike, so that the frontier stays the frontier.
    """
    shares = np.array([p.discounted(1.0, outcome.time) for p in profiles_of(outcome).values()])
    frontier = attrs.evolve(space.frontier, points=space.frontier.points * shares)
    return analyze_frontier(frontier, space.n_outcomes, space.reservation * shares)


def _analyzed(spaces: list[UtilitySpace]) -> OutcomeSpaceAnalysis:
    reservation = [space.reservation_value for space in spaces]
    domain = spaces[0].domain
    if len(domain.issues) == 1 and isinstance(domain.issues[0], RealIssue):
        bids = [domain.bid({domain.issue_names[0]: x}) for x in _values(domain.issues[0], spaces)]
        return analyze_points(np.column_stack([s.utilities(bids) for s in spaces]), reservation)
    if domain.is_listable:
        points = np.column_stack([space.utilities() for space in spaces])
        return analyze_points(points, reservation)
    additive = [space for space in spaces if isinstance(space, AdditiveUtilitySpace)]
    if len(additive) < len(spaces):
        raise OutcomeSpaceTooLarge(
            f"Domain {domain.name!r} cannot be listed and not all of its profiles are additive, "
            f"so its frontier is not known."
        )
    issues = zip(*(space.factors() for space in additive), strict=True)
    return analyze_factors(AdditiveFactors([np.column_stack(i) for i in issues]), reservation)


def _values(issue: RealIssue, spaces: list[UtilitySpace]) -> list[float]:
    """Values of an only issue that tell all there is: its grid, and a fine one between the
    reservation values, whose zone of possible agreement the grid may miss."""
    values = {issue.value_at(place) for place in range(issue.size)}
    linear = [s for s in spaces if isinstance(s, LinearUtilitySpace) and s.coefficients[0]]
    if len(linear) == len(spaces):
        limits = [(s.reservation_value * s.scale - s.constant) / s.coefficients[0] for s in linear]
        between = np.linspace(min(limits), max(limits), _STEPS + 1)
        values.update(float(x) for x in between if issue.lower <= x <= issue.upper)
    return sorted(values)
