"""Risk minimization: how many of a player's own proposals it could have lived with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from genius_py.metrics.base import RegisteredMetric
from genius_py.metrics.record import GameResult, PlayerAction
from genius_py.metrics.terms import Terms, as_share, offers

__all__ = ["RiskMinimizationMetric"]


class RiskMinimizationMetric(RegisteredMetric):
    """The share of a player's proposals that were no worse for it than its BATNA of that round.

    From 0 to 1, or to 100 with ``scale="percent"``; more is safer. 0 for a player that proposed
    nothing or whose BATNA is not known.
    """

    name = "risk_minimization"
    settings = ("scale",)

    def calculate(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> Mapping[str, float]:
        """Proposals inside the BATNA over all proposals that can be read."""
        terms = Terms(game_result)
        gains: dict[str, list[float]] = {player: [] for player in game_result.players}
        for action in offers(actions_history):
            if action.player_id in gains:
                gain = terms.gain(action.player_id, action.action_data, action.round_number)
                if gain is not None:
                    gains[action.player_id].append(gain)
        return {
            player: as_share(sum(g >= 0 for g in own) / len(own) if own else 0.0, self.config)
            for player, own in gains.items()
        }
