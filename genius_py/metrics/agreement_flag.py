"""Whether there was an agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from genius_py.metrics.base import RegisteredMetric
from genius_py.metrics.record import GameResult, PlayerAction
from genius_py.metrics.terms import as_share

__all__ = ["AgreementFlagMetric"]


class AgreementFlagMetric(RegisteredMetric):
    """1 for every player when there is an agreement, else 0.

    The platform's later code calls this deadline sensitivity. 100 with ``scale="percent"``.
    """

    name = "agreement_flag"
    settings = ("scale",)

    def calculate(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> Mapping[str, float]:
        """The same for all."""
        agreed = game_result.game_data.get("agreement_reached", game_result.success)
        return dict.fromkeys(game_result.players, as_share(1.0 if agreed else 0.0, self.config))
