"""The game's actions as names and payloads, and the codes of what is wrong with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import attrs

from genius_py.action import Action, Forfeit, Pass, Say
from genius_py.allowed import Allowed, FieldRules, Number, OneOf
from genius_py.errors import ActionError
from genius_py.protocols.bilateral_trade import Phase
from genius_py.protocols.trade_actions import (
    AcceptDelivery,
    AcceptProposal,
    DisputeDelivery,
    PostRequest,
    Propose,
    RejectAndExit,
    SubmitDeliverable,
)

__all__ = ["Code", "TradeError", "name_of", "payload_of", "read_action"]

Code: TypeAlias = Literal[
    "agent_not_in_match",
    "game_rule_violation",
    "invalid_action_type",
    "invalid_payload",
    "match_not_found",
    "match_not_running",
    "not_your_turn",
]

_NAMES: Mapping[type[Action], str] = {
    PostRequest: "post_request",
    Propose: "propose",
    AcceptProposal: "accept_proposal",
    RejectAndExit: "reject_and_exit",
    SubmitDeliverable: "submit_deliverable",
    AcceptDelivery: "accept_delivery",
    DisputeDelivery: "dispute_delivery",
    Pass: "pass",
    Say: "message_only",
    Forfeit: "invalid",
}
_CLASSES = {name: kind for kind, name in _NAMES.items() if kind is not Forfeit}

_OF_PHASE: Mapping[Phase, Collection[type[Action]]] = {
    Phase.REQUEST: (PostRequest,),
    Phase.NEGOTIATE: (Propose, AcceptProposal, RejectAndExit),
    Phase.DELIVER: (SubmitDeliverable,),
    Phase.VERIFY: (AcceptDelivery, DisputeDelivery),
}
"""What belongs to a phase, whether or not it may be done just now; talk belongs to all."""


_AMOUNTS = ("price", "max_budget")
_NOT_EMPTY = ("scope", "description", "content")


class TradeError(ActionError):
    """An action of the game that is refused; `code` says of what kind its fault is."""

    def __init__(self, code: Code, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code: Code = code
        self.detail = detail


def name_of(kind: type[Action]) -> str:
    """The game's name of an action; ``invalid`` for a turn that was lost."""
    return _NAMES[kind]


def payload_of(action: Action) -> dict[str, Any]:
    """What an action carries, as the game has it; messages are no payload."""
    if isinstance(action, Say):
        return {}
    payload = attrs.asdict(action, recurse=False)
    del payload["party"], payload["message"]
    if isinstance(action, Propose) and not action.scope:
        del payload["scope"]
    if isinstance(action, AcceptProposal) and not action.provider_id:
        del payload["provider_id"]
    return payload


def read_action(
    agent_id: str,
    name: str,
    payload: Mapping[str, Any] | None,
    allowed: Allowed,
    phase: Phase,
    *,
    message: str = "",
    to: Sequence[str] = (),
) -> Action:
    """The action that a name and a payload mean, in a turn of this agent.

    With ``message_only`` it says the message, to those of `to` or to all.

    Raises:
        TradeError: ``invalid_action_type`` when the phase has no such action,
            ``game_rule_violation`` when the rules do not allow it now, ``invalid_payload`` when
            the payload is malformed.
    """
    kind = _CLASSES.get(name)
    instead = f"use {' or '.join(map(name_of, allowed))}"
    if kind is None:
        raise TradeError("invalid_action_type", f"there is no action {name!r}; {instead}")
    if kind not in allowed:
        if kind is Say or kind in _OF_PHASE.get(phase, ()):
            raise TradeError("game_rule_violation", f"{name} is not possible now; {instead}")
        raise TradeError(
            "invalid_action_type", f"{name} does not belong to the phase {phase.value}; {instead}"
        )
    if kind is Say:
        fields: dict[str, Any] = {"text": message, "to": _in_order(to, allowed)}
    else:
        fields = _fields(kind, payload or {}, allowed[kind])
    action = kind(agent_id, **fields)
    if complaint := allowed.complaint(action):
        raise TradeError("game_rule_violation", complaint)
    return action


def _in_order(to: Sequence[str], allowed: Allowed) -> tuple[str, ...]:
    """The addressees as the rule of the turn lists them; none means all."""
    rule = allowed[Say].get("to")
    groups: tuple[Any, ...] = rule.values if isinstance(rule, OneOf) else ()
    return next((group for group in groups if set(group) == set(to)), tuple(to))


def _fields(kind: type[Action], payload: Mapping[str, Any], rules: FieldRules) -> dict[str, Any]:
    possible = {field.name for field in attrs.fields(kind)} - {"party", "message"}
    if kind is Propose and "scope" not in rules:
        possible.remove("scope")
    if unknown := sorted(payload.keys() - possible):
        raise _malformed(kind, f"takes no {', '.join(map(str, unknown))}")
    # An exit or a dispute needs no reason; what there is to choose must be chosen.
    if missing := [name for name in rules if name not in payload and name != "reason"]:
        raise _malformed(kind, f"needs {', '.join(missing)}")
    for name, value in payload.items():
        if name in _AMOUNTS:
            if not Number(0).allows(value):
                raise _malformed(kind, f"needs a number from 0 on as {name}, not {value!r}")
        elif not isinstance(value, str) or (name in _NOT_EMPTY and not value.strip()):
            raise _malformed(kind, f"needs a text as {name}, not {value!r}")
    return dict(payload)


def _malformed(kind: type[Action], what: str) -> TradeError:
    return TradeError("invalid_payload", f"{name_of(kind)} {what}")
