"""Ranked values with constraints that make an issue, or the whole bid, worth nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, get_args

import attrs
import numpy as np

from genius_py.bid import Bid
from genius_py.domain import LISTABLE
from genius_py.errors import OptionError, ProfileError
from genius_py.issue import Issue, RealIssue, TextIssue
from genius_py.read_only import ReadOnly
from genius_py.utility.base import UtilitySpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Condition", "Constraint", "ConstraintUtilitySpace", "Total"]

Test = Literal["is", "contains", "lacks", "positive", "negative", "not positive", "not negative"]


def _as_texts(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


@attrs.frozen
class Condition:
    """A claim about the value of one issue.

    `is`, `contains` and `lacks` compare the value, as text, with any of `texts`; the other tests
    take it as a whole number.
    """

    issue: str
    test: Test = attrs.field(validator=attrs.validators.in_(get_args(Test)))
    texts: tuple[str, ...] = attrs.field(default=(), converter=_as_texts)

    def listed(self, issue: Issue) -> NDArray[np.bool_]:
        """Whether it holds for each listed value of its issue, shape (issue.size,)."""
        match self.test:
            case "positive":
                return _numbers(issue) > 0
            case "negative":
                return _numbers(issue) < 0
            case "not positive":
                return _numbers(issue) <= 0
            case "not negative":
                return _numbers(issue) >= 0
            case "is":
                return np.array([value in self.texts for value in _texts(issue)], dtype=bool)
        contains = [any(text in value for text in self.texts) for value in _texts(issue)]
        return np.array(contains, dtype=bool) ^ (self.test == "lacks")


@attrs.frozen
class Total:
    """The claim that the values of some issues, as whole numbers, add up to lower .. upper."""

    issues: tuple[str, ...] = attrs.field(converter=_as_texts)
    lower: int
    upper: int


def _as_conditions(given: Iterable[Condition]) -> tuple[Condition, ...]:
    return tuple(given)


@attrs.frozen
class Constraint:
    """Fires when all its conditions hold, and the total if there is one.

    `issue` is the one that is then worth 0; None means the whole bid.
    """

    issue: str | None
    conditions: tuple[Condition, ...] = attrs.field(default=(), converter=_as_conditions)
    total: Total | None = None

    def issues(self) -> Iterator[str]:
        """Every issue that it looks at or makes worthless."""
        if self.issue is not None:
            yield self.issue
        for condition in self.conditions:
            yield condition.issue
        if self.total is not None:
            yield from self.total.issues


def _as_ranks(given: Mapping[str, Mapping[str, int]]) -> Mapping[str, Mapping[str, int]]:
    return ReadOnly({issue: ReadOnly(ranks) for issue, ranks in given.items()})


def _as_constraints(given: Iterable[Constraint]) -> tuple[Constraint, ...]:
    return tuple(given)


@attrs.frozen(kw_only=True)
class ConstraintUtilitySpace(UtilitySpace):
    """The mean over the ranked issues of ``rank / highest rank`` of the value.

    Genius's constraint space: an issue is worth 0 where one of its constraints fires, and a bid
    where one for the whole bid does. `ranks` maps an issue to the rank of each value (as text);
    issues that are not ranked count for nothing.

    Raises:
        OptionError: nothing is ranked; an issue is not of the domain or cannot be listed; or a
            value that is taken as a number is none.
    """

    ranks: Mapping[str, Mapping[str, int]] = attrs.field(converter=_as_ranks, hash=False)
    constraints: tuple[Constraint, ...] = attrs.field(default=(), converter=_as_constraints)

    def __attrs_post_init__(self) -> None:
        if not self.ranks:
            raise OptionError("A constraint profile needs the ranks of at least one issue.")
        listed = {
            issue.name
            for issue in self.domain.issues
            if not isinstance(issue, (RealIssue, TextIssue)) and issue.size <= LISTABLE
        }
        named = [*self.ranks, *(name for fired in self.constraints for name in fired.issues())]
        for name in named:
            if name not in listed:
                raise OptionError(
                    f"The profile ranks or constrains {name!r}, which is not an issue of "
                    f"{self.domain.name} whose values can be listed."
                )
        self.keep("compiled", self._compiled)

    @property
    def complaint(self) -> str:
        """Names the first value of a ranked issue that has no rank."""
        for name, ranks in self.ranks.items():
            for value in _texts(self.domain.issues[self.domain.issue_position(name)]):
                if value not in ranks:
                    return f"issue {name!r}: the value {value!r} has no rank"
        return ""

    def _utility(self, bid: Bid) -> float:
        issues = self.domain.issues
        row = [
            0 if isinstance(issue, (RealIssue, TextIssue)) else issue.position(value)
            for issue, value in zip(issues, bid.content, strict=True)
        ]
        return float(self._utilities(np.array([row]))[0])

    def _utilities(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        worths, fired = self.keep("compiled", self._compiled)
        total = np.zeros(len(positions))
        for name, (column, worth) in worths.items():
            values = worth[positions[:, column]]
            for constraint in fired.get(name, ()):
                values = np.where(constraint.fires(positions), 0.0, values)
            total += values
        total /= len(worths)
        for constraint in fired.get(None, ()):
            total = np.where(constraint.fires(positions), 0.0, total)
        if np.isnan(total).any():
            raise ProfileError(f"The profile is incomplete: {self.complaint}.")
        return total

    def _compiled(
        self,
    ) -> tuple[dict[str, tuple[int, NDArray[np.float64]]], dict[str | None, list[_Tables]]]:
        """What each ranked value is worth (NaN: no rank), and the constraints of each issue."""
        domain = self.domain
        worths = {}
        for name, ranks in self.ranks.items():
            column = domain.issue_position(name)
            top = float(max(ranks.values(), default=0))
            texts = _texts(domain.issues[column])
            listed = np.array([ranks.get(value, np.nan) for value in texts], dtype=np.float64)
            worths[name] = column, listed / top if top > 0 else listed * 0.0
        fired: dict[str | None, list[_Tables]] = {}
        for constraint in self.constraints:
            fired.setdefault(constraint.issue, []).append(_Tables.of(constraint, self))
        return worths, fired


@attrs.frozen
class _Tables:
    """A constraint as arrays over the listed values of the issues that it looks at."""

    holds: list[tuple[int, NDArray[np.bool_]]]
    numbers: list[tuple[int, NDArray[np.float64]]]
    total: Total | None

    @classmethod
    def of(cls, constraint: Constraint, space: ConstraintUtilitySpace) -> _Tables:
        places = {name: i for i, name in enumerate(space.domain.issue_names)}
        issues = space.domain.issues
        total = constraint.total
        return cls(
            [(places[c.issue], c.listed(issues[places[c.issue]])) for c in constraint.conditions],
            [(places[n], _numbers(issues[places[n]])) for n in total.issues] if total else [],
            total,
        )

    def fires(self, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each row of value positions, whether the constraint fires."""
        fires = np.ones(len(positions), dtype=bool)
        for column, table in self.holds:
            fires &= table[positions[:, column]]
        if self.total is not None:
            total = np.zeros(len(positions))
            for column, numbers in self.numbers:
                total += numbers[positions[:, column]]
            fires &= (float(self.total.lower) <= total) & (total <= float(self.total.upper))
        return fires


def _texts(issue: Issue) -> list[str]:
    return [str(issue.value_at(i)) for i in range(issue.size)]


def _numbers(issue: Issue) -> NDArray[np.float64]:
    try:
        return np.array([int(text) for text in _texts(issue)], dtype=np.float64)
    except (OverflowError, ValueError):
        raise OptionError(
            f"The profile takes the values of issue {issue.name!r} as whole numbers, "
            f"which not all of them are: {issue}."
        ) from None
