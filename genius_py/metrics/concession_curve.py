"""The timing and rigidity of a party's concessions: burstiness and the Concession-Rigidity Index.

Shah, Agarwal, Garg & Heddaya (2025), "LLM Rationalis? Measuring bargaining capabilities of AI
negotiators", arXiv 2512.13063. A party's offers in the order of its turns x = 1, ..., T are fitted
by ``y(x) = d + b tanh(a x - c)``. Burstiness is the steepest slope of that curve, |a| |b|, and the
index is the share of the session in which hardly anything is conceded, 1 - 1.32 / (|a| T): the
bend of a tanh lies between its points of largest curvature, 2 artanh(1 / sqrt 3) / |a| = 1.32 / |a|
turns wide.

Of the paper only its abstract could be read here; model and formulas are taken from two later
publications that cite it. They differ in how y and x are scaled before burstiness is computed. Here
y is the share of the party's own range of offers that it has conceded, in [0, 1], and x counts its
own turns, so that burstiness is the largest share that it gave away in one turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.metrics._offers import NOISE, offers_by_party
from genius_py.metrics.base import UNDEFINED, OutcomeMetric
from genius_py.outcome import Outcome

__all__ = ["Burstiness", "ConcessionCurve", "ConcessionRigidity", "fit_concession_curve"]

_FEWEST = 4
"""Four parameters need as many offers."""


@attrs.frozen
class ConcessionCurve:
    """``y(x) = d + b tanh(a x - c)`` over the party's turns x = 1, ..., `turns`.

    `rmse` is the root mean square of what the curve leaves unexplained, in shares of the range of
    the offers; where it is large, the offers are no such curve.
    """

    a: float
    b: float
    c: float
    d: float
    turns: int
    rmse: float

    @property
    def burstiness(self) -> float:
        """The steepest slope, in shares of the range per turn."""
        return abs(self.a) * abs(self.b)

    @property
    def rigidity(self) -> float:
        """The Concession-Rigidity Index, in [0, 1]: 1 is all at once, 0 is evenly throughout."""
        width = 2.0 * math.atanh(1.0 / math.sqrt(3.0)) / max(abs(self.a), 1e-12)
        return min(1.0, max(0.0, 1.0 - width / self.turns))


def fit_concession_curve(own: ArrayLike) -> ConcessionCurve | None:
    """The curve through the own utilities of a party's offers, shape (n_offers,), in order.

    None below four offers, and for a party that always asked for the same: neither has a curve.
    """
    utilities = np.asarray(own, dtype=np.float64)
    if len(utilities) < _FEWEST or np.ptp(utilities) <= NOISE:
        return None
    turns = np.arange(1.0, len(utilities) + 1)
    conceded = (utilities.max() - utilities) / np.ptp(utilities)
    a, b, c, d = _best_fit(turns, conceded)
    residuals = d + b * np.tanh(a * turns - c) - conceded
    rmse = float(np.sqrt(np.square(residuals).mean()))
    return ConcessionCurve(a, b, c, d, len(utilities), rmse)


def _best_fit(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, ...]:
    from scipy.optimize import least_squares  # slow to import, and only curves need it

    def residuals(p: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b, c, d = p
        return np.asarray(d + b * np.tanh(a * x - c) - y)

    # A bend much wider than the session is a straight line, and x is spaced by 1, so that nothing
    # steeper than this can be told from a step.
    flat, steep = 0.5 / len(x), 8.0
    start = _first_fit(x, y, np.geomspace(2 * flat, steep, 32))
    bounds = ([flat, -10.0, -np.inf, -np.inf], [steep, 10.0, np.inf, np.inf])
    fit = least_squares(residuals, start, bounds=bounds)
    return tuple(float(value) for value in fit.x)


def _first_fit(
    x: NDArray[np.float64], y: NDArray[np.float64], slopes: NDArray[np.float64]
) -> tuple[float, float, float, float]:
    """The best of many curves that bend somewhere in the session, each as wide as may be.

    The fit has many local optima. Where slope and middle are given, it is linear in b and d.
    """
    middles = np.linspace(x[0], x[-1], min(4 * len(x), 200))
    best, found = np.inf, (1.0, 0.0, 0.0, 0.0)
    centred = y - y.mean()
    for a in slopes:
        bends = np.tanh(a * (x - middles[:, None]))
        means = bends.mean(axis=1)
        bends -= means[:, None]
        power = np.square(bends).sum(axis=1)
        heights = np.clip(bends @ centred / np.maximum(power, 1e-12), -9.9, 9.9)
        losses = np.square(heights[:, None] * bends - centred).sum(axis=1)
        k = int(losses.argmin())
        if losses[k] < best:
            best = float(losses[k])
            level = float(y.mean() - heights[k] * means[k])
            found = (float(a) * 0.999, float(heights[k]), float(a * middles[k]), level)
    return found


class Burstiness(OutcomeMetric):
    """The largest share of all that a party conceded which it gave away in a single turn.

    Burstiness of "LLM Rationalis?" (arXiv 2512.13063), from a tanh curve through its offers. 0 for
    a party that conceded nothing, NaN below four offers.
    """

    name = "burstiness"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """|a| |b| of each party's curve."""
        return _of_curves(outcome, lambda curve: curve.burstiness, flat=0.0)


class ConcessionRigidity(OutcomeMetric):
    """The share of a party's turns in which it hardly moved, outside its one bend of concession.

    The Concession-Rigidity Index of "LLM Rationalis?" (arXiv 2512.13063), from a tanh curve through
    its offers. 1 for a party that conceded nothing, NaN below four offers.
    """

    name = "concession_rigidity"
    aliases = ("CRI", "concession_rigidity_index")

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """1 - 1.32 / (|a| T) of each party's curve."""
        return _of_curves(outcome, lambda curve: curve.rigidity, flat=1.0)


def _of_curves(
    outcome: Outcome, number: Callable[[ConcessionCurve], float], *, flat: float
) -> Mapping[str, float]:
    """A number of each party's curve; `flat` is that of a party that conceded nothing."""
    found = {}
    for party, made in offers_by_party(outcome).items():
        curve = fit_concession_curve(made.own)
        if len(made.own) < _FEWEST:
            found[party] = UNDEFINED
        else:
            found[party] = flat if curve is None else number(curve)
    return found
