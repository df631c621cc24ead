"""The types of action in the platform's three games, and what each means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ORDER", "decision"]

_KINDS = {
    "": "reject",
    "offer": "offer",
    "propose": "offer",
    "counter": "offer",
    "counteroffer": "offer",
    "counter-offer": "offer",
    "accept": "accept",
    "offer_accepted": "accept",
    "offer_response": "accept",
    "reject": "reject",
    "noop": "noop",
}

ORDER = ("reject", "offer", "accept", "noop")
"""What comes first when a whole round is handed in; within a kind, the players' order."""


def decision(action: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any]]:
    """The kind of an action, one of `ORDER`, and its content.

    The content is what stands in ``{"decision": {...}}``, if it is wrapped so. A type that is
    missing or empty rejects; one that is none of the games' is None.
    """
    inner = action.get("decision")
    content = inner if isinstance(inner, Mapping) else action
    kind = content.get("type")
    return _KINDS.get("" if kind is None else str(kind).strip().casefold()), content
