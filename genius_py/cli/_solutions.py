"""The bargaining solutions of an outcome space as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from genius_py.analysis.distance import distance
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.cli import _screen

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["TITLES", "show"]

TITLES: Mapping[str, str] = {
    "nash": "Nash",
    "kalai_smorodinsky": "Kalai-Smorodinsky",
    "egalitarian": "egalitarian",
    "utilitarian": "utilitarian",
    "nash_welfare": "Nash welfare",
}
"""How each solution is called."""

_UNBOUNDED = 1_000_000
"""Wider than any table."""


def show(console: Console, space: OutcomeSpace, outcome: Mapping[str, float] | None = None) -> None:
    """Each party's best bid, the solutions and no agreement, and what they are worth to everybody.

    With an `outcome` (id -> utility) the table tells how far each is from it. Bids that make the
    table too wide for the terminal are left out; the Nash bargaining solution then has its own.
    """
    frontier, profiles = space.frontier, space.profiles
    rows = {
        f"best for {party}": int(frontier[:, place].argmax())
        for place, party in enumerate(profiles)
    }
    for name, row in space.analysis.solutions.items():
        if row is not None:
            rows[TITLES[name]] = row
    far = () if outcome is None else ("from it",)
    got = None if outcome is None else np.array([outcome[party] for party in profiles])
    worths = {what: frontier[row] for what, row in rows.items()}
    worths["no agreement"] = space.analysis.reservation

    def table(has_bids: bool) -> Table:
        figures = (*profiles, *far)
        made = _screen.table("outcome", *figures, *(["bid"] if has_bids else []), right=figures)
        for what, worth in worths.items():
            away = () if got is None else (_screen.number(distance(worth, got)),)
            bid = _screen.bid(space.bid_at(rows[what])) if what in rows else ""
            cells = (*map(_screen.number, worth), *away, *([bid] if has_bids else []))
            made.add_row(what, *cells)
        return made

    whole = table(has_bids=True)
    anywhere = console.options.update(max_width=_UNBOUNDED)
    if console.measure(whole, options=anywhere).maximum <= console.width:
        console.print(whole)
        return
    console.print(table(has_bids=False))
    nash = space.bid_of("nash")
    if nash is not None and outcome is None:
        console.print()
        issues = _screen.table("issue", "Nash")
        for issue, value in nash.items():
            issues.add_row(issue, _screen.value(value))
        console.print(issues)
