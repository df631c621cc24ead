"""The offers of each party in a finished session, and what they were worth to everybody."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.action import Offer
from genius_py.bid import Bid
from genius_py.log import Kind
from genius_py.outcome import Outcome
from genius_py.utility import UtilitySpace

__all__ = ["NOISE", "PartyOffers", "offers_by_party", "profiles_of"]

NOISE = 1e-9
"""Differences of utility up to this are none."""


@attrs.frozen(eq=False)
class PartyOffers:
    """What one party offered, in order: the bids, and their true utilities.

    `own` has shape (n_offers,). `others` is the mean over the other parties, of the same shape;
    with two parties it is the opponent's utility.
    """

    bids: tuple[Bid, ...]
    own: NDArray[np.float64]
    others: NDArray[np.float64]


def profiles_of(outcome: Outcome) -> Mapping[str, UtilitySpace]:
    """The true profile of each party, by id, in seat order."""
    return {seat.id: outcome.plan.profile(seat) for seat in outcome.plan.parties}


def offers_by_party(outcome: Outcome) -> Mapping[str, PartyOffers]:
    """The offers of every party, those of none included; mediators' proposals are nobody's."""
    profiles = profiles_of(outcome)
    bids: dict[str, list[Bid]] = {party: [] for party in profiles}
    for event in outcome.log:
        if event.kind == Kind.ACTION and isinstance(event.action, Offer) and event.party in bids:
            bids[event.party].append(event.action.bid)
    return {
        party: PartyOffers(
            tuple(made),
            profiles[party].utilities(made),
            _mean([space.utilities(made) for p, space in profiles.items() if p != party], made),
        )
        for party, made in bids.items()
    }


def _mean(rows: list[NDArray[np.float64]], bids: list[Bid]) -> NDArray[np.float64]:
    if not rows:  # alone at the table
        return np.zeros(len(bids))
    mean: NDArray[np.float64] = np.mean(rows, axis=0)
    return mean
