"""Conceder: a time-dependent tactic that concedes early."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.faratin import TimeDependentParty
from genius_py.strategies.bid_search import Search
from genius_py.strategies.time_dependent import CONCEDER

__all__ = ["Conceder"]


class Conceder(TimeDependentParty):
    """Concedes much at once and little later (e = 2).

    Faratin, Sierra & Jennings (1998).
    """

    name: ClassVar[str] = "conceder"

    def __init__(self, e: float = CONCEDER, k: float = 0.0, search: Search = "at_or_above") -> None:
        super().__init__(e, k, search)
