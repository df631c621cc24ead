"""The log of a match as the game has it; the engine's own log, beside it, is what is replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from genius_py.action import Say
from genius_py.fault import Fault
from genius_py.fronts.trade.actions import name_of, payload_of
from genius_py.log import Event, Kind
from genius_py.outcome import Outcome
from genius_py.protocols.trade_actions import Propose

__all__ = ["PRIVATE", "error_of", "match_log"]

PRIVATE = "<private>"
"""What stands for what not all may know."""

_CODES = ("game_rule_violation", "invalid_action_type", "invalid_payload")


def match_log(
    match_id: str,
    game: Mapping[str, Any],
    session: Outcome,
    outcome: Mapping[str, Any],
    stamps: Sequence[int],
    metadata: Mapping[str, Any],
) -> dict[str, Any]:
    """Plain data: who did what when, and what came of it.

    `stamps` are the times of the events of the engine's log, in nanoseconds. The text of private
    messages and the terms of sealed proposals are left out.
    """
    ids = [seat.id for seat in session.plan.seats]
    told = [
        {"timestamp_ns": stamp, **line}
        for event, stamp in zip(session.log, stamps, strict=True)
        if (line := _told(event, len(ids) - 1)) is not None
    ]
    start = {"event_type": "match_started", "agent_id": None, "data": {"agent_ids": ids}}
    end = {"event_type": "match_ended", "agent_id": None, "data": dict(outcome)}
    return {
        "match_id": match_id,
        "game_id": game["game_id"],
        "agent_ids": ids,
        "events": [
            {"timestamp_ns": stamps[0], **start},
            *told,
            {"timestamp_ns": stamps[-1], **end},
        ],
        "outcome": dict(outcome),
        "metadata": {"game": dict(game), **metadata},
    }


def _told(event: Event, others: int) -> dict[str, Any] | None:
    if isinstance(event.detail, Fault):
        code, detail = error_of(event.detail)
        data = {"ok": False, "error": code, "error_detail": detail}
        return {"event_type": "action", "agent_id": event.party, "data": data}
    if (
        event.kind != Kind.ACTION
        or event.action is None
        or name_of(type(event.action)) == "invalid"
    ):
        return None
    action, is_private = event.action, len(event.audience) < others
    if isinstance(action, Say):
        data = {"text": PRIVATE if is_private else action.text, "to": list(action.to)}
        return {"event_type": "message", "agent_id": event.party, "data": data}
    payload = payload_of(action)
    if is_private and isinstance(action, Propose):
        payload = dict.fromkeys(payload, PRIVATE)
    data = {
        "action": name_of(type(action)),
        "payload": payload,
        "ok": True,
        "error": None,
        "error_detail": None,
    }
    if action.message:
        data["message"] = PRIVATE if is_private else action.message
    return {"event_type": "action", "agent_id": event.party, "data": data}


def error_of(fault: Fault) -> tuple[str, str]:
    """The code and the text of what went wrong; what an agent raised is an ``agent_error``."""
    said = fault.reason.removeprefix("raised ")
    code, colon, detail = said.partition(": ")
    if colon and code in _CODES:
        return code, detail
    return ("agent_error" if fault.fatal else "game_rule_violation"), said
