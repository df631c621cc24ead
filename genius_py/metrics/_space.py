"""The outcome space of a session: its frontier and bargaining solutions, found once."""

from __future__ import annotations

import numpy as np

from genius_py.analysis.of_outcome import analyze_profiles
from genius_py.analysis.outcome_space import OutcomeSpaceAnalysis, analyze_frontier
from genius_py.metrics._offers import profiles_of
from genius_py.outcome import Outcome

__all__ = ["discounted", "space_of"]


def space_of(outcome: Outcome) -> OutcomeSpaceAnalysis:
    """All that the parties of a session could have come to; columns in seat order, undiscounted.

    Raises:
        ProfileError: a profile does not say what some bid is worth.
        OutcomeSpaceTooLarge: worths depend on free text, or on numbers beyond 64 bits.
    """
    return analyze_profiles(tuple(profiles_of(outcome).values()))[0]


def discounted(space: OutcomeSpaceAnalysis, outcome: Outcome) -> OutcomeSpaceAnalysis:
    """The same space with all utilities as they count at the end of the session.

    Each party's utilities shrink alike, so that the frontier stays the frontier.
    """
    shares = np.array([p.discounted(1.0, outcome.time) for p in profiles_of(outcome).values()])
    frontier = space.frontier.scaled(shares)
    return analyze_frontier(frontier, space.n_outcomes, space.reservation * shares)
