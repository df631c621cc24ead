"""Sums over the sessions of a results file; what they take does not grow with the sessions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.model_counts import ModelCounts
from genius_py.tournament.lineups import Lineup
from genius_py.tournament.store import NEEDED_FALLBACK, Results

__all__ = ["Tally", "tallied"]

_BLOCKS = 512
"""Blocks that there are at most, unless there are more settings."""

_MOST_SETTINGS = 4096

_COUNTED = [f"sum({field.name})" for field in attrs.fields(ModelCounts)]

Array = NDArray[np.float64]


@attrs.frozen(eq=False, slots=False)
class Tally:
    """Sums over all scored sessions; without agreement a utility is the reservation value.

    A *block* is what is compared at a time: all sessions of one repetition of one setting, on
    which every party could be tried. Where repetitions are many, several share a block, so that
    there are some hundreds at most. `lineups` has the specs in seat order, S is the largest number
    of seats; parts that a lineup has no seat for are 0.

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
    settings: int
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

    @property
    def is_deterministic(self) -> bool:
        """Whether repetitions, where there are any, always came out the same."""
        repeated = self.blocks // self.settings
        if repeated < 2:
            return False
        shape = (len(self.lineups), -1, repeated, self.settings)
        sums = self.utility.reshape(shape)
        counts = self.count.reshape(shape)
        with np.errstate(invalid="ignore"):
            means = sums / counts
        spread = np.nanmax(means, axis=2, initial=-np.inf) - np.nanmin(
            means, axis=2, initial=np.inf
        )
        return bool((spread < 1e-9).all())

    def by_setting(self) -> Tally:
        """The same with one block a setting, for repetitions that add no evidence."""
        repeated = self.blocks // self.settings
        return attrs.evolve(
            self,
            count=self.count.reshape(-1, repeated, self.settings).sum(axis=1),
            utility=self.utility.reshape(*self.utility.shape[:2], repeated, self.settings).sum(
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


def tallied(results: Results) -> Tally:
    """Read all sessions of a results file, in one pass.

    The sums are the same whatever the order in which the sessions were finished.
    """
    numbered = results.lineups()
    seats = results.seats
    settings = [number for (number,) in results.select("SELECT id FROM setting ORDER BY id")]
    n_settings = max(1, min(len(settings), _MOST_SETTINGS))
    ((repetitions,),) = results.select("SELECT coalesce(max(repetition), 0) + 1 FROM session")
    repeated = max(1, min(repetitions, _BLOCKS // n_settings))
    n, blocks = len(numbered), repeated * n_settings
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
    ]
    block = f"(repetition % {repeated}) * {n_settings} + (setting - 1) % {n_settings}"
    place = {number: index for index, number in enumerate(numbered)}
    count, utility = np.zeros((n, blocks)), np.zeros((n, seats, blocks))
    sums = np.zeros((n, len(columns)))
    for lineup, at, *row in results.select(
        f"SELECT lineup, {block}, {', '.join(columns)} FROM session WHERE is_scored GROUP BY 1, 2"
    ):
        values = np.array(row, dtype=np.float64)
        values[np.isnan(values)] = 0.0
        index = place[lineup]
        sums[index] += values
        count[index, at] = values[0]
        utility[index, :, at] = values[9 : 9 + seats]
    _, discounted, agreed = np.split(sums[:, 9:], np.cumsum([seats] * 2), axis=1)
    faults, unscored = np.zeros((n, seats)), np.zeros(n)
    unaided, unaided_utility = sums[:, 0].copy(), utility.sum(axis=2)
    for lineup, number, *aided in results.select(
        f"SELECT lineup, count(*), {', '.join(columns[9 : 9 + seats])} FROM session "
        f"WHERE is_scored AND {NEEDED_FALLBACK} GROUP BY 1"
    ):
        unaided[place[lineup]] -= number
        unaided_utility[place[lineup]] -= np.nan_to_num(np.array(aided, dtype=np.float64))
    models = {
        (place[lineup], seat - 1): ModelCounts(*counts)
        for lineup, seat, *counts in results.select(
            f"SELECT lineup, seat, {', '.join(_COUNTED)} FROM model GROUP BY 1, 2"
        )
    }
    for lineup, seat, number in results.select(
        "SELECT lineup, seat, count(*) FROM fault WHERE seat > 0 GROUP BY 1, 2"
    ):
        faults[place[lineup], seat - 1] = number
    for lineup, number in results.select(
        "SELECT lineup, count(*) FROM session WHERE NOT is_scored GROUP BY 1"
    ):
        unscored[place[lineup]] = number
    return Tally(
        parties=results.parties,
        lineups=tuple(numbered.values()),
        settings=n_settings,
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
        unaided=unaided,
        unaided_utility=unaided_utility,
        faults=faults,
        unscored=unscored,
        models=models,
    )
