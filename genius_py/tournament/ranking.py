"""Who did best: every figure of the leaderboard, with what chance may have done to it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.model_counts import ModelCounts, sum_counts
from genius_py.tournament.empirical_game import EmpiricalGame, payoff_matrix, solve
from genius_py.tournament.evidence import ALIKE, Evidence, Unit
from genius_py.tournament.paired import block_differences, holm, rank_biserial, signed_rank_p
from genius_py.tournament.ratings import elo
from genius_py.tournament.resampling import draws, interval, ranks, resampled_means
from genius_py.tournament.store import Results
from genius_py.tournament.tally import Tally, tallied
from genius_py.tournament.wins import wins

__all__ = ["ENOUGH_BLOCKS", "PairComparison", "Ranking", "Standing", "best_first", "rank"]

ENOUGH_BLOCKS = 6
"""Fewer say too little about what else might have come out."""


@attrs.frozen(kw_only=True)
class Standing:
    """One party's line of the leaderboard.

    `utility` is its mean undiscounted utility over all its scored sessions, in which no agreement
    is worth the reservation value, and None when none was scored; one with itself counts for both
    seats. `low` and `high` are the 95 % bootstrap interval, None where there is a single block, or
    all came out alike.
    `agreed_utility` is the mean over agreements alone, None without any. Distances,
    `social_welfare`, `fairness` and `rounds` are means over its sessions. `rank_low` to `rank_high`
    holds its rank in 95 % of the resamples, `first` says in which share of them it was the best.

    `models` is what asking a language model came to, None for who asks none. `unaided` are the
    scored sessions in which no such party, itself or another, needed its fallback, and
    `unaided_utility` is the mean over these.
    """

    party: str
    sessions: int
    utility: float | None
    low: float | None
    high: float | None
    discounted_utility: float | None
    agreements: int
    agreement_rate: float | None
    agreed_utility: float | None
    distance_to_pareto: float | None
    distance_to_nash: float | None
    social_welfare: float | None
    fairness: float | None
    rounds: float | None
    faults: int
    unscored: int
    elo: float
    rank_low: int | None
    rank_high: int | None
    first: float | None
    models: ModelCounts | None
    unaided: int
    unaided_utility: float | None


@attrs.frozen(kw_only=True)
class PairComparison:
    """Two parties on what both were tried on; `difference` is how much more `one` got.

    `low` and `high` are the 95 % bootstrap interval, `p` is of the signed-rank test over blocks and
    `p_adjusted` by Holm over all pairs; `effect` is the rank-biserial correlation, in [-1, 1].
    Repetitions of one setting that all came out alike are a single block.
    """

    one: str
    other: str
    difference: float
    low: float | None
    high: float | None
    blocks: int
    p: float
    p_adjusted: float
    effect: float


@attrs.frozen(eq=False, kw_only=True)
class Ranking:
    """The leaderboard, best mean utility first and ties by name, and all pairs.

    `blocks` says over how many blocks intervals are, and `unit` what one is (see `Evidence`). Of
    the `repeated` line-ups at a setting, `alike` came out the same in all repetitions. `game` is
    None where not everybody met everybody.
    """

    standings: tuple[Standing, ...]
    pairs: tuple[PairComparison, ...]
    blocks: int
    unit: Unit
    repeated: int
    alike: int
    game: EmpiricalGame | None

    @property
    def has_few_blocks(self) -> bool:
        """Whether the intervals are too narrow: no resample goes beyond the blocks that there are.

        Between the lowest and the highest of five lies the median of all in 94 % of cases.
        """
        return 1 < self.blocks < ENOUGH_BLOCKS

    @property
    def evidence(self) -> str:
        """What intervals are over, and what repetitions added, in words."""
        if self.blocks < 2:
            return "One repetition of one setting: no intervals."
        all_alike = self.repeated > 0 and self.alike == self.repeated
        if self.unit == "repetition" and all_alike:
            return "All repetitions of the one setting came out alike: no intervals."
        few = "; of so few they are too narrow" if self.has_few_blocks else ""
        told = [f"Intervals are over {self.blocks} {self.unit}s{few}."]
        if self.unit != "repetition" and self.repeated:
            told.append(
                f"Repetitions of a {self.unit} are averaged: they tell nothing of other ones."
            )
        if self.alike:
            told.append(
                f"{'All' if all_alike else f'{self.alike} of'} {self.repeated} repeated line-ups "
                "came out alike each time."
            )
        return " ".join(told)


def rank(results: Results, *, seed: int = 0) -> Ranking:
    """Rank the parties of a results file; the same file gives the same ranking.

    What it keeps in memory depends on the parties and settings, not on the number of sessions.
    """
    evidence = Evidence.of(results)
    tally = tallied(results, evidence)
    if evidence.unit != "repetition":
        tally = tally.by_group()
    rng = np.random.default_rng(seed)
    drawn = draws(tally.blocks, rng) if tally.blocks > 1 else None
    return Ranking(
        standings=_standings(tally, drawn, elo(wins(results))),
        pairs=_pairs(tally, drawn),
        blocks=tally.blocks,
        unit=evidence.unit,
        repeated=tally.repeated,
        alike=tally.alike,
        game=solve(tally.parties, payoff_matrix(tally), seed),
    )


def _standings(
    tally: Tally, drawn: NDArray[np.float64] | None, ratings: NDArray[np.float64]
) -> tuple[Standing, ...]:
    seats = {party: np.array(at).reshape(-1, 2).T for party, at in tally.seats_of.items()}
    sums = np.array([tally.utility[at[0], at[1]].sum(axis=0) for at in seats.values()])
    counts = np.array([tally.count[at[0]].sum(axis=0) for at in seats.values()])
    n = len(seats)
    low, high = np.full((2, n), np.nan)
    best, worst = np.zeros((2, n))
    first = np.zeros(n)
    if drawn is not None and n:
        means = resampled_means(drawn, sums, counts)
        is_same = np.array([_came_out_alike(tally, *of) for of in zip(sums, counts, strict=True)])
        low, high = interval(means, tally.blocks)
        low[is_same], high[is_same] = np.nan, np.nan
        places = ranks(means)
        best, worst = np.quantile(places, (0.025, 0.975), axis=0, method="closest_observation")
        first = (places == 1).mean(axis=0)
    standings = []
    for index, (party, (lineups, own)) in enumerate(seats.items()):
        sessions = tally.count[lineups].sum()
        agreed = tally.agreements[lineups].sum()
        unaided = tally.unaided[lineups].sum()
        standings.append(
            Standing(
                party=party,
                sessions=int(sessions),
                utility=_ratio(sums[index].sum(), sessions),
                low=_known(low[index]),
                high=_known(high[index]),
                discounted_utility=_ratio(tally.discounted[lineups, own].sum(), sessions),
                agreements=int(agreed),
                agreement_rate=_ratio(agreed, sessions),
                agreed_utility=_ratio(tally.agreed_utility[lineups, own].sum(), agreed),
                distance_to_pareto=_ratio(*tally.to_pareto[lineups].sum(axis=0)),
                distance_to_nash=_ratio(*tally.to_nash[lineups].sum(axis=0)),
                social_welfare=_ratio(tally.welfare[lineups].sum(), sessions),
                fairness=_ratio(tally.fairness[lineups].sum(), sessions),
                rounds=_ratio(tally.rounds[lineups].sum(), sessions),
                faults=int(tally.faults[lineups, own].sum()),
                unscored=int(tally.unscored[lineups].sum()),
                elo=float(ratings[index]),
                rank_low=None if drawn is None else int(best[index]),
                rank_high=None if drawn is None else int(worst[index]),
                first=None if drawn is None else float(first[index]),
                models=sum_counts(
                    asked
                    for at in zip(lineups.tolist(), own.tolist(), strict=True)
                    if (asked := tally.models.get(at)) is not None
                ),
                unaided=int(unaided),
                unaided_utility=_ratio(tally.unaided_utility[lineups, own].sum(), unaided),
            )
        )
    return best_first(standings)


def best_first(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """The highest utility first; of those with the same, by name; whoever has none at the end."""

    def place(standing: Standing) -> tuple[float, str]:
        return float("inf") if standing.utility is None else -standing.utility, standing.party

    return tuple(sorted(standings, key=place))


def _pairs(tally: Tally, drawn: NDArray[np.float64] | None) -> tuple[PairComparison, ...]:
    compared = []
    for one, other in combinations(tally.parties, 2):
        differences = block_differences(tally, one, other)
        if _came_out_alike(tally, differences):
            differences[1 + np.flatnonzero(~np.isnan(differences))[0] :] = np.nan
        if not np.isnan(differences).all():
            compared.append((one, other, differences))
    p_values = [signed_rank_p(differences) for _, _, differences in compared]
    pairs = []
    for (one, other, differences), p, p_adjusted in zip(
        compared, p_values, holm(p_values), strict=True
    ):
        known = ~np.isnan(differences)
        low = high = np.array([np.nan])
        if drawn is not None and known.sum() > 1:
            gains = np.where(known, differences, 0.0)[None]
            means = resampled_means(drawn, gains, known[None].astype(np.float64))
            low, high = interval(means, int(known.sum()))
        pairs.append(
            PairComparison(
                one=one,
                other=other,
                difference=float(differences[known].mean()),
                low=_known(low[0]),
                high=_known(high[0]),
                blocks=int(known.sum()),
                p=p,
                p_adjusted=float(p_adjusted),
                effect=rank_biserial(differences),
            )
        )
    return tuple(pairs)


def _came_out_alike(
    tally: Tally, sums: NDArray[np.float64], counts: NDArray[np.float64] | float = 1.0
) -> bool:
    """Whether repetitions of a single setting gave one figure, which says nothing of chance."""
    with np.errstate(invalid="ignore"):
        figures = sums / counts
    figures = figures[~np.isnan(figures)]
    return tally.groups == 1 and len(figures) > 1 and bool(np.ptp(figures) <= ALIKE)


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _ratio(total: float, count: float) -> float | None:
    return float(total / count) if count else None
