"""What may be done in a turn: action classes, and what each of their fields may hold.

The engine's check of an action, the reply schema of an LLM and the prompt of a person are all
derived from this and from nothing else, so a new protocol is playable by everyone at once.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Any, Protocol, TypeAlias, get_type_hints

import attrs

from genius_py.action import Action
from genius_py.bid import HOW_TO_BID, Bid
from genius_py.domain import Domain
from genius_py.read_only import ReadOnly

__all__ = ["Allowed", "BidOf", "Constraint", "Number", "OneOf", "Text"]

_COMMON = len(attrs.fields(Action))
"""Fields that every action has, before its own: who acts, and the message."""

_NUMBERS = (int, float)

_LONGEST = 100_000
"""Characters of a message, or of any text that no rule of the turn limits."""

_SHOWN = 200
"""Characters of a refused value that are repeated; it may hold millions."""


class Constraint(Protocol):
    """A rule for one field of an action."""

    def allows(self, value: object) -> bool:
        """Whether the field may hold this value."""
        ...

    def __str__(self) -> str:
        """The rule as a noun phrase: ``a bid of car``, ``one of A, B``."""
        ...


@attrs.frozen
class BidOf:
    """Any bid of a domain."""

    domain: Domain

    def allows(self, value: object) -> bool:
        """Whether it is a bid of the domain."""
        return value.__class__ is Bid and value in self.domain

    def __str__(self) -> str:
        return f"a bid of {self.domain.name}"


def _as_tuple(values: Iterable[object]) -> tuple[object, ...]:
    return tuple(values)


@attrs.frozen
class OneOf:
    """One of these values: bids on the table, names, members of an enumeration."""

    values: tuple[object, ...] = attrs.field(converter=_as_tuple)

    def allows(self, value: object) -> bool:
        """Whether it equals one of the values and is of the same type (an int may be a float)."""
        # A value of another type may claim to be equal to anything.
        kinds: tuple[type, ...] = (type(value),)
        if kinds[0] in _NUMBERS:
            kinds = _NUMBERS
        return any(
            value is known or (type(known) in kinds and value == known) for known in self.values
        )

    def __str__(self) -> str:
        if not self.values:
            return "nothing (there is no choice yet)"
        shown = "; ".join(str(getattr(value, "value", value)) for value in self.values)
        return shown if len(self.values) == 1 else f"one of: {shown}"


@attrs.frozen
class Number:
    """A finite number from `minimum` to `maximum`, both included; whole when `integer`.

    The bounds are exact, as those of an issue are: a rule that computes one has to give the number
    that one reads (`protocols.numbers.moved`), not 0.1 + 0.2.
    """

    minimum: float = -math.inf
    maximum: float = math.inf
    integer: bool = False

    def allows(self, value: object) -> bool:
        """Whether it is such a number."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        try:
            is_finite = math.isfinite(value)
        except OverflowError:  # a whole number that no float can hold
            return False
        if not is_finite or (self.integer and value != int(value)):
            return False
        return self.minimum <= value <= self.maximum

    def __str__(self) -> str:
        kind = "a whole number" if self.integer else "a number"
        return f"{kind} from {self.minimum:g} to {self.maximum:g}"


@attrs.frozen
class Text:
    """A text of `min_length` to `max_length` characters."""

    max_length: int = 2000
    min_length: int = 0

    def allows(self, value: object) -> bool:
        """Whether it is such a text."""
        return isinstance(value, str) and self.min_length <= len(value) <= self.max_length

    def __str__(self) -> str:
        return f"a text of {self.min_length} to {self.max_length} characters"


@lru_cache(maxsize=256)
def _types(action_class: type[Action]) -> Mapping[str, object]:
    return get_type_hints(action_class)


def _rule_of(kind: object) -> Constraint:
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return OneOf(tuple(kind))
    if kind is int or kind is float:
        return Number(integer=kind is int)
    return Text()


@attrs.frozen
class _OfType:
    """Anything of a type, of which a turn does not say more."""

    kind: type

    def allows(self, value: object) -> bool:
        return type(value) is self.kind

    def __str__(self) -> str:
        return f"of type {self.kind.__name__}"


@lru_cache(maxsize=256)
def _typed(action_class: type[Action]) -> Mapping[str, Constraint]:
    """What an action's own fields may hold by their types, where these are simple ones."""
    types = _types(action_class)  # type: ignore[arg-type]  # classes are hashable
    rules: dict[str, Constraint] = {}
    for field in attrs.fields(action_class)[_COMMON:]:
        kind = types[field.name]
        if kind is str:
            rules[field.name] = Text(_LONGEST)
        elif kind is Bid or kind is bool:
            rules[field.name] = _OfType(kind)
        elif kind is int or kind is float or isinstance(kind, enum.EnumType):
            rules[field.name] = _rule_of(kind)
    return rules


FieldRules: TypeAlias = Mapping[str, Constraint]
_FREE: FieldRules = {}


class Allowed(ReadOnly[type[Action], FieldRules]):
    """The action classes of a turn, in order; ``allowed[Accept]["bid"]`` is a field's rule.

    Made from classes, or from a mapping of classes to field rules. A field without a rule may
    hold anything of its type. `refusal` says why the previous answer to this turn was refused,
    when it is asked again. It is a dictionary, so that asking it costs a party next to nothing.

    >>> from genius_py.action import Accept, EndNegotiation, Offer
    >>> allowed = Allowed(Offer, EndNegotiation)
    >>> Accept in allowed, Offer in allowed
    (False, True)
    """

    __slots__ = ("refusal",)

    def __init__(
        self, *classes: type[Action] | Mapping[type[Action], FieldRules], refusal: str = ""
    ) -> None:
        self.refusal = refusal
        for entry in classes:
            dict.update(self, {entry: _FREE} if isinstance(entry, type) else entry)

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Allowed, refusal=self.refusal), (dict(self),)

    def choices(self, action_class: type[Action]) -> dict[str, Constraint]:
        """What is to be filled in to do this: a rule for every field but the actor and message.

        A field without a rule of its own gets that of its type: a member of its enumeration,
        any text, any number. When it has a default, it may be left as that and is not asked for.
        """
        rules = self[action_class]
        types = _types(action_class)  # type: ignore[arg-type]  # classes are hashable
        return {
            field.name: rules.get(field.name) or _rule_of(types[field.name])
            for field in attrs.fields(action_class)
            if field.name not in ("party", "message")
            and (field.name in rules or field.default is attrs.NOTHING)
        }

    def refused(self, reason: str) -> Allowed:
        """The same choice, asked again because of `reason`."""
        return Allowed(self, refusal=reason)

    def complaint(self, action: object) -> str:
        """Why an action may not be done in this turn; empty when it may.

        The class must be one of those allowed exactly: a subclass does not count (as in Genius).
        A message is a text of at most 100,000 characters.
        """
        kind: type[Any] = action.__class__
        rules = self.get(kind)
        if rules is None:
            said = "nothing" if action is None else type(action).__name__
            return f"must {self}, said {said}"
        for field, rule in rules.items():
            value = getattr(action, field, None)
            # What BidOf.allows would say, without the call: most turns of most sessions end here.
            if type(rule) is BidOf and type(value) is Bid and value.domain is rule.domain:
                continue
            if not rule.allows(value):
                return _refused(action, field, value, rule)
        if len(rules) + _COMMON < len(kind.__attrs_attrs__):
            for field, rule in _typed(kind).items():  # type: ignore[arg-type]
                if field not in rules and not rule.allows(value := getattr(action, field, None)):
                    return _refused(action, field, value, rule)
        try:
            party, message = action.party, action.message  # type: ignore[attr-defined]
        except AttributeError:
            return f"said {kind.__name__} that names no party; fill in the own id"
        if party.__class__ is not str:
            return _refused(action, "party", party, "the own id")
        if message.__class__ is not str:
            return _refused(action, "message", message, "a text")
        if message and len(message) > _LONGEST:
            return (
                f"said {kind.__name__} with a message of {len(message)} characters, "
                f"but at most {_LONGEST} may be said"
            )
        return ""

    def __str__(self) -> str:
        return " or ".join(cls.__name__ for cls in self) or "do nothing"

    def __repr__(self) -> str:
        return f"Allowed({', '.join(cls.__name__ for cls in self)})"


def _refused(action: object, field: str, value: object, rule: object) -> str:
    kind = type(action).__name__
    hint = f"; {HOW_TO_BID}" if isinstance(rule, BidOf) and not isinstance(value, Bid) else ""
    return f"said {kind} with {field} {_shown(value)}, but the {field} must be {rule}{hint}"


def _shown(value: object) -> str:
    """A value that a party made up: short, and the same in each run."""
    if type(value) is Bid or isinstance(value, (str, int, float, enum.Enum, type(None))):
        try:
            text = str(value)
        except Exception:  # one of its own, or it has more digits than Python writes
            return f"of type {type(value).__name__}"
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return f"of type {type(value).__name__}"
