"""Deadline sensitivity: what a player lost, or how late it agreed, under pressure of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from genius_py.metrics.base import RegisteredMetric
from genius_py.metrics.record import GameResult, PlayerAction
from genius_py.metrics.terms import Terms, as_share, offers

__all__ = ["DeadlineSensitivityMetric", "SurplusTrend", "surplus_trend"]

_INTEGRATIVE_EXTRA = 0.02
"""What each round before an integrative agreement adds."""


class DeadlineSensitivityMetric(RegisteredMetric):
    """How much the offers that a player got worsened per round, as a share of the first round's.

    Where prices are haggled over: the best surplus over the player's first BATNA that its
    opponents offered in each round, at least 0; then the loss from the first round to the last,
    over the first, over the rounds between. In the platform's other two games it is how late the
    agreement came: (last round - 1) / (rounds seen - 1), 0 without an agreement, and 0.02 more for
    each round before an integrative one. From 0 to 1, or to 100 with ``scale="percent"``.

    This is the platform's earlier definition. The later one only tells whether there was an
    agreement; it is the metric `agreement_flag`.
    """

    name = "deadline_sensitivity"
    settings = ("scale",)

    def calculate(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> Mapping[str, float]:
        """By the kind of game."""
        terms = Terms(game_result)
        if terms.game in ("resource_allocation", "integrative_negotiations"):
            share = _lateness(game_result, actions_history, terms.game)
            return dict.fromkeys(game_result.players, as_share(share, self.config))
        return {
            player: as_share(_loss(_best_surpluses(player, terms, actions_history)), self.config)
            for player in game_result.players
        }


def _best_surpluses(player: str, terms: Terms, actions: Sequence[PlayerAction]) -> list[float]:
    """For each round that was played, the best that the opponents offered; at least 0."""
    best = dict.fromkeys(sorted({action.round_number for action in actions}), 0.0)
    for action in offers(actions):
        if action.player_id != player:
            gain = terms.gain(player, action.action_data, 1)
            best[action.round_number] = max(best[action.round_number], gain or 0.0)
    return list(best.values())


def _loss(best: Sequence[float]) -> float:
    if len(best) < 2 or best[0] <= 0:
        return 0.0
    return max(0.0, (best[0] - best[-1]) / best[0] / (len(best) - 1))


def _lateness(result: GameResult, actions: Sequence[PlayerAction], game: str) -> float:
    rounds = {action.round_number for action in actions}
    agreed = result.game_data.get("agreement_reached", result.success)
    if not agreed or len(rounds) < 2:
        return 0.0
    last = max(rounds)
    extra = _INTEGRATIVE_EXTRA * (last - 1) if game == "integrative_negotiations" else 0.0
    return min(1.0, (last - 1) / (len(rounds) - 1) + extra)


class SurplusTrend(NamedTuple):
    """The straight line through a player's surplus of each round.

    `volatility` is the variance of the changes from round to round, `p_value` that of a slope
    of 0 (two-sided).
    """

    slope: float
    r_squared: float
    volatility: float
    p_value: float


def surplus_trend(surpluses: ArrayLike) -> SurplusTrend:
    """Linear regression of the surplus in rounds 1, 2, ... on the round's number.

    Fewer than two rounds have no trend: (0, 0, 0, 1).

    >>> surplus_trend([300.0, 200.0, 100.0]).slope
    -100.0
    """
    values = np.asarray(surpluses, dtype=np.float64)
    if len(values) < 2:
        return SurplusTrend(0.0, 0.0, 0.0, 1.0)
    rounds = np.arange(1.0, len(values) + 1)
    x, y = rounds - rounds.mean(), values - values.mean()
    slope = float(x @ y / (x @ x))
    total = float(y @ y)
    unexplained = float(np.square(y - slope * x).sum())
    r_squared = max(0.0, 1.0 - unexplained / total) if total > 0 else 0.0
    return SurplusTrend(
        slope, r_squared, float(np.diff(values).var()), _p_value(r_squared, total, len(values) - 2)
    )


def _p_value(r_squared: float, total: float, freedom: int) -> float:
    if total == 0:
        return 1.0
    if freedom == 0 or r_squared >= 1.0:
        return 0.0
    from scipy.special import stdtr  # half a second that no metric needs

    t = np.sqrt(r_squared * freedom / (1.0 - r_squared))
    return float(2.0 * stdtr(freedom, -t))
