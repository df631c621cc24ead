"""A trader whose demands shrink with time."""

from __future__ import annotations

from typing import ClassVar

from genius_py.errors import OptionError
from genius_py.parties.trading_party import TradingParty
from genius_py.strategies.time_dependent import target_utility

__all__ = ["Trader"]


class Trader(TradingParty):
    """Trades services: concedes from its best price to its reservation price as time passes.

    The curve is the polynomial family of Faratin, Sierra & Jennings (1998), with the rounds of the
    negotiation as time: in its last turn it has conceded everything.

    Args:
        e: speed of concession, 0 or more; below 1 late, above 1 early, 0 never.
        k: share conceded from the start, in [0, 1].
        disputes: whether it disputes deliveries, to get the work for less.

    Raises:
        OptionError: an option is out of its range.
    """

    name: ClassVar[str] = "trader"

    def __init__(self, e: float = 1.0, k: float = 0.0, disputes: bool = False) -> None:
        super().__init__(disputes)
        if not e >= 0:
            raise OptionError(f"The speed of concession e must be 0 or more, not {e!r}.")
        if not 0 <= k <= 1:
            raise OptionError(f"The first concession k must lie in [0, 1], not {k!r}.")
        self.e, self.k = e, k

    def aspiration(self) -> float:
        """The utility on the curve."""
        return float(target_utility(self.progress, self.e, self.k, self.least, self.most))
