"""The outcome spaces of a page, each with the bids that its sessions name."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import attrs
import numpy as np

from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.analysis.points import Points
from genius_py.bid import Bid
from genius_py.domain import magnitude
from genius_py.errors import ProfileError
from genius_py.scenario import Scenario
from genius_py.utility import UtilitySpace

__all__ = ["PageSpaces", "thinned"]

_MOST_POINTS = 1_500
_FEW_POINTS, _MANY_SPACES = 250, 16
"""Where there are more spaces than these, each has fewer points."""

_CELLS = 44
"""Points that are nearer to each other than the whole divided by this are drawn as one."""

_SOLUTIONS = ("nash", "kalai_smorodinsky")


@attrs.define(eq=False)
class _Space:
    scenario: Scenario
    roles: tuple[str, ...]
    profiles: list[UtilitySpace]
    bids: list[list[object]] = attrs.field(factory=list)
    places: dict[Bid, int] = attrs.field(factory=dict)
    decides: bool = True


class PageSpaces:
    """Numbers the spaces and bids that it is asked for."""

    def __init__(self) -> None:
        self._spaces: list[_Space] = []
        self._places: dict[Hashable, int] = {}

    def place(self, key: Hashable, scenario: Scenario, roles: Sequence[str]) -> int:
        """The number of the space that has this key; it is made when it has none yet."""
        if key not in self._places:
            self._places[key] = len(self._spaces)
            default = next(iter(scenario.profiles.values()))
            profiles = [scenario.profiles.get(role, default) for role in roles]
            self._spaces.append(_Space(scenario, tuple(roles), profiles))
        return self._places[key]

    def bid(self, place: int, bid: Bid) -> int:
        """The number of a bid of a space."""
        space = self._spaces[place]
        if bid not in space.places:
            space.places[bid] = len(space.bids)
            space.bids.append(
                [*bid.values(), *(_worth(profile, bid) for profile in space.profiles)]
            )
        return space.places[bid]

    def hide_points(self, place: int) -> None:
        """Say that the rules of the game, and not the profiles, decide what an outcome is worth."""
        self._spaces[place].decides = False

    def data(self) -> list[dict[str, object]]:
        """All spaces, as the page reads them."""
        most = _MOST_POINTS if len(self._spaces) <= _MANY_SPACES else _FEW_POINTS
        return [_data(space, most) for space in self._spaces]


def _worth(profile: UtilitySpace, bid: Bid) -> float | None:
    try:
        return profile.utility(bid)
    except ProfileError:
        return None


def _data(space: _Space, most: int) -> dict[str, object]:
    domain = space.scenario.domain
    found = None
    if space.decides:
        found = OutcomeSpace.of({str(n): profile for n, profile in enumerate(space.profiles)})
    told: dict[str, object] = {
        "name": space.scenario.name,
        "roles": space.roles,
        "issues": domain.issue_names,
        # As text: no number of JavaScript's holds 10**40.
        "size": f"{domain.size:,}" if domain.size < 10**9 else magnitude(domain.size),
        "reservation": [profile.reservation_value for profile in space.profiles],
        "bids": space.bids,
        "points": None,
        "is_listed": domain.is_listable,
        "frontier": None,
        "is_exact": True,
        "solutions": {},
    }
    if found is not None:
        cloud = found.cloud(np.random.default_rng(0), most)
        frontier = thinned(found.frontier, most)
        told["points"] = thinned(cloud, most).ravel().tolist()
        told["frontier"] = frontier[np.argsort(frontier[:, 0], kind="stable")].ravel().tolist()
        told["is_exact"] = found.analysis.complete
        solved = {name: found.analysis.solution(name) for name in _SOLUTIONS}
        told["solutions"] = {
            name: point.tolist() for name, point in solved.items() if point is not None
        }
    return told


def thinned(points: Points, most: int) -> Points:
    """At most one point in each cell of a grid, and at most so many; always the same ones."""
    low, high = points.min(axis=0), points.max(axis=0)
    cells = np.round((points - low) / np.where(high > low, high - low, 1.0) * _CELLS)
    _, kept = np.unique(cells, axis=0, return_index=True)
    if len(kept) > most:
        kept = np.random.default_rng(0).choice(kept, size=most, replace=False)
    return points[np.sort(kept)]
