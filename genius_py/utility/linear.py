"""Linear utility: a plane over integer and real issues, such as a price."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import attrs
import numpy as np

from genius_py.bid import Bid
from genius_py.domain import LISTABLE, Domain
from genius_py.errors import InvalidBid, OptionError, OutcomeSpaceTooLarge
from genius_py.issue import IntegerIssue, RealIssue, Value
from genius_py.utility.base import UtilitySpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Limit", "LinearUtilitySpace"]


_NOISE = 1e-9


def _coefficients(given: Iterable[float]) -> tuple[float, ...]:
    return tuple(map(float, given))


@attrs.frozen
class Limit:
    """``sum of coefficient * value <= upper``, the coefficients in issue order.

    A sum that is larger by no more than floats err (a billionth) is forgiven.
    """

    coefficients: tuple[float, ...] = attrs.field(converter=_coefficients)
    upper: float = attrs.field(converter=float)

    @property
    def highest(self) -> float:
        """The largest sum that is forgiven."""
        return self.upper + _NOISE * max(1.0, abs(self.upper))


def _limits(given: Iterable[Limit]) -> tuple[Limit, ...]:
    return tuple(given)


def _pairs(
    given: Mapping[str, Value] | Iterable[tuple[str, Value]],
) -> tuple[tuple[str, Value], ...]:
    return tuple(dict(given).items())


@attrs.frozen(kw_only=True)
class LinearUtilitySpace(UtilitySpace):
    """``(constant + sum of coefficient * value) / scale``, neither clipped nor capped.

    `coefficients` stand in issue order; those of discrete and text issues must be 0. `scale` is
    how many of the party's own units (euros, points) make a utility of 1. A bid that breaks one
    of the `limits` cannot be carried out and is worth 0. So is one that has another value than
    `where` (issue -> value) says: it is a deal of others, such as an award to another bidder.

    Raises:
        OptionError: the coefficients do not fit the issues, or the scale is not above 0.
        InvalidBid: `where` names an issue or a value that the domain does not have.
    """

    coefficients: tuple[float, ...] = attrs.field(converter=_coefficients)
    constant: float = attrs.field(default=0.0, converter=float)
    scale: float = attrs.field(default=1.0, converter=float)
    limits: tuple[Limit, ...] = attrs.field(default=(), converter=_limits)
    where: tuple[tuple[str, Value], ...] = attrs.field(default=(), converter=_pairs)

    def __attrs_post_init__(self) -> None:
        if not self.scale > 0:
            raise OptionError(f"The scale of a linear profile must be above 0, not {self.scale}.")
        for coefficients in (self.coefficients, *(limit.coefficients for limit in self.limits)):
            _fit(self.domain, coefficients)
        object.__setattr__(self, "where", _checked(self.domain, dict(self.where)))

    def factors(self) -> list[NDArray[np.float64]]:
        """For each issue, what each listed value contributes; shapes (issue.size,).

        A bid's utility is `constant` / `scale` plus the sum of one entry an issue, unless the bid
        breaks a limit or is not what `where` says.

        Raises:
            OutcomeSpaceTooLarge: an issue has too many values to list.
        """
        return [
            coefficient * _listed(self.domain, place) / self.scale
            for place, coefficient in enumerate(self.coefficients)
        ]

    def _utility(self, bid: Bid) -> float:
        if any(bid[issue] != value for issue, value in self.where):
            return 0.0
        if any(_plane(limit.coefficients, bid) > limit.highest for limit in self.limits):
            return 0.0
        return (self.constant + _plane(self.coefficients, bid)) / self.scale

    def _utilities(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        values = [_values(self.domain, i, column) for i, column in enumerate(positions.T)]
        start = np.zeros(len(positions))

        def plane(coefficients: tuple[float, ...]) -> NDArray[np.float64]:
            # Summed in issue order, as _plane does, so that both give the same bits.
            return sum(
                (c * value for c, value in zip(coefficients, values, strict=True) if c), start
            )

        utilities = (self.constant + plane(self.coefficients)) / self.scale
        for limit in self.limits:
            utilities[plane(limit.coefficients) > limit.highest] = 0.0
        for name, value in self.where:
            place = self.domain.issue_position(name)
            utilities[positions[:, place] != self.domain.issues[place].position(value)] = 0.0
        return utilities


def _fit(domain: Domain, coefficients: tuple[float, ...]) -> None:
    if len(coefficients) != len(domain.issues):
        raise OptionError(
            f"A linear profile of {domain.name} needs {len(domain.issues)} coefficients, "
            f"one an issue; got {len(coefficients)}."
        )
    for issue, coefficient in zip(domain.issues, coefficients, strict=True):
        if coefficient and not isinstance(issue, (IntegerIssue, RealIssue)):
            raise OptionError(
                f"Issue {issue.name!r} has no numbers, so a linear profile cannot weigh it; "
                f"make its coefficient 0."
            )


def _checked(domain: Domain, where: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    """The pairs in issue order, each value in its canonical type."""
    for name in where:
        if name not in domain.issue_names:
            raise InvalidBid(
                f"Domain {domain.name!r} has no issue {name!r}; its issues are "
                f"{', '.join(domain.issue_names)}."
            )
    return tuple(
        (issue.name, issue.check(where[issue.name]))
        for issue in domain.issues
        if issue.name in where
    )


def _plane(coefficients: tuple[float, ...], bid: Bid) -> float:
    total = 0.0
    for coefficient, value in zip(coefficients, bid.content, strict=True):
        if coefficient:
            total += coefficient * float(value)
    return total


def _values(domain: Domain, place: int, positions: NDArray[np.int64]) -> NDArray[np.float64]:
    """The numbers at some positions of an issue; 0 where the issue has no numbers."""
    match domain.issues[place]:
        case IntegerIssue(lower=lower):
            return (positions + lower).astype(np.float64)
        case RealIssue() as issue:
            return np.array([issue.value_at(i) for i in range(issue.size)])[positions]
        case _:
            return np.zeros(len(positions))


def _listed(domain: Domain, place: int) -> NDArray[np.float64]:
    issue = domain.issues[place]
    if issue.size > LISTABLE:
        raise OutcomeSpaceTooLarge(
            f"Issue {issue.name!r} has {issue.size} values, too many to list."
        )
    return _values(domain, place, np.arange(issue.size))
