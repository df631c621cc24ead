"""Hardliner: a time-dependent tactic that never concedes."""

from __future__ import annotations

from typing import ClassVar

from genius_py.parties.faratin import TimeDependentParty
from genius_py.strategies.bid_search import Search
from genius_py.strategies.time_dependent import HARDLINER

__all__ = ["Hardliner"]


class Hardliner(TimeDependentParty):
    """Asks for its best bid to the end (e = 0).

    It accepts only what is worth as much to it.
    """

    name: ClassVar[str] = "hardliner"

    def __init__(
        self, e: float = HARDLINER, k: float = 0.0, search: Search = "at_or_above"
    ) -> None:
        super().__init__(e, k, search)
