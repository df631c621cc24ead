"""Linear: a time-dependent tactic that concedes evenly."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.faratin import TimeDependentParty
from genius_py.strategies.bid_search import Search
from genius_py.strategies.time_dependent import LINEAR

__all__ = ["Linear"]


class Linear(TimeDependentParty):
    """Concedes the same amount in each round (e = 1).

    Faratin, Sierra & Jennings (1998).
    """

    name: ClassVar[str] = "linear"

    def __init__(self, e: float = LINEAR, k: float = 0.0, search: Search = "at_or_above") -> None:
        super().__init__(e, k, search)
