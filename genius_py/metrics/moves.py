"""How a party moved from offer to offer: the shares of the six kinds of moves.

Hindriks, Jonker & Tykhonov (2007), "Negotiation dynamics: analysis, concession tactics, and
outcomes", IAT 2007. Utilities are the true ones; the opponent's is the mean of all others' where
there are several. With ``tolerance`` (default 1e-9) changes up to it count as none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from genius_py.analysis.process import Move, move_shares, moves
from genius_py.metrics._offers import NOISE, offers_by_party
from genius_py.metrics.base import OutcomeMetric
from genius_py.outcome import Outcome

__all__ = [
    "ConcessionMoves",
    "FortunateMoves",
    "NiceMoves",
    "SelfishMoves",
    "SilentMoves",
    "UnfortunateMoves",
]


class _MoveShare(OutcomeMetric):
    settings = ("tolerance",)
    kind: ClassVar[Move]

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """The share of this kind among the moves of each party; NaN below two offers."""
        tolerance = self.config.get("tolerance", NOISE)
        return {
            party: move_shares(moves(made.own, made.others, tolerance=tolerance))[self.kind]
            for party, made in offers_by_party(outcome).items()
        }


class ConcessionMoves(_MoveShare):
    """The share of a party's moves that cost it utility and did not hurt its opponent."""

    name = "concession_moves"
    kind = Move.CONCESSION


class SelfishMoves(_MoveShare):
    """The share of a party's moves that were better for it and not for its opponent."""

    name = "selfish_moves"
    kind = Move.SELFISH


class FortunateMoves(_MoveShare):
    """The share of a party's moves that were better for both."""

    name = "fortunate_moves"
    kind = Move.FORTUNATE


class UnfortunateMoves(_MoveShare):
    """The share of a party's moves that hurt its opponent and did itself no good.

    It tells how well the party understands what its opponent wants.
    """

    name = "unfortunate_moves"
    aliases = ("unfortunate_move_rate",)
    kind = Move.UNFORTUNATE


class NiceMoves(_MoveShare):
    """The share of a party's moves that were better for its opponent and cost it nothing."""

    name = "nice_moves"
    kind = Move.NICE


class SilentMoves(_MoveShare):
    """The share of a party's moves that changed nobody's utility."""

    name = "silent_moves"
    kind = Move.SILENT
