"""How parties concede: what their offers are worth to themselves as time passes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genius_py.action import Offer
from genius_py.log import Kind
from genius_py.outcome import Outcome

__all__ = ["TIMES", "CurvePoint", "concession_curves"]

TIMES: NDArray[np.float64] = np.linspace(0.0, 1.0, 41)
"""When the curves are looked at."""

_NOISE = 1e-9


class CurvePoint(NamedTuple):
    """The mean own utility of a party's standing offer at a time, over `sessions` sessions."""

    time: float
    utility: float
    sessions: int


def concession_curves(outcomes: Iterable[Outcome]) -> Mapping[str, list[CurvePoint]]:
    """For each party's spec, the mean utility to itself of what it last offered.

    Sessions count from the party's first offer until they end, so that later points are means over
    those that were still going on. Offers that no profile can value are left out.
    """
    sums: dict[str, NDArray[np.float64]] = {}
    for outcome in outcomes:
        for seat in outcome.plan.parties:
            space = outcome.plan.profile(seat)
            offers = [
                (event.time, space.utility(event.action.bid))
                for event in outcome.log
                if event.kind == Kind.ACTION
                and event.party == seat.id
                and isinstance(event.action, Offer)
            ]
            if not offers:
                continue
            times, utilities = np.array(offers).T
            place = np.searchsorted(times - _NOISE, TIMES, side="right") - 1
            known = (place >= 0) & (outcome.time + _NOISE >= TIMES)
            total = sums.setdefault(seat.party, np.zeros((2, len(TIMES))))
            total[0, known] += utilities[place[known]]
            total[1, known] += 1
    curves = {
        party: [
            CurvePoint(float(time), float(total / count), int(count))
            for time, total, count in zip(TIMES, *summed, strict=True)
            if count
        ]
        for party, summed in sorted(sums.items())
    }
    # A session may be over before the first time that is looked at.
    return {party: curve for party, curve in curves.items() if curve}
