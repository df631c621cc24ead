"""Logs as files of JSON lines, and replays that fail loudly when something does not match."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.deadline import Deadline
from genius_py.errors import GeniusWarning, LogError, ReplayMismatch
from genius_py.log import Kind, Log
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.plan import SessionPlan
from genius_py.scenario import Scenario
from genius_py.seating import plan_session
from genius_py.session import Reply
from genius_py.testing import LegalParty, ScriptedParty
from genius_py.testing.scenarios import discrete_scenario, mixed_scenario
from genius_py.testing.strategies import scenarios
from genius_py.trace import _converter, dump_log, parse_log, read_log, replay, write_log

SCENARIO = discrete_scenario()
BIDS = [SCENARIO.domain.bid_at(index) for index in range(24)]

TALK = "genius_py.testing.protocols:SmallTalk"
SEALED = "genius_py.testing.protocols:SealedOffers"

NASTY = 'a "b" \\ \n\r\t c\u2028d\u2029e\x85f\x0b\x0c\x1c\x1b[31m g\ud800 \N{GRINNING FACE}'
"""What a message may hold: quotes, every kind of line end, escapes, half a surrogate pair."""


def played(protocol: str = "SAOP", **options: Any) -> Outcome:
    plan, _ = plan_session(protocol, options.pop("scenario", SCENARIO), **options)
    return SessionManager(plan, {seat.id: LegalParty for seat in plan.parties}).run()


def talk() -> Outcome:
    """A session with messages, notes, a fault and an agreement."""
    ann = ScriptedParty(
        Reply(Offer("ann", BIDS[1]), message=NASTY, notes={"plan": {"stay": [1, 2.5, None, "é"]}}),
        OSError("no"),
        Accept("ann", BIDS[2]),
    )
    bob = ScriptedParty(Offer("bob", BIDS[2]), farewell={"note": "done"})
    plan, _ = plan_session("SAOP", SCENARIO, deadline=5, seed=3, retries=1)
    return SessionManager(plan, {"ann": lambda: ann, "bob": lambda: bob}).run()


def rewritten(outcome: Outcome, number: int, change: Callable[[dict[str, Any]], Any]) -> list[str]:
    """The lines of a log with one of them (counted from 1) changed, and the checksum too."""
    lines = list(dump_log(outcome))
    data = json.loads(lines[number - 1])
    change(data)
    lines[number - 1] = json.dumps(data)
    above = "".join(f"{line}\n" for line in lines[:-1]).encode("utf-8", "backslashreplace")
    last = {**json.loads(lines[-1]), "sha256": hashlib.sha256(above).hexdigest()}
    return [*lines[:-1], json.dumps(last)]


class TestFiles:
    """What is written is read as the same."""

    def test_a_log_is_read_as_it_was_written(self, tmp_path: Path) -> None:
        outcome, file = talk(), tmp_path / "log.jsonl"
        write_log(outcome, file)
        read = read_log(file)
        assert read == outcome
        assert read.plan == outcome.plan
        assert [a.message for a in read.log.actions] == [a.message for a in outcome.log.actions]
        assert read.log.actions[0].message == NASTY

    @pytest.mark.parametrize("protocol", ["SAOP", "AMOP", "AMCP:threshold=0.9", "simple_mediator"])
    @pytest.mark.parametrize("faithful", [False, True])
    def test_every_protocol_is_read_as_it_was_written(self, protocol: str, faithful: bool) -> None:
        outcome = played(protocol, scenario=mixed_scenario(3), faithful=faithful, deadline=4)
        lines = list(dump_log(outcome))
        assert parse_log(lines) == outcome
        assert list(dump_log(replay(parse_log(lines)))) == lines

    def test_the_same_plan_gives_the_same_bytes(self, tmp_path: Path) -> None:
        one, other = tmp_path / "one", tmp_path / "other"
        write_log(talk(), one)
        write_log(talk(), other)
        assert one.read_bytes() == other.read_bytes()

    def test_a_file_holds_one_object_a_line_and_no_escape_bytes(self, tmp_path: Path) -> None:
        # C81.
        file = tmp_path / "log.jsonl"
        write_log(talk(), file)
        data = file.read_bytes()
        assert b"\x1b" not in data
        assert b"\r" not in data
        assert data.endswith(b"}\n")
        header, *events = (
            json.loads(line) for line in data.decode().removesuffix("\n").split("\n")
        )
        assert (header["format"], header["version"]) == ("genius-py session log", 2)
        assert header["seed"] == 3
        assert [event["kind"] for event in events[-3:]] == ["end", "note", "outcome"]
        assert set(events[-1]["utilities"]) == {"ann", "bob"}

    @pytest.mark.parametrize("seconds", [30, 1 / 3, 1e-7, 1e9])
    def test_no_digit_of_a_deadline_is_lost(self, seconds: float) -> None:
        plan, _ = plan_session("SAOP", SCENARIO, deadline=Deadline(seconds=seconds))
        lines = list(dump_log(Outcome(plan, Log())))
        assert parse_log(lines).plan == plan

    def test_the_clock_leaves_no_trace_but_progress(self) -> None:
        lines = list(dump_log(played()))
        assert not any(word in line for line in lines for word in ("clock", "elapsed", "started"))


class TestReplays:
    """The rules decide anew, without parties."""

    def test_a_replay_comes_to_the_same(self) -> None:
        outcome = talk()
        assert replay(outcome) == outcome

    def test_a_replay_needs_no_party(self, tmp_path: Path) -> None:
        outcome = talk()
        lines = rewritten(outcome, 1, lambda header: header["seats"][0].update(party="gone:Gone"))
        assert replay(parse_log(lines)).log == outcome.log

    def test_a_replay_reads_a_file(self, tmp_path: Path) -> None:
        write_log(talk(), tmp_path / "log.jsonl")
        assert replay(tmp_path / "log.jsonl") == replay(str(tmp_path / "log.jsonl")) == talk()

    def test_a_protocol_in_a_loose_file_is_found_again(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.py"
        file.write_text(
            "from genius_py.protocols import alternating_offers\n\n\n"
            "class Mine(alternating_offers.StackedAlternatingOffersProtocol):\n"
            '    name = "mine"\n'
        )
        outcome = played(f"{file}:Mine")
        assert replay(parse_log(list(dump_log(outcome)))).log == outcome.log

    @pytest.mark.parametrize(
        ("number", "change", "words"),
        [
            # Events 1 and 2 are what the protocol told; the header is line 1 of the file.
            (4, lambda e: e.update(time=0.9), "Event 3 was recorded as"),
            (6, lambda e: e["action"].update(bid=dict(BIDS[5])), "but replays as"),
            (5, lambda e: e.update(audience=["ann"]), "Event 4 was recorded as"),
            (6, lambda e: e["action"].update(party="ann"), "Event 5 was recorded as"),
        ],
    )
    def test_a_changed_event_is_noticed(
        self, number: int, change: Callable[[dict[str, Any]], Any], words: str
    ) -> None:
        with pytest.raises(ReplayMismatch, match=words):
            replay(parse_log(rewritten(talk(), number, change)))

    def test_a_missing_event_is_noticed(self) -> None:
        outcome = talk()
        for place, event in enumerate(outcome.log):
            if event.kind in (Kind.NOTE, Kind.FAULT):
                continue  # nothing follows from a note, or from a fault that was made good
            events = [*outcome.log[:place], *outcome.log[place + 1 :]]
            with pytest.raises(LogError):
                replay(Outcome(outcome.plan, Log(events)))

    def test_an_event_too_many_is_noticed(self) -> None:
        outcome = talk()
        turns = [place for place, event in enumerate(outcome.log) if event.kind == Kind.ACTION]
        for place in turns:
            events = [*outcome.log[:place], outcome.log[place], *outcome.log[place:]]
            with pytest.raises(ReplayMismatch):
                replay(Outcome(outcome.plan, Log(events)))

    def test_another_seed_of_rules_without_chance_replays_all_the_same(self) -> None:
        lines = rewritten(talk(), 1, lambda header: header.update(seed=99))
        assert replay(parse_log(lines)).plan.seed == 99

    def test_other_rules_come_to_something_else(self) -> None:
        lines = rewritten(talk(), 1, lambda header: header.update(retries=0))
        with pytest.raises(ReplayMismatch):
            replay(parse_log(lines))


class TestErrors:
    """What is no log is refused, with the place."""

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "is empty; it should start with a header line"),
            ("hello\n", "log.jsonl:1:1: no JSON"),
            ("[1]\n", "log.jsonl:1: expected an object, found list"),
            ("{}\n", "log.jsonl:1: this is no genius-py session log"),
            (
                '{"format": "genius-py session log", "version": 99}\n',
                "log version 99 cannot be read",
            ),
            ('{"format": "genius-py session log", "version": 1}\n', "the header is broken"),
        ],
    )
    def test_what_is_no_log_is_refused(self, tmp_path: Path, text: str, words: str) -> None:
        file = tmp_path / "log.jsonl"
        file.write_text(text)
        with pytest.raises(LogError, match=words):
            read_log(file)

    def test_a_file_that_is_not_there_or_no_text_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(LogError, match="Cannot read the log"):
            read_log(tmp_path / "nowhere.jsonl")
        (tmp_path / "binary").write_bytes(b"{}\n\xff\xfe\x00")
        with pytest.raises(LogError, match="binary:1: this is no genius-py session log"):
            read_log(tmp_path / "binary")
        (tmp_path / "binary").write_bytes(b"{}\nab\xff\n")
        with pytest.raises(LogError, match="binary:2: byte 0xff is not UTF-8"):
            read_log(tmp_path / "binary")

    @pytest.mark.parametrize(
        ("number", "change"),
        [
            (1, lambda header: header.pop("seats")),
            (1, lambda header: header["seats"][0].update(hat="red")),
            (1, lambda header: header.update(deadline="soon")),
            (1, lambda header: header.update(seed=-1)),
            (1, lambda header: header.update(protocol="SOAP")),
            (1, lambda header: header["scenario"].pop("issues")),
            (2, lambda event: event.pop("round")),
            (2, lambda event: event["action"].pop("type")),
            (2, lambda event: event["action"].update(type="Dance")),
            (4, lambda event: event.update(detail={"reason": "x"}, kind="fault")),
            (5, lambda event: event["action"].pop("bid")),
            (5, lambda event: event["action"].update(bid={"colour": "pink"})),
            (5, lambda event: event["action"].update(bid="pink")),
            (5, lambda event: event.update(kind="dance", detail=1)),
        ],
    )
    def test_a_broken_line_is_named(
        self, number: int, change: Callable[[dict[str, Any]], Any]
    ) -> None:
        with pytest.raises(LogError, match=f"^log:{number}: "):
            parse_log(rewritten(talk(), number, change))

    def test_utilities_that_do_not_follow_are_noticed(self) -> None:
        last = len(list(dump_log(talk())))
        lines = rewritten(talk(), last, lambda data: data["utilities"].update(ann=1.0))
        with pytest.raises(LogError, match="the stored utilities do not follow"):
            parse_log(lines)

    def test_a_log_of_an_interrupted_session_can_be_read_but_has_no_ending(self) -> None:
        lines = [line for line in dump_log(talk()) if '"kind":"end"' not in line][:-1]
        with pytest.warns(GeniusWarning, match=f"cut off after line {len(lines)}; it is read as"):
            outcome = parse_log(lines)
        assert outcome.turns == 3
        with pytest.raises(LogError, match="the session was interrupted"):
            _ = outcome.ending
        with pytest.raises(LogError, match="the session was interrupted"):
            replay(outcome)

    def test_a_log_without_a_checksum_is_of_version_1_and_can_be_read(self) -> None:
        lines = list(dump_log(talk()))
        header, last = json.loads(lines[0]), json.loads(lines[-1])
        del last["sha256"]
        with pytest.raises(LogError, match="its checksum is another"):
            parse_log([*lines[:-1], json.dumps(last)])
        old = [json.dumps({**header, "version": 1}), *lines[1:-1], json.dumps(last)]
        assert replay(parse_log(old)) == talk()

    def test_reading_a_log_compiles_nothing_that_another_has_compiled(self) -> None:
        lines = list(dump_log(talk()))
        parse_log(lines)
        before = _converter.cache_info()
        parse_log(list(dump_log(played())))
        assert _converter.cache_info().misses == before.misses == 1

    def test_a_log_cut_off_within_a_line_names_it(self) -> None:
        lines = list(dump_log(talk()))
        lines[-1] = lines[-1][:20]
        with pytest.raises(LogError, match=f"^log:{len(lines)}:"):
            parse_log(lines)


@settings(max_examples=40)
@given(
    scenario=scenarios(max_size=300),
    protocol=st.sampled_from(
        ["SAOP", "AMOP", "AMCP", "simple_mediator", "mediator_feedback", TALK, SEALED]
    ),
    seed=st.integers(0, 1000),
    faithful=st.booleans(),
)
def test_any_session_about_anything_is_written_read_and_replayed(
    scenario: Scenario, protocol: str, seed: int, faithful: bool
) -> None:
    outcome = played(
        protocol,
        scenario=scenario,
        seed=seed,
        faithful=faithful,
        deadline=4,
        on_fault="forfeit",
        retries=1,
    )
    lines = list(dump_log(outcome))
    assert list(dump_log(replay(parse_log(lines)))) == lines


def test_a_plan_is_all_that_a_replay_takes() -> None:
    ann = ScriptedParty(Offer("ann", BIDS[1]))
    plan, _ = plan_session("SAOP", SCENARIO, deadline=2)
    outcome = SessionManager(
        plan, {"ann": lambda: ann, "bob": lambda: ScriptedParty(EndNegotiation("bob"))}
    ).run()
    assert isinstance(outcome.plan, SessionPlan)
    assert replay(Outcome(plan, Log(outcome.log))) == outcome
