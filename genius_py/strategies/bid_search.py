"""Finding bids by what they are worth to one party, in outcome spaces of any size.

Every party finds its bids here, by `bid_near` or by the `ladder` behind it; a better search is
written in this place, for all of them at once.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from genius_py.bid import Bid
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue, RealIssue
from genius_py.java import bid_hashes, string_hash
from genius_py.strategies.ladder import GeniusLadder, Ladder
from genius_py.strategies.large_space import merged_ladder, sampled_ladder, separable
from genius_py.strategies.outcome_order import genius_order
from genius_py.utility import UtilitySpace

__all__ = [
    "Ladder",
    "Search",
    "best_bid",
    "bid_near",
    "bids_in_range",
    "ladder",
    "random_bid",
    "utility_range",
    "worst_bid",
]

Search: TypeAlias = Literal["at_or_above", "genius"]
"""How a bid near a target is chosen: ``at_or_above`` never falls below it, where it can be
reached; ``genius`` takes the nearest on either side, ties by Java's hashes."""


_DRAWS = 100
"""Bids drawn to find one that is good enough."""


def bid_near(space: UtilitySpace, target: float, search: Search = "at_or_above") -> Bid:
    """A bid whose utility is near the target.

    By default it is the bid of lowest utility at or above the target, or the best bid where none
    is; among bids of equal utility the first of the domain's listing. In a space that cannot be
    listed the answer is at or above the target too, but a lower one may have been missed (see
    `large_space`). Real values and whole numbers of very wide issues are fitted to the target.

    With ``search="genius"`` it is the bid that Genius's sorted outcome space gives.

    Raises:
        OutcomeSpaceTooLarge: Genius's search was asked for in a space that cannot be listed.
        StrategyError: the domain has no bids.
    """
    return ladder(space, search).near(target)


def bids_in_range(
    space: UtilitySpace, lowest: float, highest: float, search: Search = "at_or_above"
) -> list[Bid]:
    """The bids whose utility lies in [lowest, highest], the best one first.

    Of a space that cannot be listed, only those on its ladder. ``search="genius"`` gives the
    range that Genius takes, which usually has one bid above `highest`.
    """
    rungs = ladder(space, search)
    return [rungs.bid(rung) for rung in rungs.in_range(lowest, highest)]


def best_bid(space: UtilitySpace) -> Bid:
    """The bid of highest utility, the first one of the listing among equals."""
    rungs = ladder(space)
    return rungs.near(rungs.maximum)


def worst_bid(space: UtilitySpace) -> Bid:
    """The bid of lowest utility, the first one of the listing among equals."""
    rungs = ladder(space)
    return rungs.near(rungs.minimum)


def random_bid(space: UtilitySpace, lowest: float, rng: np.random.Generator) -> Bid | None:
    """A bid that is worth at least `lowest`, all such bids being equally likely; None if none is.

    Where the bids cannot be listed and few of them are worth as much, only those on the ladder
    are drawn.
    """
    rungs = ladder(space)
    found = rungs.in_range(lowest, rungs.maximum)
    if not found:
        return None
    if len(rungs) < space.domain.size:
        for _ in range(_DRAWS):
            bid = space.domain.random_bid(rng)
            if space.utility(bid) >= lowest:
                return bid
    return rungs.bid(found[rng.integers(len(found))])


def utility_range(space: UtilitySpace) -> tuple[float, float]:
    """The utilities of the worst and of the best bid."""
    rungs = ladder(space)
    return rungs.minimum, rungs.maximum


def ladder(space: UtilitySpace, search: Search = "at_or_above") -> Ladder:
    """The bids of a space in order, made once and kept by it.

    Raises:
        OptionError: there is no such search.
        OutcomeSpaceTooLarge: as for `bid_near`.
        StrategyError: the domain has no bids.
    """
    if search == "at_or_above":
        return space.keep("ladder", lambda: _ladder(space))
    if search == "genius":
        return space.keep("genius ladder", lambda: _genius_ladder(space))
    raise OptionError(f"There is no search {search!r}; use 'at_or_above' or 'genius'.")


def _ladder(space: UtilitySpace) -> Ladder:
    domain = space.domain
    parts = separable(space)
    has_reals = any(isinstance(issue, RealIssue) for issue in domain.issues)
    if domain.is_listable and not (parts and has_reals):
        # A utility that is no number (0 / 0 in a hyper-rectangle) is worse than any.
        utilities = np.nan_to_num(space.utilities(), nan=-np.inf, posinf=np.inf, neginf=-np.inf)
        order = np.argsort(-utilities, kind="stable")
        return Ladder(utilities[order], lambda rung: domain.bid_at(int(order[rung])))
    return merged_ladder(space, parts) if parts else sampled_ladder(space)


def _genius_ladder(space: UtilitySpace) -> Ladder:
    domain = space.domain
    utilities = space.utilities()
    # Integer values have the hash 0 in Genius; that of a real value differs from run to run.
    hashes = bid_hashes(
        [
            [string_hash(value) for value in issue.values]
            if isinstance(issue, DiscreteIssue)
            else [0] * issue.size
            for issue in domain.issues
        ]
    )
    order = genius_order(utilities, hashes)
    return GeniusLadder(utilities[order], lambda rung: domain.bid_at(int(order[rung])))
