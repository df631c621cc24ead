"""Who got more than whom, counted over all sessions of a results file."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from genius_py.tournament.evidence import ALIKE
from genius_py.tournament.lineups import Lineup
from genius_py.tournament.store import Results

__all__ = ["wins"]

_ROWS = 100_000
"""About how many sessions are looked at together, unless a repetition has more."""


def wins(results: Results) -> NDArray[np.float64]:
    """How often each party got more than each other one, (n, n); a draw is half of that.

    Compared is what they got in a repetition of a setting in all sessions that they played
    together, so that nobody wins by a role that is worth more.
    """
    place = {party: index for index, party in enumerate(results.parties)}
    counted = np.zeros((len(place), len(place)))
    meetings = _Meetings(results.lineups(), place, results.seats)
    ((repetitions,),) = results.select("SELECT coalesce(max(repetition) + 1, 0) FROM session")
    together = max(1, _ROWS * repetitions // max(1, len(results)))
    utilities = ", ".join(f"coalesce(utility_{s}, 0)" for s in range(1, results.seats + 1))
    for first in range(0, repetitions, together):
        rows = results.select(
            f"SELECT repetition, setting, lineup, {utilities} FROM session WHERE is_scored "
            f"AND repetition >= {first} AND repetition < {first + together}"
        )
        # Numbers one after the other, for rows as tuples would take ten times the memory.
        numbers = np.fromiter(chain.from_iterable(rows), dtype=np.float64)
        meetings.count(numbers.reshape(-1, 3 + results.seats), counted)
    return counted


class _Meetings:
    """Who meets whom: line-ups that differ only in who sits where are one meeting.

    A party that meets itself has several seats, whose mean counts.
    """

    def __init__(self, lineups: dict[int, Lineup], place: dict[str, int], seats: int) -> None:
        numbers: dict[tuple[str, ...], int] = {}
        most = max(lineups, default=0) + 1
        self._of = np.zeros(most, dtype=np.int64)
        self._slot = np.full((most, seats), -1)
        self._share = np.zeros((most, seats))
        self._who = np.full((most, seats), -1)
        for number, lineup in lineups.items():
            meeting = numbers.setdefault(tuple(sorted(lineup)), len(numbers))
            distinct = sorted(set(lineup))
            self._of[number] = meeting
            self._who[meeting, : len(distinct)] = [place[party] for party in distinct]
            for seat, party in enumerate(lineup):
                self._slot[number, seat] = distinct.index(party)
                self._share[number, seat] = 1 / lineup.count(party)

    def count(self, rows: NDArray[np.float64], counted: NDArray[np.float64]) -> None:
        """Add the games of these sessions: repetition, setting, line-up, and what each seat got."""
        repetition, setting, lineup = rows[:, :3].astype(np.int64).T
        table = repetition * (setting.max(initial=0) + 1) + setting
        keys, game, sessions = np.unique(
            table * len(self._who) + self._of[lineup], return_inverse=True, return_counts=True
        )
        who = self._who[keys % len(self._who)]
        got = np.zeros(who.shape)
        for seat in range(who.shape[1]):
            slot = self._slot[lineup, seat]
            sits = slot >= 0
            worth = rows[sits, 3 + seat] * self._share[lineup[sits], seat]
            np.add.at(got, (game[sits], slot[sits]), worth)
        got /= sessions[:, None]
        for one, other in combinations(range(who.shape[1]), 2):
            met = who[:, other] >= 0
            gain = got[met, one] - got[met, other]
            won = np.where(np.abs(gain) <= ALIKE, 0.5, gain > 0)
            np.add.at(counted, (who[met, one], who[met, other]), won)
            np.add.at(counted, (who[met, other], who[met, one]), 1 - won)
