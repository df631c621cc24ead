"""Budget-limited: cannot pay all that the good is worth to it."""

from __future__ import annotations

from typing import ClassVar

from genius_py.errors import OptionError
from genius_py.parties.bidder import Bidder

__all__ = ["BudgetLimited"]


class BudgetLimited(Bidder):
    """Bids its value, but never more than its budget. Who sells has no use for one.

    Args:
        value: see `Bidder`.
        budget: the most that it can pay; half of the highest price unless said.
    """

    name: ClassVar[str] = "budget_limited"
    aliases: ClassVar[tuple[str, ...]] = ("budget",)

    def __init__(self, value: float | None = None, budget: float | None = None) -> None:
        super().__init__(value)
        if budget is not None and budget < 0:
            raise OptionError(f"budget must be 0 or more, not {budget!r}.")
        self._budget = budget

    def choose_target(self, limit: float) -> float:
        """The value, or the budget if that is less."""
        budget = self.awards.highest / 2 if self._budget is None else self._budget
        return limit if self.sells else min(limit, budget)
