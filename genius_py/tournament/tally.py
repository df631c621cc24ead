"""Sums over the sessions of a results file; what they take does not grow with the sessions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.model_counts import ModelCounts
from genius_py.tournament.evidence import ALIKE, Evidence
from genius_py.tournament.lineups import Lineup
from genius_py.tournament.store import Results
from genius_py.tournament.tables import NEEDED_FALLBACK

__all__ = ["Tally", "tallied"]

_BLOCKS = 512
"""Blocks that there are at most, unless there are more groups."""

_MOST_GROUPS = 4096

_COUNTED = [f"sum({field.name})" for field in attrs.fields(ModelCounts)]

Array = NDArray[np.float64]


@attrs.frozen(eq=False, slots=False)
class Tally:
    """Sums over all scored sessions; without agreement a utility is the reservation value.

    A *block* is what is compared at a time: all sessions of one repetition of one of the `groups`
    of settings (see `Evidence`), on which every party could be tried. Where repetitions are many,
    several share a block, so that there are some hundreds at most. `lineups` has the specs in seat
    order, S is the largest number of seats; parts that a lineup has no seat for are 0.

    A line-up at a setting is `repeated` where it has several scored sessions, and `alike` where
    these came out the same.

    ======================  =========  ======================================================
    `count`                 (L, B)     sessions
    `utility`               (L, S, B)  sums of undiscounted utilities
    `discounted`            (L, S)     sums of discounted ones
    `agreements`            (L,)       sessions with an agreement
    `agreed_utility`        (L, S)     sums of utilities over these
    `to_pareto`, `to_nash`  (L, 2)     sums of distances, and how many are known
    `welfare`, `fairness`   (L,)       sums
    `rounds`                (L,)       sums
    `unaided`               (L,)       sessions in which nobody needed a model's fallback
    `unaided_utility`       (L, S)     sums of utilities over these
    `faults`                (L, S)     faults of whoever sat there, of all sessions
    `unscored`              (L,)       sessions that failed for no reason of a party's strategy
    ======================  =========  ======================================================

    `models` has what asking language models came to, of all sessions, by lineup and seat.
    """

    parties: tuple[str, ...]
    lineups: tuple[Lineup, ...]
    groups: int
    repeated: int
    alike: int
    count: Array
    utility: Array
    discounted: Array
    agreements: Array
    agreed_utility: Array
    to_pareto: Array
    to_nash: Array
    welfare: Array
    fairness: Array
    rounds: Array
    unaided: Array
    unaided_utility: Array
    faults: Array
    unscored: Array
    models: Mapping[tuple[int, int], ModelCounts]

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return int(self.count.shape[1])

    def by_group(self) -> Tally:
        """The same with one block a group, in which all its repetitions are."""
        repeated = self.blocks // self.groups
        return attrs.evolve(
            self,
            count=self.count.reshape(-1, repeated, self.groups).sum(axis=1),
            utility=self.utility.reshape(*self.utility.shape[:2], repeated, self.groups).sum(
                axis=2
            ),
        )

    @cached_property
    def seats_of(self) -> Mapping[str, list[tuple[int, int]]]:
        """Where each party sits: places of lineups, and seats from 0."""
        seats: dict[str, list[tuple[int, int]]] = {party: [] for party in self.parties}
        for place, lineup in enumerate(self.lineups):
            for seat, party in enumerate(lineup):
                seats[party].append((place, seat))
        return seats


def tallied(results: Results, evidence: Evidence) -> Tally:
    """Read all sessions of a results file, in one pass; `evidence` is that of the file.

    The sums are the same whatever the order in which the sessions were finished.
    """
    numbered = results.lineups()
    seats = results.seats
    groups = min(evidence.width, _MOST_GROUPS)
    settings = max(1, min(len(evidence.groups), _MOST_GROUPS))
    ((repetitions,),) = results.select("SELECT coalesce(max(repetition), 0) + 1 FROM session")
    repeated = max(1, min(repetitions, _BLOCKS // groups))
    n, blocks = len(numbered), repeated * groups
    columns = [
        "count(*)",
        "sum(agreement IS NOT NULL)",
        "sum(distance_to_pareto)",
        "count(distance_to_pareto)",
        "sum(distance_to_nash)",
        "count(distance_to_nash)",
        "sum(social_welfare)",
        "sum(fairness)",
        "sum(rounds)",
        *(f"sum(utility_{s})" for s in range(1, seats + 1)),
        *(f"sum(discounted_{s})" for s in range(1, seats + 1)),
        *(f"sum(utility_{s} * (agreement IS NOT NULL))" for s in range(1, seats + 1)),
        *(f"min(utility_{s})" for s in range(1, seats + 1)),
        *(f"max(utility_{s})" for s in range(1, seats + 1)),
    ]
    place = {number: index for index, number in enumerate(numbered)}
    count, utility = np.zeros((n, blocks)), np.zeros((n, seats, blocks))
    sums = np.zeros((n, 9 + 3 * seats))
    least = np.full((n, settings, seats), np.inf)
    most = -least
    times = np.zeros((n, settings))
    for lineup, setting, part, *row in results.select(
        f"SELECT lineup, setting, repetition % {repeated}, {', '.join(columns)} FROM session "
        "WHERE is_scored GROUP BY 1, 2, 3"
    ):
        values = np.array(row, dtype=np.float64)
        values[np.isnan(values)] = 0.0
        index = place[lineup]
        sums[index] += values[: 9 + 3 * seats]
        at = part * groups + evidence.groups[setting] % groups
        count[index, at] += values[0]
        utility[index, :, at] += values[9 : 9 + seats]
        low, high = values[-2 * seats : -seats], values[-seats:]
        where = index, setting % settings
        times[where] += values[0]
        least[where], most[where] = np.minimum(least[where], low), np.maximum(most[where], high)
    _, discounted, agreed = np.split(sums[:, 9:], np.cumsum([seats] * 2), axis=1)
    aided, aided_utility = _aided(results, place)
    is_repeated = times > 1
    is_alike = (most <= least + ALIKE).all(axis=2)
    return Tally(
        parties=results.parties,
        lineups=tuple(numbered.values()),
        groups=groups,
        repeated=int(is_repeated.sum()),
        alike=int((is_repeated & is_alike).sum()),
        count=count,
        utility=utility,
        discounted=discounted,
        agreements=sums[:, 1],
        agreed_utility=agreed,
        to_pareto=sums[:, 2:4],
        to_nash=sums[:, 4:6],
        welfare=sums[:, 6],
        fairness=sums[:, 7],
        rounds=sums[:, 8],
        unaided=sums[:, 0] - aided,
        unaided_utility=utility.sum(axis=2) - aided_utility,
        faults=_faults(results, place),
        unscored=_unscored(results, place),
        models=_models(results, place),
    )


def _aided(results: Results, place: Mapping[int, int]) -> tuple[Array, Array]:
    """Scored sessions in which somebody needed a model's fallback, and sums of their utilities."""
    sessions, utility = np.zeros(len(place)), np.zeros((len(place), results.seats))
    sums = ", ".join(f"sum(utility_{s})" for s in range(1, results.seats + 1))
    for lineup, number, *row in results.select(
        f"SELECT lineup, count(*), {sums} FROM session "
        f"WHERE is_scored AND {NEEDED_FALLBACK} GROUP BY 1"
    ):
        sessions[place[lineup]] = number
        utility[place[lineup]] = np.nan_to_num(np.array(row, dtype=np.float64))
    return sessions, utility


def _models(results: Results, place: Mapping[int, int]) -> Mapping[tuple[int, int], ModelCounts]:
    return {
        (place[lineup], seat - 1): ModelCounts(*counts)
        for lineup, seat, *counts in results.select(
            f"SELECT lineup, seat, {', '.join(_COUNTED)} FROM model GROUP BY 1, 2"
        )
    }


def _faults(results: Results, place: Mapping[int, int]) -> Array:
    faults = np.zeros((len(place), results.seats))
    for lineup, seat, number in results.select(
        "SELECT lineup, seat, count(*) FROM fault WHERE seat > 0 GROUP BY 1, 2"
    ):
        faults[place[lineup], seat - 1] = number
    return faults


def _unscored(results: Results, place: Mapping[int, int]) -> Array:
    unscored = np.zeros(len(place))
    for lineup, number in results.select(
        "SELECT lineup, count(*) FROM session WHERE NOT is_scored GROUP BY 1"
    ):
        unscored[place[lineup]] = number
    return unscored
