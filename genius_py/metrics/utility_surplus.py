"""Utility surplus: what an agreement brought beyond the alternative."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from genius_py.metrics.base import RegisteredMetric
from genius_py.metrics.record import GameResult, PlayerAction

__all__ = ["UtilitySurplusMetric"]

_logger = logging.getLogger(__name__)


class UtilitySurplusMetric(RegisteredMetric):
    """Each player's utility from the agreement, less what its BATNA was worth when it was made.

    In units of utility; negative where the player should have walked away, 0 for all without an
    agreement. Where the state records no BATNA it is the bare utility, and the log says so.
    """

    name = "utility_surplus"

    def calculate(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> Mapping[str, float]:
        """Final score minus ``batnas_at_agreement``."""
        state = game_result.game_data
        if not state.get("agreement_reached", game_result.success):
            return dict.fromkeys(game_result.players, 0.0)
        batnas = state.get("batnas_at_agreement") or {}
        missing = [player for player in game_result.players if player not in batnas]
        if missing:
            _logger.warning(
                "No BATNA at the agreement is recorded for %s: utility_surplus is the bare utility",
                ", ".join(missing),
            )
        return {
            player: float(game_result.final_scores.get(player, 0.0)) - float(batnas.get(player, 0))
            for player in game_result.players
        }
