"""Head to head: a challenger against each bot, roles swapped and seeds paired."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.errors import OptionError
from genius_py.tournament.evidence import ALIKE, Evidence, Unit
from genius_py.tournament.store import Results
from genius_py.tournament.sweep import canonical, expanded
from genius_py.tournament.tables import NEEDED_FALLBACK
from genius_py.tournament.tournament import DomainSource, Tournament

__all__ = ["MOST_SESSIONS_MORE", "Verdict", "comparison", "verdicts"]

MOST_SESSIONS_MORE = 100_000
"""Beyond this, so small a difference is not worth settling."""


@attrs.frozen(kw_only=True)
class Verdict:
    """How much more the challenger got than a bot when they met; prints as a sentence.

    A pair is two sessions with the same seed in which they swap roles; its difference is the mean
    of both. `blocks` counts what is independent evidence: domains or settings, of whose pairs the
    mean is taken, or where `unit` is "repetition" (see `Evidence`) single pairs, as long as they do
    not all come out alike. `low` and `high` are Student's 95 % interval over blocks, which holds
    for few of them too; None for fewer than two. `sessions_more` estimates how many sessions more,
    repeated as often as these, would tell them apart: 0 when they are told apart already, None when
    that can't be said or is out of reach. In `aided` pairs a classical party had to play some turn
    for a language model; `unaided_difference` is the mean over the others.
    """

    challenger: str
    bot: str
    difference: float | None
    low: float | None
    high: float | None
    pairs: int
    blocks: int
    unit: Unit
    unscored: int
    sessions_more: int | None
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
        if self.unit != "repetition" and self.blocks < self.pairs:
            pairs += f" in {self.blocks} {self.unit}{'' if self.blocks == 1 else 's'}"
        if self.low is None or self.high is None:
            alike = " that came out alike" if self.unit == "repetition" and self.pairs > 1 else ""
            way_out = "repeat or add domains" if self.pairs == 1 else "add domains"
            return f"{what} undecided: {self.difference:+.2f}, {pairs}{alike}; {way_out}{lost}."
        if self.is_decided:
            where, sign = ("above", 1) if self.difference > 0 else ("below", -1)
            low, high = sorted((sign * self.low, sign * self.high))
            return (
                f"{self.challenger} {where} {self.bot} by {abs(self.difference):.2f} "
                f"[{low:.2f}, {high:.2f}], {pairs}{lost}."
            )
        where = "" if self.unit == "repetition" else f" on other {self.unit}s"
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
    evidence = Evidence.of(results)
    return [
        _verdict(results, evidence, challenger, bot) for challenger in challengers for bot in bots
    ]


def _verdict(results: Results, evidence: Evidence, challenger: str, bot: str) -> Verdict:
    gains: dict[tuple[int, int], list[float]] = {}
    unaided: dict[tuple[int, int], list[float]] = {}
    unscored = 0
    for repetition, setting, gain, is_aided in _pairs(results, challenger, bot):
        if gain is None:
            unscored += 1
            continue
        block = evidence.block(repetition, setting)
        gains.setdefault(block, []).append(gain)
        if not is_aided:
            unaided.setdefault(block, []).append(gain)
    pairs = sum(map(len, gains.values()))
    blocks = _blocks(gains.values(), evidence)
    left = _blocks(unaided.values(), evidence)
    n = len(blocks)
    difference = float(blocks.mean()) if n else None
    low = high = None
    if difference is not None and n > 1:
        margin = _half_width(n, float(blocks.std(ddof=1)))
        low, high = difference - margin, difference + margin
    return Verdict(
        challenger=challenger,
        bot=bot,
        difference=difference,
        low=low,
        high=high,
        pairs=pairs,
        blocks=n,
        unit=evidence.unit,
        unscored=unscored,
        sessions_more=_sessions_more(blocks, 2 * pairs / n if n else 2),
        aided=pairs - sum(map(len, unaided.values())),
        unaided_difference=float(left.mean()) if len(left) else None,
    )


def _blocks(gains: Collection[Sequence[float]], evidence: Evidence) -> NDArray[np.float64]:
    """One number for each piece of evidence; `gains` are those of the pairs of each."""
    blocks = np.array([sum(own) / len(own) for own in gains])
    is_of_one = evidence.unit == "repetition" and evidence.width == 1
    return blocks[:1] if is_of_one and len(blocks) and np.ptp(blocks) <= ALIKE else blocks


def _pairs(results: Results, one: str, other: str) -> Iterator[tuple[int, int, float | None, bool]]:
    """Repetition, setting and difference of each complete pair, and whether a fallback played.

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
            yield repetition, setting, None, False
            continue
        gain = first - second if lineup == both[0] else second - first
        before = waiting.pop((repetition, setting), None)
        if before is None:
            waiting[repetition, setting] = gain, bool(is_aided)
        else:
            yield repetition, setting, (before[0] + gain) / 2, before[1] or bool(is_aided)


def _sessions_more(blocks: NDArray[np.float64], each: float = 2) -> int | None:
    """How many sessions more would make the interval leave zero out, if nothing else changed.

    `each` is how many sessions a block takes.
    """
    n = len(blocks)
    if n < 2 or not blocks.any():
        return None
    mean, spread = abs(float(blocks.mean())), float(blocks.std(ddof=1))
    most = int(MOST_SESSIONS_MORE / each)

    def is_decided(blocks: int) -> bool:
        return mean > _half_width(blocks, spread)

    if not is_decided(n + most):
        return None
    more = bisect_left(range(most), True, key=lambda add: is_decided(n + add))
    return math.ceil(each * more)


def _half_width(n: int, spread: float) -> float:
    """Of Student's 95 % interval of the mean of n numbers with this standard deviation."""
    from scipy.special import stdtrit  # slow to import, and only needed once all is played

    return float(stdtrit(n - 1, 0.975)) * spread / math.sqrt(n)
