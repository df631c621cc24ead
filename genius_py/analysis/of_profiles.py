"""The Pareto frontier of any profiles, each kind by the way that is exact for it.

Bids that can be listed are; sums over the issues and hyper-rectangles are merged issue by issue,
whatever the size of the domain; of the rest some bids are looked at. A real issue counts with its
21 listed points, and a whole number of more than 131,072 values with some 10,000 of them; where
that is all there is to choose, points of the zone of possible agreement are added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.boxes import BoxProfiles, box_frontier
from genius_py.analysis.frontier import Frontier
from genius_py.analysis.minkowski import additive_frontier
from genius_py.analysis.pareto import efficient
from genius_py.analysis.points import as_points
from genius_py.analysis.sampling import sampled_frontier
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import OutcomeSpaceTooLarge
from genius_py.issue import IntegerIssue, Issue, RealIssue, TextIssue, Value
from genius_py.utility import (
    AdditiveUtilitySpace,
    Aggregate,
    CallableUtilitySpace,
    HyperRectangle,
    HyperRectangleUtilitySpace,
    LinearUtilitySpace,
    UtilitySpace,
)

__all__ = ["FrontierOfBids", "frontier_of"]

FrontierOfBids: TypeAlias = tuple[Frontier, Callable[[int], Bid]]
"""A frontier, and the bid of each of its rows."""

# Listing fewer bids than this costs nothing, and parties of these profiles list them anyway.
_FEW = 50_000
# Combinations that a merge may look at, by the number of parties; more parties take longer.
_COMBINATIONS = {1: 1 << 18, 2: 1 << 18, 3: 1 << 16}
_COMBINATIONS_OF_MANY = 1 << 14
# Bids that are looked at where there is no exact way; calling a function for each takes longer.
_BUDGET, _CALLS = 100_000, 10_000
# Issues of more values than this count with some of them, evenly spread.
_WIDE, _GRID = 1 << 17, 10_001
# Values between the reservation values of a price.
_STEPS = 1000


def frontier_of(
    profiles: Sequence[UtilitySpace], rng: np.random.Generator | None = None
) -> FrontierOfBids:
    """The frontier of the profiles of one domain, one for each party, with its bids.

    It is exact wherever there is a way to that (see the module); else `Frontier.error` is the
    bound, or infinite. Chance has a part in bids that are looked at only where nothing else helps;
    without `rng` it is the same in each call.

    Raises:
        ProfileError: a profile does not say what some bid is worth, or not as a finite number.
        OutcomeSpaceTooLarge: worths depend on free text, or on numbers beyond 64 bits.
    """
    domain = profiles[0].domain
    open_issues = [issue for issue in domain.issues if issue.size != 1]
    if len(open_issues) == 1 and _is_a_price(open_issues[0]) and not _reads_text(profiles):
        return _of_price(profiles, open_issues[0])
    found = None
    if domain.size > _FEW or not domain.is_listable:
        found = _of_sums(profiles) or _of_boxes(profiles)
    if domain.is_listable and (found is None or not found[0].complete):
        return _of_list(profiles)
    return found or _of_sample(profiles, rng or np.random.default_rng(0))


def _of_list(profiles: Sequence[UtilitySpace]) -> FrontierOfBids:
    """All bids."""
    domain = profiles[0].domain
    points = as_points(np.column_stack([space.utilities() for space in profiles]))
    kept = efficient(points)
    frontier = Frontier(points[kept], kept, len(points))
    return frontier, lambda row: domain.bid_at(int(kept[row]))


def _of_price(profiles: Sequence[UtilitySpace], issue: Issue) -> FrontierOfBids:
    """Of a number that is all there is to choose: a grid, and a fine one where all would agree."""
    domain = profiles[0].domain
    place = domain.issue_position(issue.name)
    assert isinstance(issue, (IntegerIssue, RealIssue))
    values = {issue.value_at(i) for i in _grid(issue)}
    linear = [
        space
        for space in profiles
        if isinstance(space, LinearUtilitySpace)
        and space.coefficients[place]
        and math.isfinite(space.reservation_value)
    ]
    if len(linear) == len(profiles):
        # Only here lies the zone of possible agreement, which may be narrower than the grid.
        limits = [
            (space.reservation_value * space.scale - space.constant) / space.coefficients[place]
            for space in linear
        ]
        between = np.linspace(min(limits), max(limits), _STEPS + 1).tolist()
        if isinstance(issue, IntegerIssue):
            between = map(round, between)
        values.update(value for value in between if issue.lower <= value <= issue.upper)
    rest = {other.name: other.value_at(0) for other in domain.issues}
    bids = [domain.bid({**rest, issue.name: value}) for value in sorted(values)]
    points = as_points(np.column_stack([space.utilities(bids) for space in profiles]))
    kept = efficient(points)
    error = 0.0
    if isinstance(issue, IntegerIssue):
        is_monotone = all(map(_is_sum, profiles))
        error = float(np.abs(np.diff(points, axis=0)).max()) if is_monotone else math.inf
    return Frontier(points[kept], kept, len(bids), error), lambda row: bids[kept[row]]


def _of_sums(profiles: Sequence[UtilitySpace]) -> FrontierOfBids | None:
    """Of additive and linear profiles, from what each value adds to everybody's utility."""
    if not all(map(_is_sum, profiles)):
        return None
    domain = profiles[0].domain
    grids = [_grid(issue) for issue in domain.issues]
    contributions = [
        np.column_stack([_parts(space, place, values) for space in profiles])
        for place, values in enumerate(
            [issue.value_at(i) for i in grid]
            for issue, grid in zip(domain.issues, grids, strict=True)
        )
    ]
    contributions[0] = contributions[0] + [_constant(space) for space in profiles]
    is_capped = [isinstance(space, AdditiveUtilitySpace) for space in profiles]
    factors = AdditiveFactors(contributions, cap=1.0 if all(is_capped) else None)
    limit = _COMBINATIONS.get(len(profiles), _COMBINATIONS_OF_MANY)
    if domain.is_listable:
        limit = max(limit, domain.size)  # listing would cost no less
    frontier = additive_frontier(factors, limit=limit)
    if any(is_capped) and not all(is_capped):
        points = np.minimum(frontier.points, np.where(is_capped, 1.0, np.inf))
        kept = efficient(points)
        frontier = attrs.evolve(frontier, points=points[kept], bids=frontier.bids[kept])
    # A value that is left out of a wide issue lies between two that are not, for everybody.
    between = sum(
        float(np.abs(np.diff(added, axis=0)).max())
        for added, grid, issue in zip(contributions, grids, domain.issues, strict=True)
        if len(grid) < issue.size
    )
    frontier = attrs.evolve(frontier, error=frontier.error + between)
    return frontier, lambda row: _bid(domain, grids, frontier.bids[row])


def _of_boxes(profiles: Sequence[UtilitySpace]) -> FrontierOfBids | None:
    """Of hyper-rectangles that are added up."""
    spaces = [space for space in profiles if isinstance(space, HyperRectangleUtilitySpace)]
    domain = profiles[0].domain
    widest = max(domain.shape)
    if len(spaces) < len(profiles) or widest > np.iinfo(np.int64).max:
        return None
    lower, upper, worth, excludes = [], [], [], []
    for party, space in enumerate(spaces):
        if not (_is_added_up(space.aggregate) and space.max_utility > 0):
            return None
        for box, weight in _boxes(space.aggregate):
            bounds = [_bounds(box, issue) for issue in domain.issues]
            lower.append([low for low, _ in bounds])
            upper.append([high for _, high in bounds])
            worth.append([weight * (party == column) for column in range(len(spaces))])
            excludes.append(box.excludes)
    if not worth:
        return None
    divisors = [space.max_utility for space in spaces]
    frontier = box_frontier(BoxProfiles(domain.shape, lower, upper, worth, excludes, divisors))
    grids = [range(size) for size in domain.shape]
    return frontier, lambda row: _bid(domain, grids, frontier.bids[row])


def _of_sample(profiles: Sequence[UtilitySpace], rng: np.random.Generator) -> FrontierOfBids:
    """Of whatever can be asked what a bid is worth."""
    domain = profiles[0].domain
    if _reads_text(profiles):
        raise OutcomeSpaceTooLarge(
            f"Domain {domain.name!r} has free text of which the worth depends; "
            "its bids cannot be looked at."
        )
    grids = [_grid(issue) for issue in domain.issues]
    if any(grid[-1] > np.iinfo(np.int64).max for grid in grids):
        raise OutcomeSpaceTooLarge(
            f"Domain {domain.name!r} has an issue of more values than a 64-bit number can count; "
            "narrow it, or use profiles that are sums over the issues."
        )
    places = [np.asarray(grid, dtype=np.int64) for grid in grids]

    def worth(bids: NDArray[np.intp]) -> NDArray[np.float64]:
        positions = np.column_stack(
            [grid[column] for grid, column in zip(places, bids.T, strict=True)]
        )
        return np.column_stack([space.utilities_at(positions) for space in profiles])

    budget = _CALLS if any(map(_is_called, profiles)) else _BUDGET
    frontier = sampled_frontier(worth, [len(grid) for grid in grids], rng, budget=budget)
    if any(len(grid) < issue.size for grid, issue in zip(grids, domain.issues, strict=True)):
        frontier = attrs.evolve(frontier, error=math.inf)
    return frontier, lambda row: _bid(domain, grids, frontier.bids[row])


def _is_called(space: UtilitySpace) -> bool:
    return isinstance(space, CallableUtilitySpace)


def _reads_text(profiles: Sequence[UtilitySpace]) -> bool:
    """Whether a worth may depend on free text."""
    has_text = any(isinstance(issue, TextIssue) for issue in profiles[0].domain.issues)
    return has_text and any(map(_is_called, profiles))


def _is_a_price(issue: Issue) -> bool:
    """Whether it is a number of more values than are looked at."""
    return isinstance(issue, RealIssue) or (isinstance(issue, IntegerIssue) and issue.size > _WIDE)


def _grid(issue: Issue) -> Sequence[int]:
    """The places of an issue's values, or of some."""
    if not isinstance(issue, IntegerIssue) or issue.size <= _WIDE:
        return range(issue.size)
    return [i * (issue.size - 1) // (_GRID - 1) for i in range(_GRID)]


def _bid(domain: Domain, grids: Sequence[Sequence[int]], places: NDArray[np.intp]) -> Bid:
    values = zip(domain.issues, grids, places.tolist(), strict=True)
    return Bid(domain, tuple(issue.value_at(grid[place]) for issue, grid, place in values))


def _is_sum(space: UtilitySpace) -> bool:
    """Whether it is a sum over the issues, for all bids alike."""
    return isinstance(space, AdditiveUtilitySpace) or (
        isinstance(space, LinearUtilitySpace) and not space.limits and not space.where
    )


def _parts(space: UtilitySpace, place: int, values: Sequence[Value]) -> list[float]:
    """What each value of an issue adds to the utility of a sum."""
    if isinstance(space, AdditiveUtilitySpace):
        return [space.part(place, value) for value in values]
    assert isinstance(space, LinearUtilitySpace)
    coefficient = space.coefficients[place]
    if not coefficient:
        return [0.0] * len(values)
    return [coefficient * float(value) / space.scale for value in values]


def _constant(space: UtilitySpace) -> float:
    return space.constant / space.scale if isinstance(space, LinearUtilitySpace) else 0.0


def _is_added_up(aggregate: Aggregate) -> bool:
    """Whether it is sums all the way down."""
    return aggregate.aggregation == "sum" and all(map(_is_added_up, aggregate.nested))


def _boxes(aggregate: Aggregate, weight: float = 1.0) -> Iterator[tuple[HyperRectangle, float]]:
    """Each box of a sum, with what it adds."""
    for box in aggregate.boxes:
        yield box, box.utility * box.weight * weight
    for nested in aggregate.nested:
        yield from _boxes(nested, weight * nested.weight)


def _bounds(box: HyperRectangle, issue: Issue) -> tuple[int, int]:
    """The first and the last place of an issue's values that are inside a box."""
    if issue.name not in box.bounds:
        return 0, issue.size - 1
    assert isinstance(issue, IntegerIssue)
    low, high = box.bounds[issue.name]
    # Cut to the issue, so that no bound is too large for an array.
    return min(max(low - issue.lower, 0), issue.size), max(min(high, issue.upper) - issue.lower, -1)
