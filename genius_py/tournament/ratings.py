"""Ratings from who got more than whom: Bradley-Terry strengths on the scale of Elo."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["bradley_terry", "elo"]

_PRIOR = 0.05
"""Draws against an average party that everybody is given for each game that parties played on
average, so that who never lost stays finite. As a share it does not depend on how much is played.
"""

_SETTLED = 1e-10
_MOST_STEPS = 10_000


def bradley_terry(wins: ArrayLike) -> NDArray[np.float64]:
    """Strengths, shape (n,), with the geometric mean 1: i beats j with s_i / (s_i + s_j).

    `wins[i, j]` counts how often i got more than j; a draw is half a win for both. Found by the
    iteration of Hunter (2004), "MM algorithms for generalized Bradley-Terry models", Annals of
    Statistics 32. Everybody has besides drawn some games against a party of strength 1, in
    proportion to those that were played: `wins` times any number give the same strengths.

    >>> bradley_terry([[0, 3], [1, 0]]).round(3).tolist()
    [1.703, 0.587]
    """
    won = np.array(wins, dtype=np.float64)
    np.fill_diagonal(won, 0.0)
    played = won + won.T
    strength = np.ones(len(won))
    draws = _PRIOR * played.sum() / len(won) if played.any() else 1.0
    total = won.sum(axis=1) + draws / 2
    for _ in range(_MOST_STEPS):
        pairs = played / (strength[:, None] + strength[None, :])
        better = total / (pairs.sum(axis=1) + draws / (strength + 1.0))
        done = np.abs(np.log(better / strength)).max(initial=0.0) < _SETTLED
        strength = better
        if done:
            break
    scale = np.exp(np.log(strength).mean()) if len(strength) else 1.0
    return np.asarray(strength / scale)


def elo(wins: ArrayLike) -> NDArray[np.float64]:
    """Elo ratings, 1500 on average: 400 points more are ten times the odds.

    Elo (1978), The Rating of Chessplayers. Fitted to all results at once, so that their order does
    not matter.
    """
    return np.asarray(1500 + 400 * np.log10(bradley_terry(wins)))
