"""Boulware: a time-dependent tactic that concedes late."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.faratin import TimeDependentParty
from genius_py.strategies.bid_search import Search
from genius_py.strategies.time_dependent import BOULWARE

__all__ = ["Boulware"]


class Boulware(TimeDependentParty):
    """Holds out and concedes shortly before the deadline (e = 0.2).

    Faratin, Sierra & Jennings (1998); the name is that of a bargaining style without bargaining.
    """

    name: ClassVar[str] = "boulware"

    def __init__(self, e: float = BOULWARE, k: float = 0.0, search: Search = "at_or_above") -> None:
        super().__init__(e, k, search)
