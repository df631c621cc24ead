"""The form of a reply: what a model has to fill in, made from what its turn allows.

The schema that constrains the model and the reading of what it wrote come from the same fields,
so whatever the schema admits can be read, and whatever is read has been checked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from genius_py.action import Action, Reject
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ActionError, OptionError
from genius_py.issue import Issue, Value
from genius_py.llm.reply_field import (
    BidField,
    Field,
    Schema,
    bid_field_of,
    field_of,
    issue_field,
    label_of,
    object_schema,
)
from genius_py.llm.reply_text import as_number, bare_name, key_of, read_object

__all__ = ["Move", "ReplyForm", "form_of"]


@attrs.frozen
class Move:
    """An action that may be done: its class, what is known of it, and what is to be filled in."""

    action: type[Action]
    known: Mapping[str, object]
    fields: Mapping[str, Field]

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.action.__name__

    @property
    def schema(self) -> Schema:
        """The action's name, then its fields."""
        fields = {name: field.schema for name, field in self.fields.items()}
        return object_schema({"action": {"const": self.name}, **fields})

    def read(self, written: Mapping[str, Any], party: str) -> Action:
        """The action of a party.

        Raises:
            ActionError: a field is missing or cannot hold what was written.
        """
        values: dict[str, Any] = dict(self.known)
        for name, field in self.fields.items():
            # A bid's values may also stand beside the action, as models like to write them.
            part = written.get(name, written if isinstance(field, BidField) else None)
            if part is None:
                raise ActionError(
                    f"said {self.name} without its {name}, which must be {field.hint}"
                )
            values[name] = field.read(part)
        for name, value in self.known.items():
            if _is_contradicted(name, value, written):
                raise ActionError(
                    f"said {self.name} with another {name} than the only one possible, {value}"
                )
        try:
            return self.action(party, **values)
        except (TypeError, ValueError) as error:  # a class may check more than the turn says
            raise ActionError(f"gave an impossible {self.name}: {error}") from error


@attrs.frozen
class ReplyForm:
    """All that a reply holds: perhaps something before the move, the move, perhaps more after.

    `before` and `after` are fields that the move does not need: thoughts, beliefs, a message.
    Without moves a reply consists of these.
    """

    moves: Sequence[Move]
    before: Mapping[str, Field] = attrs.field(factory=dict)
    after: Mapping[str, Field] = attrs.field(factory=dict)

    @property
    def schema(self) -> str:
        """The JSON schema of a reply, as text; the same form gives the same text."""
        moves = [move.schema for move in self.moves]
        parts = {name: field.schema for name, field in self.before.items()}
        if moves:
            parts["move"] = moves[0] if len(moves) == 1 else {"anyOf": moves}
        parts |= {name: field.schema for name, field in self.after.items()}
        return json.dumps(object_schema(parts), ensure_ascii=False, separators=(",", ":"))

    @property
    def longest(self) -> int:
        """Characters that a reply of this form can have at most; a token has at least one."""
        return _longest(json.loads(self.schema))

    def read(self, text: str) -> Mapping[str, Any]:
        """The object that a reply consists of.

        Raises:
            ActionError: it holds none of this form.
        """
        return read_object(text, self._is_reply)

    def _is_reply(self, found: Mapping[str, Any]) -> bool:
        if not self.moves:
            return all(name in found for name in (*self.before, *self.after))
        move = found.get("move", found)
        if not isinstance(move, Mapping):
            return isinstance(move, str) and len(found) > 0
        return "action" in move or len(self.moves) == 1

    def move_of(self, reply: Mapping[str, Any], party: str) -> Action:
        """The action that a reply asks for.

        Raises:
            ActionError: it is none of those possible, or lacks something.
        """
        written = reply.get("move", reply)
        if isinstance(written, str):
            # Either {"move": "Accept"}, or the move of a game, written beside the action's name.
            is_field = any("move" in move.fields for move in self.moves)
            written = reply if is_field else {**reply, "action": written}
        named = written.get("action")
        if named is None and len(self.moves) == 1:
            return self.moves[0].read(written, party)
        for move in self.moves:
            if isinstance(named, str) and bare_name(move.name) == bare_name(named):
                return move.read(written, party)
        possible = ", ".join(move.name for move in self.moves)
        raise ActionError(f"gave the action {named!r}; possible now: {possible}")


def form_of(
    allowed: Allowed,
    *,
    acceptable: Callable[[Bid], bool] | None = None,
    bid_field: Callable[[Domain], BidField] | None = None,
    before: Mapping[str, Field] | None = None,
    after: Mapping[str, Field] | None = None,
) -> ReplyForm:
    """The form of a reply to a turn.

    A class with a field for which there is no value is left out. With `acceptable` so is a class
    that names bids none of which is; it is kept when nothing else would be left. `bid_field` says
    how any bid of a domain is asked for.

    Raises:
        OptionError: nothing that the turn allows can be done.
    """
    moves = _moves(allowed, acceptable, bid_field or bid_field_of) or _moves(
        allowed, None, bid_field_of
    )
    if not moves:
        raise OptionError(f"The turn allows {allowed}, but no such action can be made.")
    return ReplyForm(moves, before or {}, after or {})


def _moves(
    allowed: Allowed,
    acceptable: Callable[[Bid], bool] | None,
    bid_field: Callable[[Domain], BidField],
) -> list[Move]:
    moves = []
    for kind in allowed:
        known: dict[str, object] = {}
        fields: dict[str, Field] = {}
        for name, rule in allowed.choices(kind).items():
            if isinstance(rule, OneOf):
                values = [v for v in rule.values if _is_acceptable(v, acceptable, kind)]
                if not values:
                    break
                if len(values) == 1:
                    known[name] = values[0]
                    continue
                fields[name] = field_of(OneOf(values), f"the {name}")
            elif isinstance(rule, BidOf):
                field = bid_field(rule.domain)
                if field.alternatives == () or rule.domain.size == 0:
                    break
                fields[name] = field
            else:
                fields[name] = field_of(rule, f"the {name}")
        else:
            moves.append(Move(kind, known, fields))
    return moves


def _is_acceptable(
    value: object, acceptable: Callable[[Bid], bool] | None, kind: type[Action]
) -> bool:
    # To reject a bid is not to want it.
    if acceptable is None or not isinstance(value, Bid) or issubclass(kind, Reject):
        return True
    return acceptable(value)


def _is_contradicted(name: str, known: object, written: Mapping[str, Any]) -> bool:
    """Whether what was written speaks of another value: to accept 38000 is not to accept 44000."""
    part = written.get(name)
    if not isinstance(known, Bid):
        return part is not None and label_of(part).casefold() != label_of(known).casefold()
    values = part if isinstance(part, Mapping) else written
    if len(known) == 1 and as_number(part) is not None:
        values = {known.domain.issue_names[0]: part}
    return any(
        (key := key_of(issue.name, values)) not in (None, "action")
        and not _is_meant(issue, value, values[key])
        for issue, value in zip(known.domain.issues, known.content, strict=True)
    )


def _is_meant(issue: Issue, value: Value, written: object) -> bool:
    try:
        read = issue_field(issue).read(written)
    except ActionError:
        return False
    if isinstance(value, float):
        return math.isclose(value, read, rel_tol=1e-6)  # it was shown with fewer digits
    return bool(read == value)


def _longest(schema: Schema) -> int:
    if "anyOf" in schema:
        return max(_longest(part) for part in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return max(len(json.dumps(value)) for value in values)
    match schema.get("type"):
        case "object":
            parts = schema["properties"].items()
            return 2 + sum(len(json.dumps(key)) + 2 + _longest(part) for key, part in parts)
        case "string":
            return 2 + 6 * int(schema["maxLength"])  # any character may be written as an escape
        case _:
            bounds = (schema["minimum"], schema["maximum"])
            decimals = max(0, -math.floor(math.log10(schema.get("multipleOf", 1))))
            return max(len(str(math.trunc(bound))) for bound in bounds) + decimals + 2
