"""Plays the sessions that Java Genius recorded, and tells them in its own words.

A record names a protocol, a domain and parties. `play` lays the same table, drives the loop, and
writes down what happens in the form of the record's result, so that the two can be compared as
they stand. Every ``traces/*.json`` of the golden vectors holds such records.
"""

import functools
import inspect
import json
import math
import os
import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import genius_py.protocols.mediator
from genius_py import registry
from genius_py.action import Action, Feedback, Vote
from genius_py.bid import Bid
from genius_py.deadline import Deadline, Timeline, TimelineView
from genius_py.errors import GeniusWarning, OptionError, ProfileError, UnknownName
from genius_py.fault import Fault
from genius_py.formats import genius_xml
from genius_py.formats.genius_xml import GeniusDomain
from genius_py.log import Event, Kind, Standing
from genius_py.negotiation import negotiate
from genius_py.parties.scripted import Scripted, ScriptedMediator
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocol import MultilateralProtocol
from genius_py.session import Answer, Notes, Reply, Seat, Session, Step, Turn
from genius_py.utility import UtilitySpace
from tests.golden.boa import boa_party

Record = dict[str, Any]

CALL_LIMIT = 60.0
"""Seconds that one call may take where the deadline is in rounds; else the deadline's."""


def recorded(group: str) -> pytest.MarkDecorator:
    """Parametrises a test over `record`: all sessions of ``traces/<group>.json``.

    The test must ask for the fixture `golden` too, which skips it when there are none.
    """
    records = [pytest.param(record, id=record["id"]) for record in _records(group)]
    return pytest.mark.parametrize("record", records or [pytest.param(None, id="none")])


def _records(group: str) -> list[Record]:
    # Fixtures come too late to make one test of each session, so the variable is read here.
    file = Path(os.environ.get("GENIUS_PY_GOLDEN", ""), "traces", f"{group}.json")
    if not file.is_file():
        return []
    records: list[Record] = json.loads(file.read_text(encoding="utf-8"))
    for place, record in enumerate(records):
        key = record["spec"].get("share_protocol", math.nan)
        record["before"] = [r for r in records[:place] if r["spec"].get("share_protocol") == key]
    return records


def expected(record: Record) -> Record:
    """The part of a record's result that `play` repeats.

    The rows of the tournament table and the texts of exceptions are left out.
    """
    result = {k: v for k, v in record["result"].items() if k not in ("log_values", "exception")}
    if result["status"] == "protocol_not_instantiable":
        return {"status": result["status"]}
    result["events"] = [_without_texts(event) for event in result["events"]]
    if record["spec"]["deadline"]["type"] == "TIME":
        # The order of the first messages is that of a hash map, and was not mended here.
        opening = [e for e in result["events"] if e["e"] == "message" and e["from"] is None]
        opening.sort(key=lambda event: str(event["to"]))
        result["events"][: len(opening)] = opening
    return result


def _without_texts(event: Record) -> Record:
    event = {k: v for k, v in event.items() if k not in ("exception", "agent_field")}
    return {**event, "threw": True} if "threw" in event else event


def play(golden: Path, record: Record, *, faithful: bool = True) -> Record:
    """The result of a record's session, played here.

    Sessions that share a protocol object have those before them played first. Skips the test,
    saying why, when there is no party of a kind or name that the session needs, and when Genius
    gave a party an estimate in the place of an uncertain profile.
    """
    try:
        protocol: MultilateralProtocol = registry.make("protocol", record["spec"]["protocol"])
    except UnknownName:
        bases = vars(genius_py.protocols.mediator)
        if inspect.isabstract(bases.get(record["spec"]["protocol"])):
            return {"status": "protocol_not_instantiable"}
        raise
    for earlier in record["before"]:
        _Table(golden / "inputs", earlier["spec"], protocol, faithful).play()
    return _Table(golden / "inputs", record["spec"], protocol, faithful).play()


class _Table:
    """One session, and what is written down about it."""

    def __init__(
        self, inputs: Path, spec: Record, protocol: MultilateralProtocol, faithful: bool
    ) -> None:
        self.inputs, self.spec, self.protocol = inputs, spec, protocol
        limit = spec["deadline"]
        unit = "rounds" if limit["type"] == "ROUND" else "seconds"
        self.deadline = Deadline(**{unit: limit["value"]})
        self.now = 0.0
        self.session = Session(
            _domain(inputs / spec["domain"]).domain,
            self.deadline,
            Timeline(self.deadline, lambda: self.now),
            faithful=faithful,
        )
        self.shown = TimelineView(self.deadline)
        self.made = {party["id"]: _party(party, self.sleep) for party in spec["parties"]}
        self.seats = tuple(
            Seat(id, is_mediator=party.is_mediator) for id, party in self.made.items()
        )
        self.profiles: list[UtilitySpace] = []
        self.events: list[Record] = []

    def play(self) -> Record:
        try:
            for party in self.spec["parties"]:
                self.init(party)
        except Exception:
            return {"status": "init_failed", "events": []}
        if self.spec.get("abort_protocol"):
            self.protocol.end_negotiation()
        try:
            self.drive()
        except OptionError:
            # We refuse to begin without a mediator; Genius begins, dies, and tells everybody.
            self.farewell(None)
            return self.result(failed=True)
        faults = [e.detail for e in self.session.log if isinstance(e.detail, Fault)]
        return self.result(failed=any(f.during != "negotiation_ended" for f in faults))

    def init(self, party: Record) -> None:
        profile = _profile(self.inputs / self.spec["domain"], self.inputs / party["profile"])
        if profile.complaint:
            raise ProfileError(profile.complaint)
        self.profiles.append(profile)
        self.made[party["id"]].init(
            NegotiationInfo(
                agent_id=party["id"],
                role=party["id"],
                utility_space=profile,
                seats=tuple(self.made),
                protocol=self.protocol.name,
                deadline=self.deadline,
                timeline=self.shown,
                history=self.session.log.seen_by(party["id"]),
                seed=party["seed"],
                seed_sequence=np.random.SeedSequence(party["seed"]),
                faithful=self.session.faithful,
            )
        )

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def drive(self) -> None:
        play = negotiate(self.protocol, self.session, self.seats)
        answers: Sequence[Answer | Notes] | None = None
        while True:
            try:
                step = next(play) if answers is None else play.send(answers)
            except StopIteration:
                return
            answers = self.answers(step)

    def answers(self, step: Step) -> Sequence[Answer | Notes]:
        delivered = 0
        for event in step.tell:
            assert event.action is not None
            told = _told(event.action)
            for listener in event.audience:
                self.write("message", to=listener, sender=event.sender, action=told)
                try:
                    self.made[listener].receive_message(event.sender, event.action)
                except Exception as error:
                    return [Fault(listener, str(error), "receive_message", delivered=delivered)]
                delivered += 1
            if event.kind == Kind.ACTION:
                self.write_action(event, told)
        self.shown.show(step.round, step.time)
        if step.ended is not None:
            return self.farewell(step.ended.agreement)
        return [self.ask(turn) for turn in step.ask]

    def ask(self, turn: Turn) -> Answer:
        party, began = turn.party.id, self.now
        said: Record
        answer: Answer
        try:
            answer = self.made[party].choose_action(turn.allowed)
            said = {"returned": None if answer is None else _told(answer)}
            if self.now - began > (self.deadline.seconds or CALL_LIMIT):
                raise TimeoutError
        except Exception as error:
            answer, said = Fault(party, str(error)), {"threw": True}
        self.write(
            "choose",
            party=party,
            round=self.session.round_number,
            t=self.time,
            allowed=[cls.__name__ for cls in turn.allowed],
            **said,
        )
        return answer

    def write_action(self, event: Event, told: Record) -> None:
        bid = getattr(event.action, "bid", None)
        utilities = None if bid is None else [space.utility(bid) for space in self.profiles]
        standing = self.standing(event)
        self.write(
            "action",
            round=event.round,
            turn=event.turn,
            t=self.time,
            party=event.party,
            action=told,
            utils=utilities,
            discounted=self.discounted(utilities),
            agreement=_content(standing.agreement),
            agreeing=standing.agreeing_parties,
        )

    def standing(self, event: Event) -> Standing:
        """The agreement after an action, which the log of a faithful session holds."""
        log = self.session.log
        place = next(i for i in reversed(range(len(log))) if log[i] is event)
        for later in log[place + 1 : place + 2]:
            if isinstance(later.detail, Standing):
                return later.detail
        return Standing(
            self.protocol.get_current_agreement(self.session, self.seats),
            self.protocol.get_number_of_agreeing_parties(self.session, self.seats),
        )

    def farewell(self, agreement: Bid | None) -> Sequence[Notes | Fault]:
        came: list[Notes | Fault] = []
        for id, party in self.made.items():
            self.write("ended", party=id, agreement=_content(agreement))
            try:
                notes = party.negotiation_ended(agreement)
            except Exception as error:
                self.write("recoverable_error", party=id)
                came.append(Fault(id, str(error), "negotiation_ended"))
            else:
                if notes:
                    self.write("agent_log", log=dict(notes))
                    came.append(Notes(id, notes))
        return came

    def result(self, failed: bool) -> Record:
        result = {
            "status": "failed" if failed else "normal",
            "events": self.events,
            "rounds": self.session.round_number,
            "t_end": self.time,
        }
        if failed:
            return result
        agreement = self.protocol.get_current_agreement(self.session, self.seats)
        others = [seat for seat in self.seats if not seat.is_mediator]
        utilities = [0.0 if agreement is None else s.utility(agreement) for s in self.profiles]
        discounted = self.discounted(utilities)
        count = self.protocol.get_number_of_agreeing_parties
        return result | {
            "agreement": _content(agreement),
            "agreement_index": None if agreement is None else agreement.index,
            "agreeing_all": count(self.session, self.seats),
            "agreeing_nonmediators": count(self.session, others),
            "utils": utilities,
            "discounted": [None] * len(utilities) if discounted is None else discounted,
            "reservation": [space.reservation_value for space in self.profiles],
        }

    @property
    def time(self) -> float | None:
        """Progress; of a clock that ran elsewhere there is none to compare with."""
        return self.shown.time if self.deadline.seconds is None else None

    def discounted(self, utilities: list[float] | None) -> list[float] | None:
        if utilities is None or self.time is None:
            return None
        return [
            space.discounted(utility, self.time)
            for space, utility in zip(self.profiles, utilities, strict=True)
        ]

    def write(self, kind: str, *, sender: str | None = "", **fields: object) -> None:
        event: Record = {"e": kind, **fields}
        if sender != "":
            event["from"] = sender  # a keyword of Python, so it cannot be one here
        self.events.append(event)


def _told(action: Action | Reply | Fault) -> Record:
    """An action as the records write it."""
    assert isinstance(action, Action)
    told: Record = {"type": type(action).__name__, "agent": action.party}
    for field in ("bid", "vote", "feedback", "name", "value"):
        if hasattr(action, field):
            told[field] = getattr(action, field)
    if isinstance(bid := told.get("bid"), Bid):
        told |= {"bid": _content(bid), "bid_index": bid.index}
    return {k: v.value if isinstance(v, Vote | Feedback) else v for k, v in told.items()}


def _content(bid: Bid | None) -> Record | None:
    return None if bid is None else dict(bid)


def _party(party: Record, sleep: Callable[[float], None]) -> NegotiationParty:
    match party["kind"]:
        case "scripted":
            return Scripted(party["script"], sleep)
        case "scripted_mediator":
            return ScriptedMediator(party["script"], sleep)
        case "class":
            made = _class(party["spec"])()
            assert isinstance(made, NegotiationParty)
            return made
        case "boa":
            try:
                return boa_party(party["spec"])
            except OptionError as error:
                pytest.skip(f"a part is missing: {error}")
    pytest.skip(f"there is no party of the kind {party['kind']!r}")


def _class(path: str) -> type[Any]:
    """The class that goes by a Genius path: by the whole of it, or else by its last part."""
    for cls in registry.names("party").values():
        if path in cls.aliases:
            return cls
    try:
        return registry.find("party", path)
    except UnknownName as error:
        pytest.skip(str(error))


@functools.cache
def _domain(file: Path) -> GeniusDomain:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GeniusWarning)
        return genius_xml.read_genius_domain(file)


@functools.cache
def _profile(domain: Path, file: Path) -> UtilitySpace:
    if re.search(rb"""type\s*=\s*["']uncertain["']""", file.read_bytes()[:2000], re.IGNORECASE):
        pytest.skip(f"Genius gave a party an estimate in the place of the profile {file.name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GeniusWarning)
        return genius_xml.read_profile(file, _domain(domain))
