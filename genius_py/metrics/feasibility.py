"""Feasibility: whether an agreement is one that the player could want."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from genius_py.metrics.base import RegisteredMetric
from genius_py.metrics.record import GameResult, PlayerAction
from genius_py.metrics.terms import Terms, as_share

__all__ = ["FeasibilityMetric"]


class FeasibilityMetric(RegisteredMetric):
    """1 when the agreement is no worse for the player than its BATNA of that round, else 0.

    0 without an agreement and in games that are not known. BATNAs decay as the game's own
    configuration says; a player whose BATNA is not known has none to fall short of. An
    integrative agreement must keep the game's constraints too. 100 with ``scale="percent"``.
    """

    name = "feasibility"
    settings = ("scale",)

    def calculate(
        self, game_result: GameResult, actions_history: Sequence[PlayerAction]
    ) -> Mapping[str, float]:
        """Compare the agreed price, or the final utility, with the decayed BATNA."""
        terms, state = Terms(game_result), game_result.game_data
        agreed = state.get("agreement_reached", game_result.success) and terms.is_known
        if terms.game == "integrative_negotiations" and not state.get("constraints_met", True):
            agreed = False
        return {
            player: as_share(
                1.0 if agreed and _is_enough(player, terms, game_result) else 0.0, self.config
            )
            for player in game_result.players
        }


def _is_enough(player: str, terms: Terms, result: GameResult) -> bool:
    state: Mapping[str, Any] = result.game_data
    last = int(state.get("current_round", result.total_rounds) or 1)
    batna = terms.batna(player, last)
    if batna is None:
        return True
    if terms.game == "company_car":
        gain = terms.gain(player, {"price": state.get("agreed_price")}, last)
        return gain is not None and gain >= 0
    final = result.final_scores.get(player)
    return final is not None and final >= batna - 1e-9 * max(1.0, abs(batna))
