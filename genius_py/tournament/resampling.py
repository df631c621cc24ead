"""The bootstrap over blocks: how much figures and ranks would differ in another experiment.

Efron & Tibshirani, An Introduction to the Bootstrap (1993). Blocks are drawn with replacement;
all that is estimated from one draw shares its blocks, so that ranks are compared on equal terms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["RESAMPLES", "draws", "interval", "ranks", "resampled_means"]

RESAMPLES = 2000

Array = NDArray[np.float64]


def draws(blocks: int, rng: np.random.Generator, resamples: int = RESAMPLES) -> Array:
    """How often each block is drawn, shape (resamples, blocks); rows sum to `blocks`."""
    return rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=resamples).astype(np.float64)


def resampled_means(drawn: Array, sums: Array, counts: Array) -> Array:
    """The mean of each of n figures in each draw, shape (resamples, n).

    `sums` and `counts` have shape (n, blocks). A mean is NaN where a draw has no observation.
    """
    with np.errstate(invalid="ignore"):
        means: Array = (drawn @ sums.T) / (drawn @ counts.T)
    return means


def interval(resampled: Array, blocks: int) -> tuple[Array, Array]:
    """The 95 % percentile interval of each column of `resampled`; NaN where nothing was observed.

    It is expanded for the number of blocks as Hesterberg (2015), "What teachers should know about
    the bootstrap", The American Statistician 69, advises: of few blocks plain percentiles are too
    narrow. `blocks` is at least 2.
    """
    from scipy.special import ndtr, stdtrit  # slow to import, and only needed once all is played

    tail = ndtr(-np.sqrt(blocks / (blocks - 1)) * stdtrit(blocks - 1, 0.975))
    low, high = np.full((2, resampled.shape[1]), np.nan)
    known = ~np.isnan(resampled).all(axis=0)
    if known.any():
        low[known], high[known] = np.nanquantile(resampled[:, known], (tail, 1 - tail), axis=0)
    return low, high


def ranks(resampled: Array) -> NDArray[np.int64]:
    """The rank of each column in each draw, 1 for the largest mean; ties share the better rank."""
    known = np.where(np.isnan(resampled), -np.inf, resampled)
    above = known[:, None, :] > known[:, :, None]
    return np.asarray(above.sum(axis=2) + 1)
