"""A trader without any strategy, the yardstick of market experiments."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.trading_party import TradingParty

__all__ = ["ZeroIntelligence"]


class ZeroIntelligence(TradingParty):
    """Trades at random, but never at a loss: any price that its reservation allows is as likely.

    The constrained zero-intelligence trader of Gode & Sunder (1993), "Allocative efficiency of
    markets with zero-intelligence traders", Journal of Political Economy 101. It accepts what is
    as good as the price that it has just drawn.
    """

    name: ClassVar[str] = "zero_intelligence"
    aliases: ClassVar[tuple[str, ...]] = ("ZI-C",)

    def aspiration(self) -> float:
        """Drawn anew in every turn."""
        return float(self.rng.uniform(self.least, self.most))
