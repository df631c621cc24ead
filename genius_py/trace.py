"""Session logs as files of JSON lines, and replaying them.

The first line is the header: the whole plan. Each further line is one event. The last line holds
the utilities, so that a log can be read without this program, and a checksum of the lines above
it, since not every change to what was said would change what came of it. It tells of accidents,
not of forgers, who can compute it too. Nothing in a file depends on the wall clock unless the
deadline does: the same plan gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import attrs
import cattrs

import genius_py
from genius_py import registry
from genius_py.action import Action, Forfeit, Inform, Say
from genius_py.bid import Bid
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.errors import GeniusError, GeniusWarning, LogError, ReplayMismatch
from genius_py.fault import Fault
from genius_py.formats import scenario_from_dict, scenario_to_dict
from genius_py.issue import Value
from genius_py.log import Ending, Event, Kind, Log, Standing
from genius_py.negotiation import negotiate
from genius_py.outcome import Outcome
from genius_py.plain import plain
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.session import Answer, Notes, Reply, Session, Step, seats_of

__all__ = ["FORMAT", "VERSION", "dump_log", "parse_log", "read_log", "replay", "write_log"]

_T = TypeVar("_T")

FORMAT = "genius-py session log"
VERSION = 2
_UNSIGNED = 1
"""The version whose logs have no checksum; they are read all the same."""

_DOMAIN: ContextVar[Domain] = ContextVar("domain")
"""Whose bids are being read."""

_ENGINE_ACTIONS: tuple[type[Action], ...] = (Forfeit, Inform, Say)
"""What the engine itself, or every protocol, may log besides the protocol's own actions."""


def write_log(outcome: Outcome, path: str | Path) -> None:
    """Write a session's log, replacing the file.

    Raises:
        DomainError: a profile is a callable over a domain too large to be stored as a table.
        LogError: the file cannot be written.
    """
    data = b"".join(_bytes_of(line) for line in dump_log(outcome))
    try:
        Path(path).write_bytes(data)
    except (OSError, ValueError) as error:  # the latter for a name that holds a null
        reason = getattr(error, "strerror", None) or error
        raise LogError(f"Cannot write the log {str(path)!r}: {reason}.") from error


def _bytes_of(line: str) -> bytes:
    # Half a surrogate pair, which UTF-8 cannot hold, becomes the JSON escape that means it.
    return f"{line}\n".encode("utf-8", "backslashreplace")


def dump_log(outcome: Outcome) -> Iterator[str]:
    """The lines of the log, without line ends."""
    digest = hashlib.sha256()
    for line in _told(outcome):
        digest.update(_bytes_of(line))
        yield line
    yield _json({"kind": "outcome", **_summary(outcome), "sha256": digest.hexdigest()})


def _told(outcome: Outcome) -> Iterator[str]:
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
    for event in outcome.log:
        yield _ENCODER.encode(_event_to_dict(event))


def read_log(path: str | Path) -> Outcome:
    """Read a log that `write_log` wrote.

    Warns:
        GeniusWarning: the log was cut off, since the program or the disk failed while it was
            being written; it is read as far as it goes.

    Raises:
        LogError: the file is not a log, is of a newer version, has a broken line, or was changed
            after it had been written.
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # the latter for a name that holds a null
        reason = getattr(error, "strerror", None) or error
        raise LogError(f"Cannot read the log {str(path)!r}: {reason}.") from error
    *whole, rest = data.split(b"\n")
    if rest and (not whole or _is_json(rest)):  # nothing is missing but the line end
        whole.append(rest)
    lines = []
    for number, line in enumerate(whole, start=1):
        try:
            lines.append(line.decode("utf-8").removesuffix("\r"))
        except UnicodeDecodeError as error:
            byte = f"0x{line[error.start]:02x}"
            raise LogError(f"{path}:{number}: byte {byte} is not UTF-8; this is no log.") from error
    return parse_log(lines, str(path))


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (RecursionError, ValueError):
        return False
    return True


def parse_log(lines: Sequence[str], source: str = "log") -> Outcome:
    """The outcome that the lines of a log tell; that of a log that was cut off has no ending.

    Warns:
        GeniusWarning: as `read_log`.

    Raises:
        LogError: as `read_log`; also when the stored utilities do not follow from the log.
    """
    if not lines:
        raise LogError(f"{source} is empty; it should start with a header line.")
    header = _parse(lines[0], source, 1)
    if header.get("format") != FORMAT:
        raise LogError(f"{source}:1: this is no {FORMAT}; write one with genius-py run --log.")
    if header.get("version") not in (_UNSIGNED, VERSION):
        raise LogError(
            f"{source}:1: log version {header.get('version')!r} cannot be read by "
            f"genius-py {genius_py.__version__}, which reads versions {_UNSIGNED} and {VERSION}."
        )
    plan, classes = _plan_and_actions(header, source)
    events, stored = [], None
    with _bids_of(plan.scenario.domain):
        for number, line in enumerate(lines[1:], start=2):
            data = _parse(line, source, number)
            if stored is not None:
                raise LogError(f"{source}:{number}: nothing may follow the utilities.")
            if data.get("kind") == "outcome":
                stored = data
                continue
            try:
                events.append(_event_from_dict(data, classes))
            except _UNREADABLE as error:
                reason = _reason(error)
                raise LogError(f"{source}:{number}: the event cannot be read: {reason}.") from error
    outcome = Outcome(plan, Log(events))
    if stored is None:
        warnings.warn(
            GeniusWarning(
                f"{source} was cut off after line {len(lines)}; it is read as far as it goes, "
                f"without the checksum that would vouch for it."
            ),
            stacklevel=2,
        )
        return outcome
    if "sha256" in stored or header["version"] != _UNSIGNED:
        _require_checksum(stored, lines, source)
    _require_summary(stored, outcome, f"{source}:{len(lines)}")
    return outcome


def _plan_and_actions(
    header: Mapping[str, Any], source: str
) -> tuple[SessionPlan, Mapping[str, type[Action]]]:
    """The plan of a header, and by their names the actions that its events may hold."""
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
        rules = registry.class_of("protocol", plan.protocol)
    except (AttributeError, KeyError, TypeError, GeniusError) as error:
        raise LogError(f"{source}:1: the header is broken: {_reason(error)}.") from error
    return plan, {cls.__name__: cls for cls in (*_ENGINE_ACTIONS, *rules.actions)}


def _require_checksum(stored: Mapping[str, Any], lines: Sequence[str], source: str) -> None:
    digest = hashlib.sha256()
    for line in lines[:-1]:
        digest.update(_bytes_of(line))
    if stored.get("sha256") != digest.hexdigest():
        raise LogError(
            f"{source} was changed after it had been written: its checksum is another. What it "
            f"says cannot be trusted; run the session again."
        )


def _require_summary(stored: Mapping[str, Any], outcome: Outcome, place: str) -> None:
    told = {key: value for key, value in stored.items() if key not in ("kind", "sha256")}
    try:
        found = plain(_summary(outcome))
    except (GeniusError, KeyError) as error:  # such as payoffs for others than those who sit there
        raise LogError(f"{place}: no utilities follow from this: {_reason(error)}.") from error
    if found != told:
        raise LogError(
            f"{place}: the stored utilities do not follow from the events above "
            f"and the profiles of the header; one of them was changed."
        )


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
    session = Session.of(plan, Timeline(plan.deadline, lambda: 0.0))
    if plan.deadline.seconds is not None:
        session.timeline = _RecordedTimeline(session, events)
    protocol: MultilateralProtocol = registry.make("protocol", plan.protocol)
    play = negotiate(protocol, session, seats_of(plan))
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


@contextmanager
def _bids_of(domain: Domain) -> Iterator[None]:
    token = _DOMAIN.set(domain)
    try:
        yield
    finally:
        _DOMAIN.reset(token)


@cache
def _converter() -> cattrs.Converter:
    # One for all logs: it compiles how each class is read and written, which takes longer than
    # to read a small log. So the domain, which differs, does not come with it.
    converter = cattrs.Converter(omit_if_default=True, forbid_extra_keys=True)
    for kind in (bool, float, int, str):
        converter.register_structure_hook(kind, _checked)
    converter.register_unstructure_hook(Bid, _values)
    converter.register_structure_hook(Bid, lambda data, _: _DOMAIN.get().bid(data))
    converter.register_structure_hook_func(lambda cls: cls is object, lambda data, _: data)
    return converter


def _values(bid: Bid) -> dict[str, Value]:
    return dict(zip(bid.domain.issue_names, bid.content, strict=True))


def _event_to_dict(event: Event) -> dict[str, Any]:
    """The event as plain data; only what parties or protocols made of it needs to be made plain."""
    data: dict[str, Any] = {
        "kind": event.kind,
        "round": event.round,
        "turn": event.turn,
        "time": event.time,
        "party": event.party,
    }
    if event.action is not None:
        action = _converter().unstructure(event.action)
        data["action"] = plain({"type": type(event.action).__name__, **action})
    if event.audience:
        data["audience"] = list(event.audience)
    if event.detail is not None:
        data["detail"] = plain(_converter().unstructure(event.detail))
    return data


_DETAILS: Mapping[str, Any] = {
    Kind.ACTION: None,
    Kind.END: Ending,
    Kind.FAULT: Fault,
    Kind.INFORM: None,
    Kind.NOTE: dict[str, object],
    Kind.STANDING: Standing,
}
"""What the detail of each kind of event is."""

_UNREADABLE = (
    AttributeError,
    KeyError,
    OverflowError,
    TypeError,
    ValueError,
    cattrs.BaseValidationError,
)
"""What comes of an event that is not as it was written."""


def _reason(error: Exception) -> str:
    while isinstance(error, cattrs.BaseValidationError) and error.exceptions:
        error = error.exceptions[0]
    text = str(error).strip().removesuffix(".") or type(error).__name__
    return f"{text} is missing" if isinstance(error, KeyError) else text


def _event_from_dict(data: Mapping[str, Any], classes: Mapping[str, type[Action]]) -> Event:
    kind = _required(data, "kind", str)
    if kind not in _DETAILS:
        raise ValueError(f"there is no kind of event {kind!r}")
    action = None
    if kind in (Kind.ACTION, Kind.INFORM):
        fields = dict(_required(data, "action", dict))
        name = _required(fields, "type", str)
        del fields["type"]
        if name not in classes:
            raise ValueError(f"the protocol has no action {name!r}")
        action = _converter().structure(fields, classes[name])
    detail = None
    if _DETAILS[kind] is not None:
        told = _required(data, "detail", dict)
        detail = told if kind == Kind.NOTE else _converter().structure(told, _DETAILS[kind])
    time = _required(data, "time", float)
    if not 0 <= time <= 1:
        raise ValueError(f"the time is {time}, not in [0, 1]")
    audience = data.get("audience", [])
    if not isinstance(audience, list) or not all(isinstance(seat, str) for seat in audience):
        raise TypeError("the audience is no list of texts")
    return Event(
        kind,
        _required(data, "round", int),
        _required(data, "turn", int),
        time,
        _required(data, "party", str),
        action,
        tuple(audience),
        detail,
    )


def _required(data: Mapping[str, Any], key: str, kind: type[_T]) -> _T:
    try:
        return _checked(data[key], kind)
    except TypeError as error:
        raise TypeError(f"{key}: {error}") from None


def _checked(value: Any, kind: type[_T]) -> _T:
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise TypeError(f"{value!r} is not of type {kind.__name__}")
    return value


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _json(data: Mapping[str, Any]) -> str:
    return _ENCODER.encode(plain(data))


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _parse(line: str, source: str, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise LogError(f"{source}:{number}:{error.colno}: no JSON: {error.msg}.") from error
    except (RecursionError, ValueError) as error:  # nested, or a number, without end
        raise LogError(f"{source}:{number}: cannot be read: {error}.") from error
    if not isinstance(data, dict):
        raise LogError(f"{source}:{number}: expected an object, found {type(data).__name__}.")
    return data
