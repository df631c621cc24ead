"""Parties that throw, print, leave, note down or hold on to what they should not."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genius_py.action import EndNegotiation, Offer
from genius_py.errors import OptionError
from genius_py.isolation import IsolatedParty
from genius_py.log import Kind, Reason
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.party_source import PartySource
from genius_py.seating import plan_session
from genius_py.session import Reply
from genius_py.testing import LegalParty, ScriptedParty
from genius_py.testing.scenarios import discrete_scenario
from genius_py.trace import dump_log, parse_log, replay

SCENARIO = discrete_scenario()
DEAL = SCENARIO.domain.bid_at(0)


def play(*sources: PartySource, **options: Any) -> Outcome:
    """A session of two rounds, whose log is read and replayed as well."""
    plan, _ = plan_session("SAOP", SCENARIO, deadline=2, **options)
    seats = [seat.id for seat in plan.parties]
    outcome = SessionManager(plan, dict(zip(seats, sources, strict=True))).run()
    lines = list(dump_log(outcome))
    assert parse_log(lines) == outcome
    assert list(dump_log(replay(parse_log(lines)))) == lines
    return outcome


def scripted(*moves: Any, **options: Any) -> Callable[[], NegotiationParty]:
    party = ScriptedParty(*moves, **options)
    return lambda: party


class Signal(BaseException):
    """What no ``except Exception`` catches."""


class Untold(Exception):
    """An error that cannot say what is wrong."""

    def __str__(self) -> str:
        raise ValueError("nor this")


class NoText(Exception):
    """An error whose text is none."""

    def __str__(self) -> str:
        return 5  # type: ignore[return-value]


class TestThrown:
    """Whatever a party throws is its own fault, told in a text of a bearable length."""

    @pytest.mark.parametrize(
        ("error", "reason"),
        [
            (Signal("x"), "raised Signal: x"),
            (GeneratorExit(), "raised GeneratorExit"),
            (StopIteration(), "raised StopIteration"),
            (Untold(), "raised Untold: (its text cannot be told)"),
            (NoText(), "raised NoText: (its text cannot be told)"),
            (ValueError("x" * 10**6), f"raised ValueError: {'x' * 1988}..."),
        ],
    )
    def test_in_a_turn(self, error: BaseException, reason: str) -> None:
        outcome = play(scripted(error), LegalParty)
        assert [fault.reason for fault in outcome.faults] == [reason]
        assert outcome.reason is Reason.FAULT

    @pytest.mark.parametrize("during", ["deaf", "ill", "farewell"])
    def test_at_any_other_time(self, during: str) -> None:
        class Failing(ScriptedParty):
            def init(self, info: Any) -> None:
                super().init(info)
                if during == "ill":
                    raise Signal

            def receive_message(self, sender: str | None, action: Any) -> None:
                if during == "deaf":
                    raise Signal

            def negotiation_ended(self, agreement: Any) -> Any:
                if during == "farewell":
                    raise Signal

        outcome = play(lambda: Failing(EndNegotiation("ann")), LegalParty)
        assert {(fault.party, fault.reason) for fault in outcome.faults} >= {
            ("ann", "raised Signal")
        }

    def test_a_person_at_the_keyboard_ends_the_program(self) -> None:
        with pytest.raises(KeyboardInterrupt):
            play(scripted(KeyboardInterrupt()), LegalParty)

    def test_a_profile_of_its_own_that_is_none_is_named_before_the_session(self) -> None:
        class Strange(NegotiationParty):
            @classmethod
            def profile_for(cls, space: Any, options: Any) -> Any:
                return None

        class Failing(NegotiationParty):
            @classmethod
            def profile_for(cls, space: Any, options: Any) -> Any:
                raise KeyError("budget")

        with pytest.raises(OptionError, match=r"Strange.*NoneType"):
            plan_session("SAOP", SCENARIO, parties=[Strange])
        with pytest.raises(OptionError, match=r"Failing.*KeyError: 'budget'"):
            plan_session("SAOP", SCENARIO, parties=[Failing])


class TestPlace:
    """A fault says where in the party's own file it happened; sessions do not differ by it."""

    SOURCE = """
from genius_py.party import NegotiationParty


class Mine(NegotiationParty):
    def choose_action(self, allowed):
        return self.bid()

    def bid(self):
        return self.domain.bid(colour="pink")


class Heir(Mine):
    pass


class Deep(NegotiationParty):
    def choose_action(self, allowed):
        return self.choose_action(allowed)


class Ill(NegotiationParty):
    def __init__(self):
        raise OSError("no")


class Silent(NegotiationParty):
    pass
"""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        file = tmp_path / "agents" / "mine.py"
        file.parent.mkdir()
        file.write_text(self.SOURCE)
        return file

    @pytest.mark.parametrize(
        ("party", "place"),
        [
            ("Mine", "mine.py:10"),
            ("Heir", "mine.py:10"),
            ("Deep", "mine.py:19"),
            ("Ill", "mine.py:24"),
        ],
    )
    def test_it_is_the_last_line_of_their_own_file(
        self, file: Path, party: str, place: str
    ) -> None:
        for source in (f"{file}:{party}", lambda: IsolatedParty(f"{file}:{party}")):
            (fault, *_) = play(source, LegalParty).faults
            assert fault.place == place
            assert str(fault).endswith(f"({place})")

    @pytest.mark.parametrize("party", ["Silent"])
    def test_there_is_none_where_genius_py_says_what_is_missing(
        self, file: Path, party: str
    ) -> None:
        (fault,) = play(f"{file}:{party}", LegalParty).faults
        assert fault.reason == "raised NotImplementedError: Silent must override choose_action"
        assert fault.place == ""

    def test_how_deep_the_stack_was_leaves_no_trace(self, file: Path) -> None:
        def deeper(levels: int) -> list[str]:
            if levels:
                return deeper(levels - 1)
            return list(dump_log(play(f"{file}:Deep", LegalParty)))

        assert deeper(0) == deeper(37)


class TestNotes:
    """Notes are plain data from the moment they are taken."""

    @pytest.mark.parametrize(
        ("notes", "kept"),
        [
            ({"seen": {"b", "a", "c"}}, {"seen": ["a", "b", "c"]}),
            ({"range": (1, 2)}, {"range": [1, 2]}),
            ({"worth": float("nan"), "least": -float("inf")}, {"worth": "nan", "least": "-inf"}),
            ({1: "a", None: "b"}, {"1": "a", "null": "b"}),
            ({"plan": DEAL}, {"plan": dict(DEAL)}),
            ({"np": np.float64(1.5), "all": np.arange(2)}, {"np": 1.5, "all": [0, 1]}),
        ],
    )
    def test_what_json_does_not_hold_is_told_in_it(self, notes: Any, kept: Any) -> None:
        for sources in (
            (scripted(Reply(EndNegotiation("ann"), notes=notes)), LegalParty),
            (scripted(EndNegotiation("ann"), farewell=notes), LegalParty),
        ):
            outcome = play(*sources)
            assert [e.detail for e in outcome.log if e.kind == Kind.NOTE] == [kept]
            for line in dump_log(outcome):
                json.loads(line, parse_constant=pytest.fail)

    @pytest.mark.parametrize(
        ("notes", "words"),
        [
            ({"mind": {"a": object()}}, "a value of type object at mind.a"),
            ({"far": 10**5000}, "a value of type int at far"),
            ({"raw": b"x"}, "a value of type bytes at raw"),
            ({1: "a", "1": "b"}, "two keys '1'"),
        ],
    )
    def test_what_cannot_be_kept_is_a_fault(self, notes: Any, words: str) -> None:
        outcome = play(scripted(Reply(EndNegotiation("ann"), notes=notes)), LegalParty)
        assert words in outcome.faults[0].reason
        assert outcome.reason is Reason.FAULT
        outcome = play(scripted(EndNegotiation("ann"), farewell=notes), LegalParty)
        assert words in outcome.faults[0].reason
        assert outcome.reason is Reason.WALKAWAY

    def test_notes_without_end_are_a_fault(self) -> None:
        endless: dict[str, object] = {}
        endless["more"] = endless
        outcome = play(scripted(Reply(EndNegotiation("ann"), notes=endless)), LegalParty)
        assert "more than 50 levels" in outcome.faults[0].reason

    def test_they_cannot_be_changed_later(self) -> None:
        diary: list[int] = []

        def writes(party: NegotiationParty, allowed: Any) -> Reply:
            diary.append(len(diary))
            return Reply(Offer(party.id, DEAL), notes={"diary": diary})

        plan, _ = plan_session("SAOP", SCENARIO, deadline=3)
        stubborn = lambda: LegalParty("stubborn")  # noqa: E731
        outcome = SessionManager(plan, {"ann": scripted(writes), "bob": stubborn}).run()
        kept = [event.detail for event in outcome.log if event.kind == Kind.NOTE]
        assert kept == [{"diary": [*range(n)]} for n in (1, 2, 3)]


MISCHIEF = '''
import os
import sys
import threading
import time

from genius_py.action import Offer
from genius_py.party import NegotiationParty


class Offering(NegotiationParty):
    def choose_action(self, allowed):
        return Offer(self.id, self.domain.bid_at(0))


class Forks(Offering):
    """Answers every question several times, from several processes."""

    def choose_action(self, allowed):
        os.fork()
        return super().choose_action(allowed)


class Prints(Offering):
    """Says everywhere what it does."""

    def choose_action(self, allowed):
        print("thinking")
        os.write(1, b"hard\\n")
        return super().choose_action(allowed)


class Leaves(Offering):
    def choose_action(self, allowed):
        sys.exit(7)


class Signals(Offering):
    def choose_action(self, allowed):
        raise type("Signal", (BaseException,), {})("x")


class Dies(Offering):
    def choose_action(self, allowed):
        os._exit(0)


class Threads(Offering):
    """Leaves something running that never ends."""

    def choose_action(self, allowed):
        threading.Thread(target=time.sleep, args=(600,)).start()
        return super().choose_action(allowed)


class Unhinged:
    def __reduce__(self):
        return eval, ("1 / 0",)


class Explosive(Offering):
    """Sends what explodes when it is opened."""

    def choose_action(self, allowed):
        return Unhinged()
'''


@pytest.fixture(scope="module")
def mischief(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A loose file of parties."""
    file = tmp_path_factory.mktemp("mischief") / "mischief.py"
    file.write_text(MISCHIEF)
    return file


class TestIsolated:
    """In a process of its own a party can do even less harm."""

    def isolated(self, mischief: Path, party: str, **options: Any) -> Outcome:
        return play(
            lambda: IsolatedParty(f"{mischief}:{party}", 30.0),
            lambda: LegalParty("stubborn"),
            **options,
        )

    @pytest.mark.skipif(not hasattr(sys, "abiflags"), reason="needs fork")
    def test_one_that_forks_is_heard_once(self, mischief: Path) -> None:
        outcome = self.isolated(mischief, "Forks")
        assert outcome.faults == ()
        assert outcome.turns == 4

    def test_what_it_prints_is_not_the_result(
        self, mischief: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert self.isolated(mischief, "Prints").faults == ()
        printed = capfd.readouterr()
        assert printed.out == ""
        assert printed.err.count("thinking") == printed.err.count("hard") == 2

    @pytest.mark.parametrize(
        ("party", "reason"),
        [
            ("Leaves", "raised SystemExit: 7"),
            ("Signals", "raised Signal: x"),
            ("Dies", "raised ConnectionError: its process has died"),
            ("Explosive", "raised ZeroDivisionError: division by zero"),
        ],
    )
    def test_one_that_breaks_off_is_named(self, mischief: Path, party: str, reason: str) -> None:
        outcome = self.isolated(mischief, party)
        assert outcome.faults[0].reason == reason
        assert not any("too slow" in fault.reason for fault in outcome.faults)

    def test_threads_end_with_their_process(self, mischief: Path) -> None:
        assert self.isolated(mischief, "Threads").faults == ()

    @pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 1e300])
    def test_impossible_timeouts_are_refused(self, timeout: float) -> None:
        with pytest.raises(OptionError, match="timeout"):
            IsolatedParty("random", timeout)
