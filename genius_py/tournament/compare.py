"""Head to head: a challenger against each bot, roles swapped and seeds paired."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from genius_py.errors import OptionError
from genius_py.tournament.store import NEEDED_FALLBACK, Results
from genius_py.tournament.sweep import canonical, expanded
from genius_py.tournament.tournament import DomainSource, Tournament

__all__ = ["MOST_SESSIONS_MORE", "Verdict", "comparison", "verdicts"]

MOST_SESSIONS_MORE = 100_000
"""Beyond this, so small a difference is not worth settling."""

_ALIKE = 1e-12


@attrs.frozen(kw_only=True)
class Verdict:
    """How much more the challenger got than a bot when they met; prints as a sentence.

    A pair is two sessions with the same seed in which they swap roles; its difference is the mean
    of both. Pairs that came out alike on all repetitions of a setting are counted once, and
    `is_repeating` says that all did. `low` and `high` are Student's 95 % interval, which holds for
    few pairs too; None for fewer than two. `sessions_more` estimates how many sessions more would
    tell them apart: 0 when they are told apart already, None when that can't be said or is out of
    reach. In `aided` pairs a classical party had to play some turn for a language model;
    `unaided_difference` is the mean over the others.
    """

    challenger: str
    bot: str
    difference: float | None
    low: float | None
    high: float | None
    pairs: int
    unscored: int
    sessions_more: int | None
    is_repeating: bool = False
    aided: int = 0
    unaided_difference: float | None = None

    @property
    def is_decided(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def __str__(self) -> str:
        return f"{self._told()}{self._unaided()}"

    def _unaided(self) -> str:
        if not self.aided:
            return ""
        pairs = "pair" if self.aided == 1 else f"{self.aided} pairs"
        if self.unaided_difference is None:
            return " In every pair a fallback played for a model."
        return f" Without the {pairs} in which a fallback played: {self.unaided_difference:+.2f}."

    def _told(self) -> str:
        what = f"{self.challenger} and {self.bot}"
        lost = f" ({self.unscored} sessions failed and are not counted)" if self.unscored else ""
        if self.difference is None:
            return f"{what}: no pair of sessions was scored{lost}."
        pairs = "1 pair" if self.pairs == 1 else f"{self.pairs} pairs"
        if self.low is None or self.high is None:
            return (
                f"{what} undecided: {self.difference:+.2f}, {pairs}; repeat or add domains{lost}."
            )
        if self.is_decided:
            where, sign = ("above", 1) if self.difference > 0 else ("below", -1)
            low, high = sorted((sign * self.low, sign * self.high))
            return (
                f"{self.challenger} {where} {self.bot} by {abs(self.difference):.2f} "
                f"[{low:.2f}, {high:.2f}], {pairs}{lost}."
            )
        where = " on other domains" if self.is_repeating else ""
        more = (
            f"about {self.sessions_more} sessions more{where} would settle it"
            if self.sessions_more is not None
            else "too close for more sessions to settle it"
        )
        return (
            f"{what} undecided: {self.difference:+.2f} "
            f"[{self.low:.2f}, {self.high:.2f}], {pairs}; {more}{lost}."
        )


def comparison(
    challengers: Sequence[str],
    bots: Sequence[str],
    domains: Iterable[str | DomainSource],
    *,
    repeat: int = 1,
    protocol: str = "alternating_offers",
    deadline: str | None = None,
    seed: int = 0,
) -> Tournament:
    """The tournament of a comparison: a round robin, in which everybody has the same opponents.

    Raises: as `Tournament`; also OptionError, when a challenger is among the bots.
    """
    tournament = Tournament(
        parties=[*challengers, *bots],
        domains=domains,
        protocols=protocol,
        deadlines=deadline,
        repetitions=repeat,
        seed=seed,
        seats=2,
    )
    every = (spec for given in (*challengers, *bots) for spec in expanded(given))
    named = Counter(canonical("party", spec) for spec in every)
    if twice := [party for party, times in named.items() if times > 1]:
        raise OptionError(f"{twice[0]!r} is named twice; give each challenger and each bot once.")
    return tournament


def verdicts(results: Results, challengers: Sequence[str], bots: Sequence[str]) -> list[Verdict]:
    """How each challenger did against each bot in the sessions that they played together."""
    return [_verdict(results, challenger, bot) for challenger in challengers for bot in bots]


def _verdict(results: Results, challenger: str, bot: str) -> Verdict:
    differences: dict[int, list[float]] = {}
    unaided: dict[int, list[float]] = {}
    unscored = 0
    for setting, gain, is_aided in _pairs(results, challenger, bot):
        if gain is None:
            unscored += 1
            continue
        differences.setdefault(setting, []).append(gain)
        if not is_aided:
            unaided.setdefault(setting, []).append(gain)
    distinct = _distinct(differences)
    values = np.array([gain for gains in distinct for gain in gains])
    left = [gain for gains in _distinct(unaided) for gain in gains]
    repeated = [gains for gains in differences.values() if len(gains) > 1]
    n = len(values)
    difference = float(values.mean()) if n else None
    low = high = None
    if difference is not None and n > 1:
        margin = float(t.ppf(0.975, n - 1) * values.std(ddof=1) / math.sqrt(n))
        low, high = difference - margin, difference + margin
    return Verdict(
        challenger=challenger,
        bot=bot,
        difference=difference,
        low=low,
        high=high,
        pairs=n,
        unscored=unscored,
        sessions_more=_sessions_more(values),
        is_repeating=bool(repeated) and all(len(gains) == 1 for gains in distinct),
        aided=n - len(left),
        unaided_difference=sum(left) / len(left) if left else None,
    )


def _distinct(differences: Mapping[int, list[float]]) -> list[list[float]]:
    """Parties without chance of their own repeat themselves, which is no evidence."""
    return [g[:1] if max(g) - min(g) < _ALIKE else g for g in differences.values()]


def _pairs(results: Results, one: str, other: str) -> Iterator[tuple[int, float | None, bool]]:
    """Setting and difference of each complete pair, and whether somebody needed a fallback.

    The difference is None for a session that is not scored.
    """
    lineups = {parties: number for number, parties in results.lineups().items()}
    both = lineups.get((one, other)), lineups.get((other, one))
    if None in both:
        return
    waiting: dict[tuple[int, int], tuple[float, bool]] = {}
    for repetition, setting, lineup, is_scored, first, second, is_aided in results.select(
        "SELECT repetition, setting, lineup, is_scored, utility_1, utility_2, "
        f"{NEEDED_FALLBACK} FROM session "
        f"WHERE lineup IN ({both[0]}, {both[1]}) ORDER BY repetition, setting, lineup"
    ):
        if not is_scored:
            yield setting, None, False
            continue
        gain = first - second if lineup == both[0] else second - first
        before = waiting.pop((repetition, setting), None)
        if before is None:
            waiting[repetition, setting] = gain, bool(is_aided)
        else:
            yield setting, (before[0] + gain) / 2, before[1] or bool(is_aided)


def _sessions_more(differences: NDArray[np.float64]) -> int | None:
    """How many sessions more would make the interval leave zero out, if nothing else changed."""
    n = len(differences)
    if n < 2 or not differences.any():
        return None
    mean, spread = abs(float(differences.mean())), float(differences.std(ddof=1))

    def is_decided(pairs: int) -> bool:
        return bool(mean > t.ppf(0.975, pairs - 1) * spread / math.sqrt(pairs))

    if not is_decided(n + MOST_SESSIONS_MORE // 2):
        return None
    more = bisect_left(range(MOST_SESSIONS_MORE // 2), True, key=lambda add: is_decided(n + add))
    return 2 * more
