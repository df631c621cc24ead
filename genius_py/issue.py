"""What is negotiated about: issues and the values they can take."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Protocol, TypeAlias

import attrs

from genius_py.errors import DomainError, InvalidBid

__all__ = ["DiscreteIssue", "IntegerIssue", "Issue", "RealIssue", "TextIssue", "Value"]

Value: TypeAlias = str | int | float

_LARGEST = 10**300
"""Of the bounds of integer issues; evaluations compute with floats, which go to about 10^308."""

REAL_STEPS = 21
"""Points of a real issue when it is listed, both bounds included (as in Genius)."""


class Issue(Protocol):
    """One issue of a domain.

    `size` is the number of values counted when outcomes are listed (a real issue counts its
    grid of 21 points, although any value between the bounds can be offered).
    """

    @property
    def name(self) -> str:
        """How the issue is called; unique in its domain."""
        ...

    @property
    def size(self) -> int:
        """Number of values of the listing."""
        ...

    def value_at(self, position: int) -> Value:
        """The value at a place of the listing, counted from 0."""
        ...

    def position(self, value: Value) -> int:
        """The place of a value in the listing; `InvalidBid` when it is not listed."""
        ...

    def check(self, value: object) -> Value:
        """The value in its canonical type; `InvalidBid` when the issue cannot take it."""
        ...


def _named(instance: object, attribute: object, name: str) -> None:
    if not isinstance(name, str) or not name:
        raise DomainError("An issue needs a name: give it a text of at least one character.")


def _as_texts(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


@attrs.frozen
class DiscreteIssue:
    """An issue whose values are listed one by one, in the order of the file.

    A value may be listed twice, as Genius allows; it then counts twice in the listing and its
    position is the first one. No values at all is possible too: such a domain has no outcome.
    """

    name: str = attrs.field(validator=_named)
    values: tuple[str, ...] = attrs.field(converter=_as_texts)
    _positions: dict[str, int] = attrs.field(init=False, eq=False, repr=False)
    _trimmed: dict[str, str] = attrs.field(init=False, eq=False, repr=False)

    @values.validator  # pyright: ignore[reportAttributeAccessIssue]
    def _values_are_distinguishable(self, attribute: object, values: tuple[str, ...]) -> None:
        spellings: dict[str, str] = {}
        for value in values:
            if not isinstance(value, str):
                raise DomainError(
                    f"Issue {self.name!r}: value {value!r} is not a text; quote it, "
                    f"or make the issue an integer or real one."
                )
            known = spellings.setdefault(value.strip(), value)
            if known != value:
                raise DomainError(
                    f"Issue {self.name!r}: values {known!r} and {value!r} differ only by blanks; "
                    f"rename one."
                )

    def __attrs_post_init__(self) -> None:
        positions = {value: i for i, value in reversed(tuple(enumerate(self.values)))}
        object.__setattr__(self, "_positions", positions)
        trimmed = {value.strip(): value for value in self.values}
        object.__setattr__(self, "_trimmed", trimmed)

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self.values)

    def value_at(self, position: int) -> str:
        """The value at a place of the list, counted from 0."""
        if position < 0:
            raise IndexError(position)
        return self.values[position]

    def position(self, value: Value) -> int:
        """The first place of a value in the list; `InvalidBid` when it is not there."""
        try:
            return self._positions[value]  # type: ignore[index]
        except KeyError:
            raise InvalidBid(_not_a_value(self, value)) from None

    def check(self, value: object) -> str:
        """The value, when it is one of the list (blanks around it are forgiven)."""
        known = self.spelled(value) if isinstance(value, str) else None
        if known is None:
            raise InvalidBid(_not_a_value(self, value))
        return known

    def spelled(self, text: str) -> str | None:
        """The value that a text names, whatever blanks are around it; None when it names none."""
        return text if text in self._positions else self._trimmed.get(text.strip())

    def __str__(self) -> str:
        return f"{self.name}: {' | '.join(self.values)}"


@attrs.frozen
class IntegerIssue:
    """An issue of whole numbers from `lower` to `upper`, both included."""

    name: str = attrs.field(validator=_named)
    lower: int
    upper: int

    def __attrs_post_init__(self) -> None:
        for bound in (self.lower, self.upper):
            if not isinstance(bound, int) or isinstance(bound, bool):
                raise DomainError(f"Issue {self.name!r}: bound {bound!r} is not a whole number.")
            if abs(bound) > _LARGEST:
                raise DomainError(f"Issue {self.name!r}: a bound has more than 300 digits.")
        if self.upper < self.lower:
            raise DomainError(
                f"Issue {self.name!r}: its upper bound {self.upper} lies below its lower bound "
                f"{self.lower}; swap them."
            )

    @property
    def size(self) -> int:
        """Number of whole numbers in the range."""
        return self.upper - self.lower + 1

    def value_at(self, position: int) -> int:
        """The number at a place of the range, counted from 0."""
        if not 0 <= position < self.size:
            raise IndexError(position)
        return self.lower + position

    def position(self, value: Value) -> int:
        """How far a value lies above the lower bound."""
        return self.check(value) - self.lower

    def check(self, value: object) -> int:
        """The value as an int, when it lies in the range."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        # numpy integers come out of array work; operator.index would also let booleans pass.
        if hasattr(value, "__index__") and not isinstance(value, bool):
            whole = int(value)  # pyright: ignore[reportArgumentType]
            if self.lower <= whole <= self.upper:
                return whole
        raise InvalidBid(_not_a_value(self, value))

    def __str__(self) -> str:
        return f"{self.name}: {self.lower}..{self.upper}"


@attrs.frozen
class RealIssue:
    """An issue of real numbers from `lower` to `upper`, both included.

    Listing it uses 21 evenly spaced points; any number of the range may be offered.
    """

    name: str = attrs.field(validator=_named)
    lower: float = attrs.field(converter=float)
    upper: float = attrs.field(converter=float)

    def __attrs_post_init__(self) -> None:
        if not (math.isfinite(self.lower) and math.isfinite(self.upper)):
            raise DomainError(f"Issue {self.name!r}: its bounds must be finite numbers.")
        if self.upper < self.lower:
            raise DomainError(
                f"Issue {self.name!r}: its upper bound {self.upper} lies below its lower bound "
                f"{self.lower}; swap them."
            )
        if not math.isfinite(self.upper - self.lower):
            raise DomainError(
                f"Issue {self.name!r}: its bounds {self.lower:g} and {self.upper:g} are further "
                f"apart than any number says; narrow them."
            )

    @property
    def size(self) -> int:
        """Points of the listing: always 21."""
        return REAL_STEPS

    def value_at(self, position: int) -> float:
        """The grid point at a place of the listing, counted from 0."""
        if not 0 <= position < REAL_STEPS:
            raise IndexError(position)
        # Same order of operations as Genius's bid iterator, so that the points are bit-equal; only
        # its last one may be a rounding error above the bound.
        step = (self.upper - self.lower) / (REAL_STEPS - 1)
        return min(self.lower + position * step, self.upper)

    def position(self, value: Value) -> int:
        """The grid place of a value; `InvalidBid` when it lies between two points."""
        number = self.check(value)
        width = self.upper - self.lower
        place = round((number - self.lower) / width * (REAL_STEPS - 1)) if width else 0
        if self.value_at(place) != number:
            raise InvalidBid(
                f"Issue {self.name!r}: {number} is not one of its {REAL_STEPS} listed points, "
                f"so a bid with it has no index."
            )
        return place

    def check(self, value: object) -> float:
        """The value as a float, when it lies in the range."""
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        # Compared before it is converted: not every int has a float.
        if is_number and self.lower <= value <= self.upper:  # type: ignore[operator]
            return float(value)  # type: ignore[arg-type]
        raise InvalidBid(_not_a_value(self, value))

    def __str__(self) -> str:
        return f"{self.name}: {self.lower:g}..{self.upper:g}"


@attrs.frozen
class TextIssue:
    """Free text, such as a scope or a deliverable; it cannot be listed and has no index.

    A profile gives it no worth unless its utility is a callable that reads it.
    """

    name: str = attrs.field(validator=_named)
    max_length: int = attrs.field(default=2000, validator=attrs.validators.gt(0))

    @property
    def size(self) -> int:
        """1: the text is not part of the listing."""
        return 1

    def value_at(self, position: int) -> str:
        """The empty text, which stands for it in a listing."""
        if position != 0:
            raise IndexError(position)
        return ""

    def position(self, value: Value) -> int:
        """0 for the empty text; any other is not listed."""
        if value == "":
            return 0
        raise InvalidBid(f"Issue {self.name!r} is free text, so a bid with it has no index.")

    def check(self, value: object) -> str:
        """The text, when it is not longer than allowed."""
        if isinstance(value, str) and len(value) <= self.max_length:
            return value
        raise InvalidBid(_not_a_value(self, value))

    def __str__(self) -> str:
        return f"{self.name}: text"


def _not_a_value(issue: Issue, value: object) -> str:
    possible = str(issue)
    if len(possible) > 500:
        possible = f"{possible[:500]}..."
    return f"{value!r} is not a value of issue {issue.name!r}; possible is {possible}."
