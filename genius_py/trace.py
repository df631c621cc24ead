"""Session logs as files of JSON lines, and replaying them.

The first line is the header: the whole plan. Each further line is one event. The last line holds
the utilities, so that a log can be read without this program. Nothing in a file depends on the
wall clock unless the deadline does: the same plan gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import cattrs

import genius_py
from genius_py import registry
from genius_py.action import Action, Forfeit, Inform, Say
from genius_py.bid import Bid
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.errors import GeniusError, LogError, ReplayMismatch
from genius_py.fault import Fault
from genius_py.formats import scenario_from_dict, scenario_to_dict
from genius_py.log import Ending, Event, Kind, Log, Standing
from genius_py.negotiation import negotiate
from genius_py.outcome import Outcome
from genius_py.plain import plain
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.session import Answer, Notes, Reply, Seat, Session, Step

__all__ = ["FORMAT", "VERSION", "dump_log", "parse_log", "read_log", "replay", "write_log"]

FORMAT = "genius-py session log"
VERSION = 1

_ENGINE_ACTIONS: tuple[type[Action], ...] = (Forfeit, Inform, Say)
"""What the engine itself, or every protocol, may log besides the protocol's own actions."""


def write_log(outcome: Outcome, path: str | Path) -> None:
    """Write a session's log, replacing the file.

    Raises:
        DomainError: a profile is a callable over a domain too large to be stored as a table.
    """
    text = "".join(f"{line}\n" for line in dump_log(outcome))
    # Half a surrogate pair, which UTF-8 cannot hold, becomes the JSON escape that means it.
    Path(path).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def dump_log(outcome: Outcome) -> Iterator[str]:
    """The lines of the log, without line ends."""
    plan = outcome.plan
    yield _json(
        {
            "format": FORMAT,
            "version": VERSION,
            "genius_py": genius_py.__version__,
            "protocol": plan.protocol,
            "deadline": str(plan.deadline),
            "seed": plan.seed,
            "retries": plan.retries,
            "on_fault": plan.on_fault,
            "faithful": plan.faithful,
            "seats": [attrs.asdict(seat) for seat in plan.seats],
            "scenario": scenario_to_dict(plan.scenario),
        }
    )
    converter = _converter(plan.scenario.domain)
    for event in outcome.log:
        yield _json(_event_to_dict(event, converter))
    yield _json({"kind": "outcome", **_summary(outcome)})


def read_log(path: str | Path) -> Outcome:
    """Read a log that `write_log` wrote.

    Raises:
        LogError: the file is not a log, is of a newer version, or has a broken line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LogError(f"Cannot read the log {str(path)!r}: {error}.") from error
    # Not splitlines(): a message may hold other characters that it takes for line ends.
    return parse_log(text.removesuffix("\n").split("\n") if text else [], str(path))


def parse_log(lines: Sequence[str], source: str = "log") -> Outcome:
    """The outcome that the lines of a log tell; a log cut off in the middle has no ending.

    Raises:
        LogError: as `read_log`; also when the stored utilities do not follow from the log.
    """
    if not lines:
        raise LogError(f"{source} is empty; it should start with a header line.")
    header = _parse(lines[0], source, 1)
    if header.get("format") != FORMAT:
        raise LogError(f"{source}:1: this is no {FORMAT}; write one with genius-py run --log.")
    if header.get("version") != VERSION:
        raise LogError(
            f"{source}:1: log version {header.get('version')!r} cannot be read by "
            f"genius-py {genius_py.__version__}, which reads version {VERSION}."
        )
    try:
        plan = SessionPlan(
            protocol=header["protocol"],
            scenario=scenario_from_dict(header["scenario"]),
            seats=[SeatPlan(**seat) for seat in header["seats"]],
            deadline=Deadline.parse(header["deadline"]),
            seed=header["seed"],
            retries=header["retries"],
            on_fault=header["on_fault"],
            faithful=header["faithful"],
        )
        rules = registry.find("protocol", registry.Spec.parse(plan.protocol).target)
    except (KeyError, TypeError, GeniusError) as error:
        raise LogError(f"{source}:1: the header is broken: {error}.") from error
    converter = _converter(plan.scenario.domain)
    classes = {cls.__name__: cls for cls in (*_ENGINE_ACTIONS, *rules.actions)}
    events, stored = [], None
    for number, line in enumerate(lines[1:], start=2):
        data = _parse(line, source, number)
        if data.get("kind") == "outcome":
            stored = data
            continue
        try:
            events.append(_event_from_dict(data, converter, classes))
        except (KeyError, TypeError, ValueError, cattrs.BaseValidationError) as error:
            raise LogError(f"{source}:{number}: the event cannot be read: {error}.") from error
    outcome = Outcome(plan, Log(events))
    if stored is not None and {"kind": "outcome", **_summary(outcome)} != stored:
        raise LogError(
            f"{source}:{len(lines)}: the stored utilities do not follow from the events above "
            f"and the profiles of the header; one of them was changed."
        )
    return outcome


def replay(recorded: Outcome | str | Path) -> Outcome:
    """Play a recorded session again, without its parties, and return what comes out.

    The recorded actions, faults and notes are sent into the same loop; the protocol decides anew.

    Raises:
        ReplayMismatch: an event or the ending differs; the text shows both.
        LogError: the log cannot be read, or has no ending.
    """
    if not isinstance(recorded, Outcome):
        recorded = read_log(recorded)
    recorded.ending  # noqa: B018  # raises when the session was interrupted
    plan, events = recorded.plan, tuple(recorded.log)
    session = Session(
        plan.scenario.domain,
        plan.deadline,
        Timeline(plan.deadline, lambda: 0.0),
        seed=plan.stream(1),
        retries=plan.retries,
        on_fault=plan.on_fault,
        faithful=plan.faithful,
        profiles={seat.id: plan.profile(seat) for seat in plan.parties},
    )
    if plan.deadline.seconds is not None:
        session.timeline = _RecordedTimeline(session, events)
    protocol: MultilateralProtocol = registry.make("protocol", plan.protocol)
    seats = tuple(Seat(s.id, s.role, s.is_mediator) for s in plan.seats)
    play = negotiate(protocol, session, seats)
    compared = 0
    try:
        step = next(play)
        while True:
            compared = _require_same(session.log, events, compared)
            step = play.send(_recorded_answers(step, session.log, events))
    except StopIteration:
        _require_same(session.log, events, compared)
    if len(session.log) != len(events):
        raise ReplayMismatch(
            f"The replay ended after {len(session.log)} events; {len(events)} were recorded."
        )
    return Outcome(plan, session.log)


class _RecordedTimeline(Timeline):
    """Shows the recorded times, and is over where time was up in the recorded session."""

    __slots__ = ("_events", "_faithful", "_log")

    def __init__(self, session: Session, events: Sequence[Event]) -> None:
        super().__init__(session.deadline, lambda: 0.0)
        self._faithful = session.faithful
        self._log = session.log
        self._events = events

    def reached(self, round_number: int) -> bool:
        event = self._events[min(len(self._log), len(self._events) - 1)]
        self.round, self.time = round_number, event.time
        if not isinstance(event.detail, Ending):
            return False
        # Nothing more was done, but rounds without turns leave no trace and were played all the
        # same. A round that time cut short stayed, unless it had no turn yet (or was faithful).
        if round_number > event.detail.rounds:
            return True
        done = next((e.round for e in reversed(self._log) if e.kind == Kind.ACTION), 0)
        return done == round_number and not self._faithful


def _recorded_answers(step: Step, log: Log, events: Sequence[Event]) -> list[Answer | Notes]:
    """What the driver sent at this point: the new log is as long as the record up to here."""
    now = len(log)
    if step.ended is not None:
        return [
            event.detail if isinstance(event.detail, Fault) else Notes(event.party, event.detail)  # type: ignore[arg-type]
            for event in events[now:]
        ]
    fault = events[now].detail if now < len(events) else None
    if isinstance(fault, Fault) and fault.during in ("init", "receive_message"):
        return [fault]
    return [_recorded_answer(turn.party.id, events, now) for turn in step.ask]


def _recorded_answer(party: str, events: Sequence[Event], now: int) -> Answer:
    notes: Mapping[str, object] = {}
    for place in range(now, len(events)):
        event = events[place]
        if event.party != party:
            continue
        if event.kind == Kind.NOTE:
            notes = event.detail  # type: ignore[assignment]
        elif event.kind == Kind.FAULT:
            assert isinstance(event.detail, Fault)
            # Its notes were logged first; a lone fault could not carry them.
            return Reply(event.detail, notes=notes) if notes else event.detail  # type: ignore[arg-type]
        elif event.kind == Kind.ACTION and event.action is not None:
            return Reply(event.action, notes=notes) if notes else event.action
    # In a sealed round that failed, those behind the culprit have answered without a trace. If it
    # is not that, this fault is not in the record and will be noticed.
    return Fault(party, "is asked for a turn that the log does not have", fatal=True)


def _require_same(log: Log, events: Sequence[Event], start: int) -> int:
    """Compare from event `start` on; how many events are known to be the same."""
    for number in range(start, len(log)):
        if number >= len(events) or log[number] != events[number]:
            was = events[number] if number < len(events) else "nothing"
            raise ReplayMismatch(
                f"Event {number + 1} was recorded as {was} but replays as {log[number]}."
            )
    return len(log)


def _summary(outcome: Outcome) -> dict[str, Any]:
    try:
        return {
            "utilities": dict(outcome.utilities),
            "discounted_utilities": dict(outcome.discounted_utilities),
            "reservation_values": dict(outcome.reservation_values),
        }
    except LogError:
        return {}


def _converter(domain: Domain) -> cattrs.Converter:
    converter = cattrs.Converter(omit_if_default=True)
    converter.register_unstructure_hook(Bid, dict)
    converter.register_structure_hook(Bid, lambda data, _: domain.bid(data))
    converter.register_structure_hook_func(lambda cls: cls is object, lambda data, _: data)
    return converter


def _event_to_dict(event: Event, converter: cattrs.Converter) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": event.kind,
        "round": event.round,
        "turn": event.turn,
        "time": event.time,
        "party": event.party,
    }
    if event.action is not None:
        action = converter.unstructure(event.action)
        data["action"] = {"type": type(event.action).__name__, **action}
    if event.audience:
        data["audience"] = list(event.audience)
    if event.detail is not None:
        data["detail"] = converter.unstructure(event.detail)
    return data


_DETAILS: Mapping[str, Any] = {
    Kind.FAULT: Fault,
    Kind.STANDING: Standing,
    Kind.END: Ending,
    Kind.NOTE: Mapping[str, object],
}


def _event_from_dict(
    data: Mapping[str, Any], converter: cattrs.Converter, classes: Mapping[str, type[Action]]
) -> Event:
    action = None
    if "action" in data:
        fields = dict(data["action"])
        name = fields.pop("type")
        if name not in classes:
            raise ValueError(f"the protocol has no action {name!r}")
        action = converter.structure(fields, classes[name])
    detail = None
    if "detail" in data:
        kind = _DETAILS[data["kind"]]
        detail = data["detail"]
        if data["kind"] != Kind.NOTE:
            detail = converter.structure(detail, kind)
    return Event(
        data["kind"],
        data["round"],
        data["turn"],
        data["time"],
        data["party"],
        action,
        tuple(data.get("audience", ())),
        detail,
    )


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(plain(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _parse(line: str, source: str, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise LogError(f"{source}:{number}:{error.colno}: no JSON: {error.msg}.") from error
    if not isinstance(data, dict):
        raise LogError(f"{source}:{number}: expected an object, found {type(data).__name__}.")
    return data
