"""What a party believes of the others, asked for in few words and noted so that it can be scored.

The notes are those that the metrics of opponent models read: ``{"accept": p, "reservation": u,
"utilities": {issue: {value: worth}}}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from genius_py.domain import Domain
from genius_py.errors import ActionError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.llm.reply_field import ChoiceField, Field, NumberField
from genius_py.party import NegotiationInfo

__all__ = ["belief_fields", "belief_of"]

_LONGEST = 1000
"""Issues with more values than this get no estimate for each of them."""

_LOW, _HIGH = "low", "high"


def belief_fields(domain: Domain) -> dict[str, Field]:
    """What is asked: about the others as a whole, and for each issue how much and which way."""
    fields: dict[str, Field] = {
        "chance_of_acceptance": NumberField(0.0, 1.0, False, "the chance of acceptance"),
        "their_reservation_value": NumberField(0.0, 1.0, False, "their reservation value"),
    }
    for issue in domain.issues:
        if _directions(issue):
            fields[_importance(issue)] = NumberField(
                0, 100, True, f"how much {issue.name} matters to them"
            )
            fields[_wish(issue)] = ChoiceField(
                {value: value for value in _directions(issue)}, f"what they want for {issue.name}"
            )
    return fields


def belief_of(reply: Mapping[str, Any], info: NegotiationInfo) -> dict[str, object]:
    """The belief that a reply states, for the notes; what cannot be read is left out.

    An issue is worth its share of the importance. All of that goes to the value that they are
    said to want; of numbers, evenly towards the end that they are said to want.
    """
    domain = info.domain
    fields = belief_fields(domain)
    read: dict[str, Any] = {}
    for name, field in fields.items():
        try:
            read[name] = field.read(reply.get(name))
        except ActionError:
            continue
    belief: dict[str, object] = {}
    others = [seat for seat in info.seats if seat != info.agent_id]
    if "chance_of_acceptance" in read:
        belief["accept"] = read["chance_of_acceptance"]
    if "their_reservation_value" in read:
        belief["reservation"] = _about_all(read["their_reservation_value"], others)
    stated = [
        (issue, read[_importance(issue)], read[_wish(issue)])
        for issue in domain.issues
        if _importance(issue) in read and _wish(issue) in read
    ]
    total = sum(importance for _, importance, _ in stated)
    if total:
        utilities = {
            issue.name: _worths(issue, wish, importance / total)
            for issue, importance, wish in stated
        }
        belief["utilities"] = _about_all(utilities, others)
    return belief


def _about_all(stated: object, others: list[str]) -> object:
    """One statement about several opponents is one about each of them."""
    return stated if len(others) == 1 else {other: stated for other in others}


def _directions(issue: Issue) -> tuple[str, ...]:
    match issue:
        case DiscreteIssue(values=values) if len(values) <= _LONGEST:
            return tuple(dict.fromkeys(values))
        case IntegerIssue() | RealIssue() if issue.size <= _LONGEST:
            return (_LOW, _HIGH)
        case _:
            return ()


def _worths(issue: Issue, wish: str, weight: float) -> dict[str, float]:
    values = [issue.value_at(place) for place in range(issue.size)]
    if isinstance(issue, DiscreteIssue):
        return {str(value): weight if value == wish else 0.0 for value in values}
    last = max(1, len(values) - 1)
    return {
        str(value): weight * (place if wish == _HIGH else last - place) / last
        for place, value in enumerate(values)
    }


def _importance(issue: Issue) -> str:
    return f"importance of {issue.name} to them (0 to 100)"


def _wish(issue: Issue) -> str:
    return f"their wish for {issue.name}"
