"""A provider that underbids whoever is cheapest."""

from __future__ import annotations

from typing import ClassVar

from genius_py.errors import OptionError
from genius_py.parties.trader import Trader

__all__ = ["Undercutter"]


class Undercutter(Trader):
    """Trades as `trader` does, but answers a competitor's better proposal with a better one yet.

    It goes one step beyond the best proposal of the others, and never beyond its reservation
    price. Where it hears of no competitor, as with one provider or sealed proposals, it is a plain
    trader.

    Args:
        step: how much better, as a share of its own range of prices, in (0, 1].
        e: speed of concession, as of `trader`.

    Raises:
        OptionError: an option is out of its range.
    """

    name: ClassVar[str] = "undercutter"

    def __init__(self, step: float = 0.05, e: float = 1.0) -> None:
        super().__init__(e)
        if not 0 < step <= 1:
            raise OptionError(f"The step must lie in (0, 1], not {step!r}.")
        self.step = step

    def aspiration(self) -> float:
        """The trader's, or a step below what the best competitor asks for."""
        own = super().aspiration()
        rivals = [self.on_table[rival] for rival in self.competitors if rival in self.on_table]
        if not rivals:
            return own
        # What would be worth least to it is what the initiator likes best.
        best = min(self.worth(rival.price, rival.scope) for rival in rivals)
        return max(self.least, min(own, best - self.step * (self.most - self.least)))
