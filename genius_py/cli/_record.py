"""The object that `--json` prints: plain dictionaries, unrounded numbers."""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Mapping
from typing import Any

import attrs

from genius_py.analysis.of_outcome import OutcomeAnalysis
from genius_py.log import Event, Kind
from genius_py.model_counts import model_counts
from genius_py.outcome import Outcome

__all__ = ["actions", "dumped", "record"]


def record(
    outcome: Outcome, analysis: OutcomeAnalysis | None, *, trace: bool = False
) -> dict[str, Any]:
    """One session as the object documented in docs/reference/cli.md."""
    plan = outcome.plan
    told = {
        "protocol": plan.protocol,
        "domain": plan.scenario.name,
        "parties": {seat.id: seat.party for seat in plan.parties},
        "seed": plan.seed,
        "deadline": str(plan.deadline),
        "agreement": outcome.agreement,
        "reason": outcome.reason.value,
        "detail": outcome.detail,
        "agreeing_parties": outcome.agreeing_parties,
        "rounds": outcome.rounds,
        "turns": outcome.turns,
        "time": outcome.time,
        "utilities": outcome.utilities,
        "discounted_utilities": outcome.discounted_utilities,
        "reservation_values": outcome.reservation_values,
        "analysis": None if analysis is None else attrs.asdict(analysis, recurse=False),
        "faults": [
            {
                "party": fault.party,
                "round": fault.round,
                "during": fault.during,
                "reason": fault.reason,
                "place": fault.place or None,
            }
            for fault in outcome.faults
        ],
    }
    if models := model_counts(outcome.log):
        told["models"] = {party: attrs.asdict(counts) for party, counts in models.items()}
    if trace:
        told["actions"] = actions(outcome)
    return told


def actions(outcome: Outcome) -> list[dict[str, Any]]:
    """Every action of the session, in order.

    What an action carries besides a bid (a vote, a price, a message) stands under its own name.
    """
    return [_action(event) for event in outcome.log if event.kind == Kind.ACTION]


def _action(event: Event) -> dict[str, Any]:
    assert event.action is not None
    carried = attrs.asdict(event.action, recurse=False)
    told = {
        "round": event.round,
        "turn": event.turn,
        "time": event.time,
        "party": event.party,
        "action": type(event.action).__name__,
        "bid": carried.get("bid"),
    }
    more = {name: value for name, value in carried.items() if name not in told}
    if not more["message"]:
        del more["message"]
    return told | more


def dumped(told: object) -> str:
    """As JSON text; a number that is not finite becomes null, for JSON has none."""
    return json.dumps(_plain(told), indent=2, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
