"""Non-linear utility: boxes of the outcome space, each worth something to the bids inside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import attrs
import numpy as np

from genius_py.bid import Bid
from genius_py.errors import OptionError
from genius_py.issue import IntegerIssue
from genius_py.read_only import ReadOnly
from genius_py.utility.base import UtilitySpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Aggregate", "HyperRectangle", "HyperRectangleUtilitySpace"]

_BLOCK = 2**16
"""Comparisons made at once: bids times bounds."""

_EMPTY = {"sum": 0.0, "max": -2147483647.0, "min": 2147483647.0}
"""Where each fold begins, which is also what it gives for no parts (as in Genius)."""


def _as_bounds(given: Mapping[str, tuple[int, int]]) -> Mapping[str, tuple[int, int]]:
    return ReadOnly(given)


@attrs.frozen
class HyperRectangle:
    """A box that is worth ``utility * weight`` to the bids inside it, and 0 to the others.

    `bounds` gives an issue's lowest and highest value, both inside; an issue without bounds is
    free. With `excludes` it is the bids *outside* the box that get the worth.
    """

    utility: float = attrs.field(converter=float)
    bounds: Mapping[str, tuple[int, int]] = attrs.field(
        default={}, converter=_as_bounds, hash=False
    )
    excludes: bool = False
    weight: float = attrs.field(default=1.0, converter=float)

    def __attrs_post_init__(self) -> None:
        if self.excludes and not self.bounds:
            raise OptionError("An excluding box needs bounds; outside of everything is no bid.")


def _as_boxes(given: Iterable[HyperRectangle]) -> tuple[HyperRectangle, ...]:
    return tuple(given)


def _as_aggregates(given: Iterable[Aggregate]) -> tuple[Aggregate, ...]:
    return tuple(given)


_LARGEST = 2**62
"""Of the bounds of integer issues, so that they and what lies beside them fit into an array."""


@attrs.frozen
class Aggregate:
    """The sum, minimum or maximum of boxes and of other aggregates.

    `weight` multiplies the result where it is part of another aggregate.
    """

    aggregation: Literal["sum", "min", "max"] = attrs.field(
        validator=attrs.validators.in_(("sum", "min", "max"))
    )
    boxes: tuple[HyperRectangle, ...] = attrs.field(default=(), converter=_as_boxes)
    nested: tuple[Aggregate, ...] = attrs.field(default=(), converter=_as_aggregates)
    weight: float = attrs.field(default=1.0, converter=float)

    def all_boxes(self) -> Iterator[HyperRectangle]:
        """Its own boxes, then those of the nested aggregates."""
        yield from self.boxes
        for aggregate in self.nested:
            yield from aggregate.all_boxes()


def _outermost(aggregate: Aggregate) -> Aggregate:
    return attrs.evolve(aggregate, weight=1.0)


@attrs.frozen(kw_only=True)
class HyperRectangleUtilitySpace(UtilitySpace):
    """``aggregate / max_utility``, capped at 1, over the integer issues of a domain.

    Genius's nonlinear space: there is no lower cap, 0 / 0 is NaN, and the weight of the outermost
    aggregate counts for nothing.

    Raises:
        OptionError: a box bounds an issue that the domain does not have or that is not integer.
    """

    aggregate: Aggregate = attrs.field(converter=_outermost)
    max_utility: float = attrs.field(converter=float)

    def __attrs_post_init__(self) -> None:
        for issue in self.domain.issues:
            if isinstance(issue, IntegerIssue) and max(-issue.lower, issue.upper) >= _LARGEST:
                raise OptionError(
                    f"The bounds of issue {issue.name!r} are too large for a profile of boxes, "
                    f"which goes to {_LARGEST}."
                )
        kinds = {issue.name: type(issue) for issue in self.domain.issues}
        for box in self.aggregate.all_boxes():
            for name in box.bounds:
                if kinds.get(name) is not IntegerIssue:
                    raise OptionError(
                        f"A box of this profile bounds {name!r}, which is not an integer issue of "
                        f"{self.domain.name}; only integer issues can be bounded."
                    )

    def _utility(self, bid: Bid) -> float:
        values = [value if isinstance(value, int) else 0 for value in bid.content]
        return float(self._worth(np.array([values], dtype=np.int64))[0])

    def _utilities(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        lower = [i.lower if isinstance(i, IntegerIssue) else 0 for i in self.domain.issues]
        return self._worth(positions + np.array(lower, dtype=np.int64))

    def _worth(self, values: NDArray[np.int64]) -> NDArray[np.float64]:
        """Utilities of bids given by their values, shape (n, n_issues); 0 for a value of no use."""
        columns, lower, upper, begins, excludes, worth = self.keep("boxes", self._compiled)
        total = np.empty(len(values))
        rows = max(1, _BLOCK // max(1, len(columns)))
        for start in range(0, len(values), rows):
            block = values[start : start + rows].take(columns, axis=1)
            holds = (lower <= block) & (block <= upper)
            inside = np.logical_and.reduceat(holds, begins, axis=1)
            parts = np.where(inside ^ excludes, worth, 0.0)
            total[start : start + rows], _ = _fold(self.aggregate, parts, 0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            total /= self.max_utility
        return np.minimum(total, 1.0, out=total)

    def _compiled(self) -> tuple[NDArray[Any], ...]:
        """All bounds in one row, where in it each box begins, and per box the other two."""
        boxes = list(self.aggregate.all_boxes())
        bounds: list[tuple[int, int, int]] = []
        begins: list[int] = []
        for box in boxes:
            begins.append(len(bounds))
            for name, (low, high) in box.bounds.items():
                column = self.domain.issue_position(name)
                issue = self.domain.issues[column]
                assert isinstance(issue, IntegerIssue)
                # Cut to the range of the issue, so that no bound is too large for an array.
                low = min(max(low, issue.lower), issue.upper + 1)
                high = min(max(high, issue.lower - 1), issue.upper)
                bounds.append((column, low, high))
            if not box.bounds:
                integers = np.iinfo(np.int64)
                bounds.append((0, integers.min, integers.max))  # which holds for all bids
        columns, lower, upper = np.array(bounds, dtype=np.int64).reshape(-1, 3).T
        return (
            columns,
            lower,
            upper,
            np.array(begins, dtype=np.int64),
            np.array([box.excludes for box in boxes], dtype=bool),
            np.array([box.utility * box.weight for box in boxes], dtype=np.float64),
        )


def _fold(
    aggregate: Aggregate, values: NDArray[np.float64], first: int
) -> tuple[NDArray[np.float64], int]:
    """An aggregate's value for each row, and the column after its boxes and the nested ones."""
    last = first + len(aggregate.boxes)
    columns = [np.full((len(values), 1), _EMPTY[aggregate.aggregation]), values[:, first:last]]
    for nested in aggregate.nested:
        column, last = _fold(nested, values, last)
        columns.append(column[:, None] * nested.weight)
    parts = np.concatenate(columns, axis=1)
    match aggregate.aggregation:
        case "sum":
            # Accumulated, not summed: numpy sums in pairs, Genius from first to last.
            return np.add.accumulate(parts, axis=1)[:, -1], last
        case "max":
            return parts.max(axis=1), last
        case "min":
            return parts.min(axis=1), last
