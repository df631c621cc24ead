"""Answers that any turn allows, made from its `Allowed` and nothing else."""

from __future__ import annotations

import enum
import math
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from genius_py.action import Accept, Action, EndNegotiation
from genius_py.allowed import BidOf, Constraint, Number, OneOf, Text
from genius_py.errors import StrategyError
from genius_py.session import Turn

__all__ = ["TEMPERS", "Temper", "legal_action"]

Temper: TypeAlias = Literal["any", "agreeable", "stubborn"]
"""How one chooses among what is allowed.

``agreeable`` accepts whatever it may, and consents to every vote and feedback; ``stubborn`` never
does, and never walks away; ``any`` does everything, but seldom walks away.
"""

TEMPERS: tuple[Temper, ...] = get_args(Temper)

_WALKS_AWAY = 0.05
_TRIES = 100


def legal_action(turn: Turn, rng: np.random.Generator, temper: Temper = "any") -> Action:
    """Some action that the turn allows, drawn at random.

    Raises:
        StrategyError: the turn allows nothing that could be made from its field rules.
    """
    kinds = [kind for kind in turn.allowed if _is_possible(turn, kind)]
    if not kinds:
        raise StrategyError(
            f"{turn.party} may {turn.allowed}, but no such action can be made: a field has no "
            f"value to choose from; leave the class out of the turn, or give its fields rules."
        )
    kind = _chosen(kinds, rng, temper)
    fields = {name: _value(rule, rng, temper) for name, rule in turn.allowed.choices(kind).items()}
    return kind(turn.party.id, **fields)


def _is_possible(turn: Turn, kind: type[Action]) -> bool:
    # Other rules than these are found out to be impossible when they are tried.
    rules = turn.allowed[kind].values()
    return not any(isinstance(rule, OneOf) and not rule.values for rule in rules)


def _chosen(kinds: list[type[Action]], rng: np.random.Generator, temper: Temper) -> type[Action]:
    if temper == "agreeable" and Accept in kinds:
        return Accept
    avoided: set[type[Action]] = {Accept} if temper == "stubborn" else set()
    if temper != "any" or rng.random() >= _WALKS_AWAY:
        avoided.add(EndNegotiation)
    preferred = [kind for kind in kinds if kind not in avoided] or kinds
    return preferred[rng.integers(len(preferred))]


def _value(rule: Constraint, rng: np.random.Generator, temper: Temper) -> Any:
    match rule:
        case BidOf(domain=domain):
            return domain.random_bid(rng)
        case OneOf(values=values):
            # Votes and feedback begin with consent and end with refusal.
            if isinstance(values[0], enum.Enum) and temper != "any":
                return values[0 if temper == "agreeable" else -1]
            return values[rng.integers(len(values))]
        case Number():
            return _number(rule, rng)
        case Text(min_length=shortest, max_length=longest):
            length = int(rng.integers(shortest, min(longest, shortest + 20) + 1))
            return "".join(rng.choice(list("abc xyz-äß")) for _ in range(length))
        case _:
            return _found(rule, rng)


def _number(rule: Number, rng: np.random.Generator) -> float:
    low, high = rule.minimum, rule.maximum
    if math.isinf(low) and math.isinf(high):
        low, high = -100.0, 100.0
    elif math.isinf(low):
        low = high - 100.0
    elif math.isinf(high):
        high = low + 100.0
    if rule.integer:
        return int(rng.integers(math.ceil(low), math.floor(high) + 1))
    return float(low + rng.random() * (high - low))


def _found(rule: Constraint, rng: np.random.Generator) -> Any:
    """A value for a rule of the plug-in's own making, found by trying."""
    for _ in range(_TRIES):
        for value in (int(rng.integers(0, 100)), float(rng.random()), "text", "", True, None, ()):
            if rule.allows(value):
                return value
    raise StrategyError(
        f"No value was found for the rule {rule}; use BidOf, OneOf, Number or Text, from which "
        f"people and language models can choose too."
    )
