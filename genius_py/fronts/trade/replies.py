"""What an agent replies: its form, and what it means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs

from genius_py.action import Say
from genius_py.allowed import Allowed, OneOf
from genius_py.errors import ActionError
from genius_py.fronts.trade.actions import TradeError, name_of
from genius_py.llm.reply_field import field_of, object_schema
from genius_py.llm.reply_text import read_object

__all__ = ["Decision", "read_reply", "reply_schema"]


@attrs.frozen
class Decision:
    """What an agent wants to do; `message` goes to those of `to`, or to all."""

    action: str
    payload: Mapping[str, Any] = attrs.field(factory=dict)
    message: str = ""
    to: tuple[str, ...] = ()


def read_reply(reply: str | Mapping[str, Any]) -> Decision:
    """What a reply decides: an object with `action`, `payload`, `message` and `to`.

    Of several objects in a text the last one with an `action` counts; nested ones and what stands
    between thinking tags do not. Nothing is guessed.

    Raises:
        TradeError: no object names an action, or its parts are of other kinds.
    """
    content = _object_of(reply)
    action, payload = content["action"], content.get("payload") or {}
    message, to = content.get("message") or "", content.get("to") or ()
    if not isinstance(action, str):
        raise _unreadable(f"the action must be a name, not {action!r}")
    if not isinstance(payload, Mapping):
        raise _unreadable(f"the payload must be an object, not {payload!r}")
    if not isinstance(message, str):
        raise _unreadable(f"the message must be a text, not {message!r}")
    names = (to,) if isinstance(to, str) else to
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise _unreadable(f"'to' must be a list of agents, not {to!r}")
    return Decision(action.strip(), payload, message, tuple(names))


def _object_of(reply: str | Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        found = reply if isinstance(reply, Mapping) else read_object(reply, lambda o: "action" in o)
        if "action" in found:
            return found
    except ActionError:
        pass
    raise _unreadable("reply with one JSON object that has the key 'action'")


def reply_schema(allowed: Allowed) -> str:
    """The JSON schema of the replies that a turn allows, as text."""
    forms = []
    for kind in allowed:
        fields = {name: field_of(rule, name) for name, rule in allowed.choices(kind).items()}
        parts: dict[str, Any] = {"action": {"const": name_of(kind)}}
        if kind is Say:
            parts["payload"] = object_schema({})
            parts["message"] = fields["text"].schema
            if addressees := _addressees(allowed):
                parts["to"] = {"type": "array", "items": {"enum": addressees}}
        else:
            parts["payload"] = object_schema({name: field.schema for name, field in fields.items()})
        forms.append(object_schema(parts))
    schema = forms[0] if len(forms) == 1 else {"anyOf": forms}
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def _addressees(allowed: Allowed) -> list[str]:
    """To whom one may talk in private; nobody where there is but one to talk to."""
    rule = allowed[Say].get("to")
    groups: tuple[Any, ...] = rule.values if isinstance(rule, OneOf) else ()
    return list(dict.fromkeys(party for group in groups for party in group))


def _unreadable(detail: str) -> TradeError:
    return TradeError("invalid_action_type", detail)
