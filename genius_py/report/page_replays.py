"""A session as steps that a page shows one after the other."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Iterator, Mapping, Sequence

import attrs

from genius_py.action import Action, Inform, Offer, Say
from genius_py.analysis.process import moves
from genius_py.bid import Bid
from genius_py.errors import ProfileError
from genius_py.fault import Fault
from genius_py.log import Ending, Event, Kind
from genius_py.outcome import Outcome
from genius_py.report.page_spaces import PageSpaces

__all__ = ["STEP", "Verbs", "replay_data"]

STEP = ("round", "turn", "time", "seat", "verb", "bid", "move", "text", "message")
"""The columns of a step. `seat` is a place among the seats, -1 for the protocol; `bid` is one of
the session's space, -1 for none; `move` is the kind of the move from a party's offer before.
Empty columns at the end are left out."""

_MOST_TEXT = 4_000
"""Characters of a message or note that are kept."""


class Verbs:
    """Numbers the words for what is done."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._places: dict[str, int] = {}

    def place(self, name: str) -> int:
        """The number of a word."""
        if name not in self._places:
            self._places[name] = len(self.names)
            self.names.append(name)
        return self._places[name]


def replay_data(
    outcome: Outcome, spaces: PageSpaces, space: int, verbs: Verbs
) -> dict[str, object]:
    """A session's seats and steps, its bids numbered by `spaces`."""
    seats = [[seat.id, seat.role, seat.party, int(seat.is_mediator)] for seat in outcome.plan.seats]
    places = {seat.id: place for place, seat in enumerate(outcome.plan.seats)}
    kinds = _moves(outcome)
    everybody = set(places)
    steps = []
    for number, event in enumerate(outcome.log):
        if event.kind == Kind.STANDING:
            continue
        verb, bid, text, message = _told(event)
        unheard = everybody - {event.party, *event.audience}
        if event.kind == Kind.ACTION and event.audience and unheard:
            heard = f"heard by {', '.join(event.audience)} only"
            text = f"{text}; {heard}" if text else heard
        step = [
            event.round,
            event.turn,
            event.time,
            places.get(event.party, -1),
            verbs.place(verb),
            -1 if bid is None else spaces.bid(space, bid),
            kinds.get(number, ""),
            _cut(text),
            _cut(message),
        ]
        while step[-1] == "":
            step.pop()
        steps.append(step)
    return {"seats": seats, "space": space, "steps": steps}


def _told(event: Event) -> tuple[str, Bid | None, str, str]:
    """The word for what was done, the bid that it names, what else it says, and its message."""
    action, detail = event.action, event.detail
    if isinstance(action, Say):
        return "say", None, f"to {', '.join(action.to)}" if action.to else "", action.text
    if isinstance(action, Inform):
        return "inform", None, f"{action.name}: {_in_words(action.value)}", action.message
    if action is not None:
        bid = getattr(action, "bid", None)
        return _words(action), bid if isinstance(bid, Bid) else None, _rest(action), action.message
    if isinstance(detail, Fault):
        return "fault", None, f"{detail.reason} ({detail.during})", ""
    if isinstance(detail, Ending):
        return "end", detail.agreement, detail.detail or detail.reason.value, ""
    return "note", None, json.dumps(detail, ensure_ascii=False, default=str), ""


def _words(action: Action) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", type(action).__name__).lower()


def _rest(action: Action) -> str:
    """What an action carries besides its actor, bid and message."""
    carried = attrs.asdict(
        action,
        recurse=False,
        filter=lambda field, value: (
            field.name not in ("party", "message") and not isinstance(value, Bid) and value != ""
        ),
    )
    return ", ".join(f"{name}: {_in_words(value)}" for name, value in carried.items())


def _in_words(value: object) -> str:
    """A value as one reads it, not as Python writes it."""
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, Mapping):
        return "; ".join(
            f"{key} ({_in_words(entry)})"
            if isinstance(entry, Mapping)
            else f"{key}: {_in_words(entry)}"
            for key, entry in value.items()
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_in_words, value))
    return str(value)


def _cut(text: str) -> str:
    more = len(text) - _MOST_TEXT
    return text if more <= 0 else f"{text[:_MOST_TEXT]}... ({more} characters more)"


def _moves(outcome: Outcome) -> dict[int, str]:
    """For the place of each offer in the log, what kind of move it was; two parties only."""
    parties = outcome.plan.parties
    if len(parties) != 2:
        return {}
    found: dict[int, str] = {}
    for seat, other in (parties, parties[::-1]):
        own, others = outcome.plan.profile(seat), outcome.plan.profile(other)
        offers = list(_offers(outcome, seat.id))
        try:
            kinds = moves(own.utilities(_bids(offers)), others.utilities(_bids(offers)))
        except ProfileError:
            continue
        found |= {place: kind.value for (place, _), kind in zip(offers[1:], kinds, strict=True)}
    return found


def _offers(outcome: Outcome, party: str) -> Iterator[tuple[int, Bid]]:
    for number, event in enumerate(outcome.log):
        if event.kind == Kind.ACTION and event.party == party and isinstance(event.action, Offer):
            yield number, event.action.bid


def _bids(offers: Sequence[tuple[int, Bid]]) -> list[Bid]:
    return [bid for _, bid in offers]
