"""Opponent models: what the opponent's bids tell about its preferences.

A model is a value. `update(bid)` gives the model that has also seen that bid, and
`utilities(bids)` what it believes bids are worth to the opponent. Bids are rows of value
positions, one column an issue in the order of the domain: shape (n_bids, n_issues), and
(n_issues,) for a single one. The issues are listed ones.

Sums run in the order of the issues, one term after the other, as Genius's do; neither `numpy.sum`
nor Python's `sum` (from 3.12 on) adds floats in that way.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable, Sequence
from typing import Protocol, Self, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.errors import StrategyError

__all__ = [
    "HardHeadedFrequencyModel",
    "OpponentModel",
    "ScalableBayesianModel",
    "SmithFrequencyModel",
    "renormalised",
]

Counts: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Positions: TypeAlias = NDArray[np.intp]


class OpponentModel(Protocol):
    """A belief about the opponent's preferences, as a fold over its bids."""

    def update(self, bid: Positions) -> Self:
        """The model after one more bid of the opponent."""
        ...

    def utilities(self, bids: Positions) -> Floats:
        """Estimated utilities for the opponent, shape (n_bids,)."""
        ...


@attrs.frozen(eq=False)
class HardHeadedFrequencyModel:
    """Counts how often values are offered, and weighs issues by how seldom they are changed.

    van Krimpen, Looije & Hajizadeh (2013), "HardHeaded", the winner of ANAC 2011. The first bid
    only says where the opponent started: its values are not counted.
    """

    weights: tuple[float, ...]
    counts: tuple[Counts, ...]
    learning_rate: float = 0.2
    order: tuple[int, ...] = ()
    """Positions of the issues by ascending issue number: the order in which weights are set."""
    last_bid: Positions | None = None

    @classmethod
    def start(
        cls, sizes: Sequence[int], learning_rate: float = 0.2, order: Sequence[int] | None = None
    ) -> Self:
        """Before the first bid. `sizes` has each issue's number of values."""
        return cls(
            weights=(1 / len(sizes),) * len(sizes),
            counts=tuple(np.ones(size, dtype=np.int64) for size in sizes),
            learning_rate=learning_rate,
            order=tuple(range(len(sizes)) if order is None else order),
        )

    def update(self, bid: Positions) -> Self:
        """Reward the issues that kept their values since the last bid, and count the values."""
        if self.last_bid is None:
            return attrs.evolve(self, last_bid=np.array(bid))
        unchanged = bid == self.last_bid
        gain = self.learning_rate / len(self.weights)
        total = 1 + gain * int(unchanged.sum())
        highest = 1 - len(self.weights) * gain / total
        weights = self.weights
        for issue in self.order:
            rewarded = unchanged[issue] and weights[issue] < highest
            weight = (weights[issue] + gain if rewarded else weights[issue]) / total
            weights = renormalised(weights, issue, weight)
        counts = _counted(self.counts, bid)
        return attrs.evolve(self, weights=weights, counts=counts, last_bid=np.array(bid))

    def utilities(self, bids: Positions) -> Floats:
        """Weighted counts, each relative to the highest count of its issue."""
        worth = (
            w * (count / count.max()) for w, count in zip(self.weights, self.counts, strict=True)
        )
        return np.minimum(_additive(worth, bids), 1.0)


def renormalised(weights: Sequence[float], issue: int, weight: float) -> tuple[float, ...]:
    """Set one weight of an additive profile and move all of them until they sum to 1.

    As Genius does, the excess is taken from each weight in proportion to the weight plus 0.05.
    Where that misses the sum by 0.02 or more, the weight set is put back.
    """
    if len(weights) == 1:
        return (1.0,)
    changed = [*weights[:issue], weight, *weights[issue + 1 :]]
    total = _sum(changed)
    excess, shares = total - 1, total + 0.05 * len(changed)
    moved = [max(0.0, w - excess * (w + 0.05) / shares) for w in changed]
    if not 0.98 < _sum(moved) < 1.02:
        moved[issue] = weights[issue]
    return tuple(moved)


@attrs.frozen(eq=False)
class SmithFrequencyModel:
    """Weighs each issue by the share of its most frequent value, and values by their shares.

    van Galen Last (2012), "Agent Smith", ANAC 2010. Before the first bid everything is worth 0.
    """

    counts: tuple[Counts, ...]

    @classmethod
    def start(cls, sizes: Sequence[int]) -> Self:
        """Before the first bid. `sizes` has each issue's number of values."""
        return cls(tuple(np.zeros(size, dtype=np.int64) for size in sizes))

    def update(self, bid: Positions) -> Self:
        """Count the values of the bid."""
        return attrs.evolve(self, counts=_counted(self.counts, bid))

    def utilities(self, bids: Positions) -> Floats:
        """Weighted shares."""
        seen = int(self.counts[0].sum())
        if not seen:
            return np.zeros(len(bids))
        weights = [float(count.max() / seen) for count in self.counts]
        total = _sum(weights)
        return _additive(
            (w / total * (count / seen) for w, count in zip(weights, self.counts, strict=True)),
            bids,
        )


@attrs.frozen(eq=False)
class ScalableBayesianModel:
    """Keeps probabilities of shapes for each issue's weight and evaluation, independently.

    Hindriks & Tykhonov (2008), "Opponent modelling in automated multi-issue negotiation using
    Bayesian learning". The opponent is taken to concede 0.003 of utility with each new bid; a
    bid that it has made before teaches nothing.
    """

    shapes: tuple[Floats, ...]
    """Hypotheses about the evaluation of each issue, shape (n_hypotheses, n_values)."""
    weight_beliefs: tuple[Floats, ...]
    """Probabilities of the weights 0, 0.1, ..., 1 for each issue, shape (11,)."""
    shape_beliefs: tuple[Floats, ...]
    """Probabilities of the shapes of each issue."""
    expected_demand: float = 1.0
    seen: frozenset[tuple[int, ...]] = frozenset()

    @classmethod
    def start(cls, sizes: Sequence[int]) -> Self:
        """Before the first bid. `sizes` has each issue's number of values.

        Raises:
            StrategyError: an issue has more than 1000 values.
        """
        shapes = tuple(_shapes(size) for size in sizes)
        prior = np.array([(1 - (j + 1) / 11) ** 3 for j in range(11)])
        return cls(
            shapes=shapes,
            weight_beliefs=(_normalised(prior),) * len(sizes),
            shape_beliefs=tuple(np.full(len(shape), 1 / len(shape)) for shape in shapes),
        )

    def update(self, bid: Positions) -> Self:
        """Bayes' rule, first for all weights (not at the first bid), then for all evaluations."""
        key = tuple(int(value) for value in bid)
        if key in self.seen:
            return self
        model = self
        if self.seen:
            model = attrs.evolve(model, weight_beliefs=model._weights_after(key))
        return attrs.evolve(
            model,
            shape_beliefs=model._shapes_after(key),
            expected_demand=self.expected_demand - 0.003,
            seen=self.seen | {key},
        )

    def utilities(self, bids: Positions) -> Floats:
        """Expected utilities, stretched so that they span [0, 1] over the whole outcome space."""
        worth = self._worth()
        low, high = _sum(w.min() for w in worth), _sum(w.max() for w in worth)
        if low == high:
            return np.zeros(len(bids))
        return (_additive(worth, bids) - low) / (high - low)

    def _worth(self) -> list[Floats]:
        return [
            weight * evaluation
            for weight, evaluation in zip(self._weights(), self._evaluations(), strict=True)
        ]

    def _weights(self) -> list[float]:
        return [_sum(belief * _WEIGHTS) for belief in self.weight_beliefs]

    def _evaluations(self) -> list[Floats]:
        return [
            np.add.accumulate(belief[:, np.newaxis] * shape)[-1]
            for belief, shape in zip(self.shape_beliefs, self.shapes, strict=True)
        ]

    def _others(self, bid: Sequence[int]) -> list[float]:
        parts = [worth[value] for worth, value in zip(self._worth(), bid, strict=True)]
        return [_sum(parts[:issue] + parts[issue + 1 :]) for issue in range(len(parts))]

    def _weights_after(self, bid: Sequence[int]) -> tuple[Floats, ...]:
        return tuple(
            self._posterior(belief, _WEIGHTS * evaluation[value] + others)
            for belief, evaluation, value, others in zip(
                self.weight_beliefs, self._evaluations(), bid, self._others(bid), strict=True
            )
        )

    def _shapes_after(self, bid: Sequence[int]) -> tuple[Floats, ...]:
        return tuple(
            self._posterior(belief, weight * shape[:, value] + others)
            for belief, weight, shape, value, others in zip(
                self.shape_beliefs,
                self._weights(),
                self.shapes,
                bid,
                self._others(bid),
                strict=True,
            )
        )

    def _posterior(self, prior: Floats, utilities: Floats) -> Floats:
        return _normalised(
            np.array(
                [
                    p * _likelihood((self.expected_demand - u) / self.expected_demand)
                    for p, u in zip(prior.tolist(), utilities.tolist(), strict=True)
                ]
            )
        )


_WEIGHTS = np.arange(11) / 10
_SIGMA = 0.25
_MOST_VALUES = 1000


def _likelihood(deviation: float) -> float:
    peak = 1 / (_SIGMA * math.sqrt(2 * math.pi))
    return peak * math.exp(-(deviation * deviation) / (2 * _SIGMA * _SIGMA))


def _shapes(size: int) -> Floats:
    if size > _MOST_VALUES:
        raise StrategyError(
            f"The Bayesian model keeps a shape for each value of an issue, and {size} values are "
            f"more than the {_MOST_VALUES} it can take; use a frequency model."
        )
    rising = [1000 * j + 1 for j in range(size)]
    shapes = [rising, rising[::-1]]
    for peak in range(1, size - 1):
        up = [1000 * j // peak for j in range(peak)]
        down = [1000 * (size - j - 1) // (size - peak - 1) + 1 for j in range(peak, size)]
        shapes.append(up + down)
    return np.array([np.array(shape) / max(shape) for shape in shapes])


def _normalised(probabilities: Floats) -> Floats:
    return probabilities / _sum(probabilities)


def _counted(counts: Sequence[Counts], bid: Positions) -> tuple[Counts, ...]:
    return tuple(
        count + (np.arange(count.size) == value) for count, value in zip(counts, bid, strict=True)
    )


def _additive(worth: Iterable[Floats], bids: Positions) -> Floats:
    total = np.zeros(len(bids))
    for issue, values in enumerate(worth):
        total = total + values[bids[:, issue]]
    return total


def _sum(numbers: Iterable[float]) -> float:
    return float(functools.reduce(operator.add, numbers, 0.0))
