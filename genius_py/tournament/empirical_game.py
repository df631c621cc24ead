"""The tournament as a game in which one chooses which party to send.

Wellman (2006), "Methods for empirical game-theoretic analysis", AAAI. Only for two seats, and where
parties also met copies of themselves.
"""

from __future__ import annotations

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.tournament.tally import Tally

__all__ = ["EmpiricalGame", "Equilibrium", "payoff_matrix", "replicator", "solve"]

_STEPS = 20_000
_STARTS = 32
_SLACK = 1e-3
"""How much a deviation may gain from what is still called an equilibrium."""

_ABSENT = 0.005
"""Shares below this, which are told as 0 %, are set to 0."""

Array = NDArray[np.float64]


@attrs.frozen
class Equilibrium:
    """A symmetric equilibrium: the share of each party, its payoff, and the most one could gain."""

    shares: tuple[float, ...]
    payoff: float
    regret: float


@attrs.frozen(eq=False)
class EmpiricalGame:
    """`payoffs[i, j]` is the mean utility of i against j, in all roles.

    `best_responses` holds for each party what is best against it (an index into `parties`).
    """

    parties: tuple[str, ...]
    payoffs: Array
    best_responses: tuple[int, ...]
    equilibria: tuple[Equilibrium, ...]


def payoff_matrix(tally: Tally) -> Array:
    """What each party got against each other one on average, (n, n); NaN where they never met."""
    n = len(tally.parties)
    place = {party: index for index, party in enumerate(tally.parties)}
    sums, counts = np.zeros((2, n, n))
    for index, lineup in enumerate(tally.lineups):
        if len(lineup) != 2:
            continue
        played = tally.count[index].sum()
        for seat, (own, other) in enumerate((lineup, lineup[::-1])):
            sums[place[own], place[other]] += tally.utility[index, seat].sum()
            counts[place[own], place[other]] += played
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / counts)


def solve(parties: tuple[str, ...], payoffs: ArrayLike, seed: int = 0) -> EmpiricalGame | None:
    """The game of these payoffs, shape (n, n); None when some parties never met."""
    matrix = np.asarray(payoffs, dtype=np.float64)
    n = len(matrix)
    if n == 0 or np.isnan(matrix).any():
        return None
    rng = np.random.default_rng(seed)
    starts = [np.full(n, 1 / n), *np.eye(n) * 0.99 + 0.01 / n, *rng.dirichlet(np.ones(n), _STARTS)]
    found: list[Equilibrium] = []
    for start in starts:
        shares = replicator(matrix, start)
        worth = matrix @ shares
        payoff = float(shares @ worth)
        regret = float(worth.max() - payoff)
        if regret > _SLACK or any(_is_like(known, shares, payoff) for known in found):
            continue
        found.append(Equilibrium(tuple(shares.tolist()), payoff, max(0.0, regret)))
    found.sort(key=lambda equilibrium: (-equilibrium.payoff, equilibrium.shares))
    best = tuple(int(column.argmax()) for column in matrix.T)
    return EmpiricalGame(parties, matrix, best, tuple(found))


def _is_like(known: Equilibrium, shares: Array, payoff: float) -> bool:
    """Whether it is told already: the same, or another mix of the same parties that pays as much.

    Where parties do alike, every mix of theirs is an equilibrium, if one is.
    """
    told = np.asarray(known.shares)
    is_same_choice = bool(((told > 0) == (shares > 0)).all())
    return float(np.abs(told - shares).max()) < 0.01 or (
        is_same_choice and abs(known.payoff - payoff) < _SLACK
    )


def replicator(payoffs: Array, start: Array) -> Array:
    """Where the shares of a population end up when better than average parties grow.

    Discrete replicator dynamics (Taylor & Jonker, 1978, Mathematical Biosciences 40) on payoffs
    shifted to lie above 0. Shares that have all but vanished are set to 0.
    """
    spread = float(np.ptp(payoffs)) or 1.0
    fitness = (payoffs - payoffs.min()) / spread + 1.0
    shares = start / start.sum()
    for _ in range(_STEPS):
        worth = fitness @ shares
        grown = shares * worth / (shares @ worth)
        if np.abs(grown - shares).max() < 1e-12:
            break
        shares = grown
    shares = np.where(shares < _ABSENT, 0.0, shares)
    return np.asarray(shares / shares.sum())
