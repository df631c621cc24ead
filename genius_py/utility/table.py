"""Utility from a table: one number for each bid."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Self

import attrs
import numpy as np

from genius_py.bid import Bid
from genius_py.errors import OptionError
from genius_py.issue import RealIssue
from genius_py.utility.base import UtilitySpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TableUtilitySpace"]


def _read_only(numbers: object) -> NDArray[np.float64]:
    table = np.array(numbers, dtype=np.float64)
    table.setflags(write=False)
    return table


def _between(issue: RealIssue, value: float) -> list[tuple[int, float]]:
    """The listed points beside a value and the share of each; one point where it is listed."""
    points = [issue.value_at(place) for place in range(issue.size)]
    above = min(bisect_left(points, value), issue.size - 1)
    if points[above] <= value or above == 0:
        return [(above, 1.0)]
    share = (value - points[above - 1]) / (points[above] - points[above - 1])
    return [(above - 1, 1 - share), (above, share)]


@attrs.frozen(kw_only=True)
class TableUtilitySpace(UtilitySpace):
    """The utility of each bid, written down in the order of the bids' index.

    `table` has shape (domain.size,). A real issue counts its 21 listed points; between two of
    them the utility is interpolated linearly.

    Raises:
        OutcomeSpaceTooLarge: the domain cannot be listed.
        OptionError: the table has not one number for each bid.
    """

    table: NDArray[np.float64] = attrs.field(
        converter=_read_only, eq=attrs.cmp_using(eq=np.array_equal), hash=False
    )

    def __attrs_post_init__(self) -> None:
        self.domain.require_listable()
        if self.table.shape != (self.domain.size,):
            raise OptionError(
                f"A table for {self.domain.name} needs one number for each of its "
                f"{self.domain.size} bids; got the shape {self.table.shape}."
            )

    @classmethod
    def of(cls, space: UtilitySpace) -> Self:
        """The table of any space of a listable domain, with its reservation value and discount."""
        return cls(
            domain=space.domain,
            reservation_value=space.reservation_value,
            discount_factor=space.discount_factor,
            table=space.utilities(),
        )

    def _utility(self, bid: Bid) -> float:
        # Corners of the grid cell that the bid lies in, each with its share; mostly just one.
        corners = [(0, 1.0)]
        stride = 1
        for issue, value in zip(self.domain.issues, bid.content, strict=True):
            places = (
                _between(issue, float(value))
                if isinstance(issue, RealIssue)
                else [(issue.position(value), 1.0)]
            )
            corners = [
                (index + place * stride, share * part)
                for index, share in corners
                for place, part in places
            ]
            stride *= issue.size
        return float(sum(self.table[index] * share for index, share in corners))

    def _all_utilities(self) -> NDArray[np.float64]:
        return self.table

    def _utilities(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        # The first issue varies fastest.
        strides = np.cumprod([1, *self.domain.shape[:-1]])
        utilities: NDArray[np.float64] = self.table[positions @ strides]
        return utilities
