"""Comparing two parties on what both were tried on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.tournament.tally import Tally

__all__ = ["block_differences", "holm", "rank_biserial", "signed_rank_p"]

_DECIMALS = 12
"""What differs beyond these is float noise."""

_EXACT = 50
"""Differences up to which the signed-rank test counts all signs; a normal curve is as good then."""

Array = NDArray[np.float64]


def block_differences(tally: Tally, one: str, other: str) -> Array:
    """What one party got more than another in each block, on average; NaN where not comparable.

    Compared are sessions in which they sat at the same seat against the same opponents, each being
    the other's opponent where they meet. In a round robin that is all there is, and the mean is
    the difference of their means.
    """
    mine, theirs = _conditions(tally, one, other), _conditions(tally, other, one)
    common = [condition for condition in mine if condition in theirs]
    if not common:
        return np.full(tally.blocks, np.nan)
    gain = np.array([_mean(tally, mine[c]) - _mean(tally, theirs[c]) for c in common])
    known = ~np.isnan(gain)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, gain, 0.0).sum(axis=0) / known.sum(axis=0))


def _conditions(
    tally: Tally, party: str, rival: str
) -> dict[tuple[object, ...], list[tuple[int, int]]]:
    """Seat and opponents -> where the party met these there; the rival is told as nobody."""
    found: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    for place, seat in tally.seats_of[party]:
        lineup = tally.lineups[place]
        others = sorted("" if spec == rival else spec for spec in lineup if spec != party)
        # One that also meets itself has a mirror image: its rival that does.
        condition = seat, lineup.count(party), *others
        found.setdefault(condition, []).append((place, seat))
    return found


def _mean(tally: Tally, places: Sequence[tuple[int, int]]) -> Array:
    lineups, seats = np.array(places).T
    with np.errstate(invalid="ignore"):
        return np.asarray(
            tally.utility[lineups, seats].sum(axis=0) / tally.count[lineups].sum(axis=0)
        )


def signed_rank_p(differences: ArrayLike) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test; 1 when there is no difference at all.

    Wilcoxon (1945), "Individual comparisons by ranking methods", Biometrics Bulletin 1. Up to 50
    differences it is exact, ties included.
    """
    known = _differing(differences)
    if not len(known):
        return 1.0
    if len(known) > _EXACT:
        from scipy.stats import wilcoxon  # takes most of a second, as long as many a tournament

        return float(wilcoxon(known).pvalue)
    places = _places(known)
    for_it = int(places[known > 0].sum())
    total = int(places.sum())
    ways = _ways(places)
    likelier = ways[: min(for_it, total - for_it) + 1].sum() / ways.sum()
    return min(1.0, 2 * float(likelier))


def _places(differences: Array) -> NDArray[np.int64]:
    """Twice the rank of each absolute difference: a whole number, even where several are tied."""
    _, tie, times = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    first_and_last: NDArray[np.int64] = 2 * times.cumsum() - times + 1
    return first_and_last[tie]


def _ways(places: NDArray[np.int64]) -> Array:
    """In how many ways signs can be given so that the positive places sum to 0, 1, 2, ...

    The shift algorithm of Streitberg & Roehmel (1986), "Exact distributions for permutation and
    rank tests", Statistical Software Newsletter 12; scipy tries out all signs of tied differences.
    """
    ways = np.zeros(int(places.sum()) + 1)
    ways[0] = 1.0
    for place in places:
        ways[place:] += ways[:-place].copy()
    return ways


def rank_biserial(differences: ArrayLike) -> float:
    """The effect size of the signed-rank test, from -1 (always worse) to 1 (always better).

    Kerby (2014), "The simple difference formula", Comprehensive Psychology 3.
    """
    known = _differing(differences)
    if not len(known):
        return 0.0
    places = _places(known)
    return float((places * np.sign(known)).sum() / places.sum())


def holm(p_values: ArrayLike) -> Array:
    """P-values adjusted for their number, so that all together err as seldom as one would.

    Holm (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    scaled = values[order] * np.arange(len(values), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return adjusted


def _differing(differences: ArrayLike) -> Array:
    values = np.asarray(differences, dtype=np.float64).round(_DECIMALS)
    return np.asarray(values[~np.isnan(values) & (values != 0)])
