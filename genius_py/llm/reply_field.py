"""A field of a reply: how one value is written, as a schema and in words, and how it is read."""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Iterable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any, Protocol, TypeAlias

import attrs

from genius_py.allowed import BidOf, Constraint, Number, OneOf, Text
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ActionError, InvalidBid
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.llm.reply_text import as_number, key_of

__all__ = [
    "BidField",
    "ChoiceField",
    "Field",
    "NumberField",
    "Schema",
    "TextField",
    "bid_field_of",
    "field_of",
    "issue_field",
    "label_of",
    "object_schema",
]

Schema: TypeAlias = dict[str, Any]
"""A JSON schema."""

_LONGEST_TEXT = 400
"""Characters of a text that a model is asked for; longer ones are allowed, but not requested."""

_WIDEST = 1e9
"""Where a number without bound is bounded, so that a reply ends."""

_STEPS = 1000
"""At least as many values of a real number can be named."""

_LARGEST = 10**18
_FINEST = 10
"""Larger numbers, and more decimals, are beyond what engines can keep a reply to (llguidance even
crashes): of such ranges some values are named, as texts."""

_NAMED = 101

_NEXT_TO_NOTHING = 1e-100
"""A lower bound below this stands for 0 left out, as the least number that a float can be does."""

_WIDE = Context(prec=1000)
"""Holds every float to any decimal that matters."""

_MOST_CHOICES = 200
"""Up to so many values are written out in a prompt."""


class Field(Protocol):
    """One thing to fill in: how it is written, and how it is read."""

    @property
    def schema(self) -> Schema:
        """What may be written."""
        ...

    @property
    def hint(self) -> str:
        """What may be written, for a reader; never a value that could be copied by accident."""
        ...

    def read(self, written: object) -> Any:
        """The value that was meant.

        Raises:
            ActionError: it is none of those possible; the text says which are.
        """
        ...


@attrs.frozen
class ChoiceField:
    """One of some values, named by their labels."""

    choices: Mapping[str, object]
    what: str

    @property
    def schema(self) -> Schema:
        """The labels."""
        return {"enum": list(self.choices)}

    @property
    def hint(self) -> str:
        """All labels, where they are few."""
        shown = list(self.choices)[:_MOST_CHOICES]
        more = ", ..." if len(self.choices) > len(shown) else ""
        return f"one of {', '.join(json.dumps(label, ensure_ascii=False) for label in shown)}{more}"

    def read(self, written: object) -> Any:
        """By the label, whatever its case."""
        text = label_of(written).strip()
        if text in self.choices:
            return self.choices[text]
        near = [label for label in self.choices if label.strip().casefold() == text.casefold()]
        if len(near) == 1:
            return self.choices[near[0]]
        number = as_number(written)
        if number is not None:
            near = [label for label in self.choices if as_number(label) == number]
            if len(near) == 1:
                return self.choices[near[0]]
        raise ActionError(f"gave {written!r} for {self.what}; it must be {self.hint}")


@attrs.frozen
class NumberField:
    """A number in a range, whole or in steps that are fine enough for it."""

    minimum: float
    maximum: float
    integer: bool
    what: str

    @property
    def schema(self) -> Schema:
        """The range; a real number has a last decimal, so that it ends."""
        low, high = self._bounds()
        is_huge = max(abs(low), abs(high)) > _LARGEST
        if self.integer:
            least, most = math.ceil(low), math.floor(high)
            if is_huge:
                steps = range(_NAMED)
                named = [least + (most - least) * step // (_NAMED - 1) for step in steps]
                return {"enum": [str(number) for number in dict.fromkeys(named)]}
            return {"type": "integer", "minimum": least, "maximum": most}
        if low == high:
            return {"const": low}
        decimals = 2
        if self.maximum - self.minimum < math.inf:
            decimals = max(0, -math.floor(math.log10(high - low) - math.log10(_STEPS)))
        if is_huge or decimals > _FINEST:
            shares = (step / (_NAMED - 1) for step in range(_NAMED))
            spread = (low * (1 - share) + high * share for share in shares)
            values = dict.fromkeys(min(high, max(low, value)) for value in spread)
            return {"enum": [repr(value) for value in values]}  # as texts, which end
        # Bounds are rounded inwards: one like 5e-324, just above 0, takes hundreds of digits.
        step = Decimal(1).scaleb(-decimals)
        inner = (
            Decimal(str(low)).quantize(step, ROUND_CEILING, _WIDE),
            Decimal(str(high)).quantize(step, ROUND_FLOOR, _WIDE),
        )
        return {
            "type": "number",
            "minimum": float(inner[0]),
            "maximum": float(inner[1]),
            "multipleOf": float(step),
        }

    def _bounds(self) -> tuple[float, float]:
        low, high = self.minimum, self.maximum
        if math.isinf(low):
            low = min(-_WIDEST, high - _WIDEST) if math.isfinite(high) else -_WIDEST
        if math.isinf(high):
            high = max(_WIDEST, low + _WIDEST)
        return low, high

    @property
    def hint(self) -> str:
        """The range."""
        kind = "a whole number" if self.integer else "a number"
        low, high = self.minimum, self.maximum
        if 0 < low < _NEXT_TO_NOTHING:
            bounds = ["above 0", f"up to {_plain(high)}" if high < math.inf else ""]
        elif low > -math.inf:
            bounds = [f"from {_plain(low)}", f"to {_plain(high)}" if high < math.inf else "up"]
        else:
            bounds = [f"up to {_plain(high)}" if high < math.inf else ""]
        return " ".join(filter(None, [kind, *bounds]))

    def read(self, written: object) -> Any:
        """The number, "3" for 3 and "41,500" for 41500; out of range is refused, not clipped."""
        number = as_number(written)
        if self.integer and isinstance(number, float) and number.is_integer():
            number = int(number)
        possible = Number(self.minimum, self.maximum, self.integer)
        if number is None or not possible.allows(number):
            raise ActionError(f"gave {written!r} for {self.what}; it must be {self.hint}")
        return number if self.integer else float(number)


@attrs.frozen
class TextField:
    """A free text."""

    max_length: int
    what: str
    min_length: int = 0

    @property
    def schema(self) -> Schema:
        """Its length, or less."""
        longest = max(self.min_length, min(self.max_length, _LONGEST_TEXT))
        bounds = {"minLength": self.min_length} if self.min_length else {}
        return {"type": "string", **bounds, "maxLength": longest}

    @property
    def hint(self) -> str:
        """How long it may be."""
        return f"a text of at most {self.max_length} characters"

    def read(self, written: object) -> Any:
        """The text, if its length is right and it is not what the prompt has in its place."""
        is_text = Text(self.max_length, self.min_length).allows(written)
        if not is_text or self.is_copied(written):
            raise ActionError(f"gave {written!r} for {self.what}; it must be {self.hint}")
        return written

    def is_copied(self, written: object) -> bool:
        """Whether it is the hint that stands in a prompt, which small models like to repeat."""
        return isinstance(written, str) and written.strip(" <>.") == self.hint


@attrs.frozen
class OtherField:
    """A field with a rule of the protocol's own making, which can only be tried."""

    rule: Constraint
    what: str

    @property
    def schema(self) -> Schema:
        """Any short text or number."""
        return {
            "anyOf": [
                {"type": "string", "maxLength": _LONGEST_TEXT},
                NumberField(-_WIDEST, _WIDEST, False, self.what).schema,
            ]
        }

    @property
    def hint(self) -> str:
        """The rule's own words."""
        return str(self.rule)

    def read(self, written: object) -> Any:
        """What was written, if the rule takes it."""
        if not self.rule.allows(written):
            raise ActionError(f"gave {written!r} for {self.what}; it must be {self.rule}")
        return written


@attrs.frozen
class BidField:
    """A bid, issue by issue.

    The schema may ask for less than can be read: for `narrowed` issues, or for one of the
    `alternatives`.
    """

    domain: Domain
    issues: Mapping[str, Field]
    narrowed: Mapping[str, Field] = attrs.field(factory=dict)
    alternatives: tuple[Bid, ...] | None = None

    @property
    def schema(self) -> Schema:
        """An object with a value for each issue, in the domain's order."""
        if self.alternatives is None:
            fields = {**self.issues, **self.narrowed}
            return object_schema({name: field.schema for name, field in fields.items()})
        # Bids that differ in their last issue alone share an alternative.
        last = self.domain.issue_names[-1]
        grouped: dict[tuple[Any, ...], list[Any]] = {}
        for bid in self.alternatives:
            grouped.setdefault(bid.content[:-1], []).append(bid.content[-1])
        return {
            "anyOf": [
                object_schema(
                    {
                        name: {"const": value}
                        for name, value in zip(self.domain.issue_names, head, strict=False)
                    }
                    | {last: {"enum": tails}}
                )
                for head, tails in grouped.items()
            ]
        }

    @property
    def hint(self) -> str:
        """What each issue takes."""
        return "; ".join(f"{name}: {field.hint}" for name, field in self.issues.items())

    def read(self, written: object) -> Bid:
        """The bid; nothing is filled in that was not said."""
        if not isinstance(written, Mapping):
            raise ActionError(f"gave {written!r} for the bid; it must be an object")
        keys = {name: key_of(name, written) for name in self.issues}
        missing = [name for name, key in keys.items() if key is None]
        if missing:
            raise ActionError(f"gave a bid without a value for {', '.join(missing)}")
        values = {name: field.read(written[keys[name]]) for name, field in self.issues.items()}
        try:
            return self.domain.bid(values)
        except InvalidBid as error:
            raise ActionError(f"gave an impossible bid: {error}") from error


def field_of(rule: Constraint, what: str) -> Field:
    """How a rule's values are written and read; `what` names the field in complaints."""
    match rule:
        case BidOf(domain=domain):
            return bid_field_of(domain)
        case OneOf(values=values):
            return ChoiceField(_labelled(values), what)
        case Number(minimum=minimum, maximum=maximum, integer=integer):
            return NumberField(minimum, maximum, integer, what)
        case Text(max_length=longest, min_length=shortest):
            return TextField(longest, what, shortest)
        case _:
            return OtherField(rule, what)


def bid_field_of(domain: Domain) -> BidField:
    """Any bid of a domain."""
    return BidField(domain, {issue.name: issue_field(issue) for issue in domain.issues})


def issue_field(issue: Issue) -> Field:
    """Any value of an issue."""
    what = f"issue {issue.name!r}"
    match issue:
        case DiscreteIssue(values=values):
            return ChoiceField({value: value for value in values}, what)
        case IntegerIssue(lower=lower, upper=upper):
            return NumberField(lower, upper, True, what)
        case RealIssue(lower=low, upper=high):
            return NumberField(low, high, False, what)
        case TextIssue(max_length=longest):
            return TextField(longest, what)
        case _:
            return OtherField(_Checked(issue), what)


@attrs.frozen
class _Checked:
    """The rule of an issue of an unknown kind: whatever it takes."""

    issue: Issue

    def allows(self, value: object) -> bool:
        try:
            self.issue.check(value)
        except InvalidBid:
            return False
        return True

    def __str__(self) -> str:
        return str(self.issue)


def object_schema(properties: Mapping[str, Schema]) -> Schema:
    """Of an object that has all of these properties, in this order, and no other."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _labelled(values: Iterable[object]) -> dict[str, object]:
    """Values by their labels; one that would be taken for another is numbered."""
    labelled: dict[str, object] = {}
    for value in values:
        label = unique = label_of(value)
        number = 1
        while unique in labelled:
            number += 1
            unique = f"{label} ({number})"
        labelled[unique] = value
    return labelled


def label_of(value: object) -> str:
    """The text by which a value is named in a reply."""
    if isinstance(value, tuple):
        return ", ".join(map(label_of, value)) or "all"
    return str(value.value) if isinstance(value, enum.Enum) else str(value)


def _plain(number: float) -> str:
    return f"{number:.10g}"
