"""Parties in processes of their own: slow ones are cut off, dead ones are named."""

import multiprocessing
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import UnknownName
from genius_py.fault import FaultPolicy
from genius_py.isolation import IsolatedParty
from genius_py.log import Kind, Reason
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party_source import PartySource
from genius_py.seating import plan_session
from genius_py.testing import LegalParty
from genius_py.testing.scenarios import one_bid_scenario

PARTIES = '''
import os
import time

from genius_py.action import Accept, Offer
from genius_py.party import NegotiationParty
from genius_py.session import Reply


class Sound(NegotiationParty):
    """Offers, and notes what it sees."""

    def choose_action(self, allowed):
        timeline, history = self.info.timeline, self.info.history
        seen = {
            "time": timeline.time,
            "round": timeline.round,
            "left": timeline.rounds_left,
            "heard": len(history),
        }
        return Reply(Offer(self.id, self.domain.bid_at(0)), message="Take it", notes=seen)

    def negotiation_ended(self, agreement):
        return {"agreement": str(agreement)}


class Slow(Sound):
    """Thinks for ever from its second turn on."""

    def choose_action(self, allowed):
        if Accept in allowed:
            time.sleep(600)
        return super().choose_action(allowed)


class SlowToStart(Sound):
    """Prepares for ever."""

    def init(self, info):
        super().init(info)
        time.sleep(600)


class Dying(Sound):
    """Takes its process down."""

    def choose_action(self, allowed):
        os._exit(3)


class Odd(Exception):
    """An error that cannot be sent as it is."""

    def __init__(self, one, two):
        super().__init__(one)


class Failing(Sound):
    """Raises what cannot be sent."""

    def choose_action(self, allowed):
        raise Odd("boom", "bang")


class Unsendable(Sound):
    """Answers what cannot be sent."""

    def choose_action(self, allowed):
        return lambda: None


class Unprepared(Sound):
    """Cannot be prepared."""

    def init(self, info):
        raise OSError("no")


class Unmade(Sound):
    """Cannot be made."""

    def __init__(self):
        raise OSError("no")

'''


THINKER = """
import sys
import time

from genius_py.party import NegotiationParty


class Thinker(NegotiationParty):
    def choose_action(self, allowed):
        print("begun", file=sys.stderr, flush=True)
        time.sleep(3600)
"""


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A loose file of parties, which no process has imported yet."""
    file = tmp_path_factory.mktemp("agents") / "agents.py"
    file.write_text(PARTIES)
    return file


def play(
    first: PartySource,
    *,
    timeout: float | None = 20.0,
    on_fault: FaultPolicy = "fail",
    here: bool = False,
) -> Outcome:
    """A session of two rounds; the first party is isolated unless it plays `here`."""
    plan, _ = plan_session("SAOP", one_bid_scenario(), deadline=2, on_fault=on_fault)
    ann = first if here else partial(IsolatedParty, first, timeout)
    return SessionManager(plan, {"ann": ann, "bob": partial(LegalParty, "stubborn")}).run()


def notes(outcome: Outcome) -> list[object]:
    return [event.detail for event in outcome.log if event.kind == Kind.NOTE]


def test_an_isolated_party_plays_as_it_does_here(agents: Path) -> None:
    there, here = (play(f"{agents}:Sound", here=here) for here in (False, True))
    assert there.log == here.log
    assert there.log.actions[2].message == "Take it"


def test_an_isolated_party_sees_the_same_time_and_history(agents: Path) -> None:
    # Heard are: how many there are; then the two offers of the first round as well.
    assert notes(play(f"{agents}:Sound")) == [
        {"time": 1 / 3, "round": 1, "left": 1, "heard": 1},
        {"time": 2 / 3, "round": 2, "left": 0, "heard": 4},
        {"agreement": "None"},
    ]


def test_a_class_of_a_package_needs_no_spec() -> None:
    assert play(LegalParty).log == play(LegalParty, here=True).log


def test_what_is_no_party_is_the_same_fault_there_as_here() -> None:
    made: Any = partial(str, "a party")
    there, here = play(made), play(made, here=True)
    assert there.faults == here.faults
    assert "which is no NegotiationParty" in there.faults[0].reason


def test_a_party_that_is_too_slow_is_cut_off_and_named(agents: Path) -> None:
    # C115: it is cut at its own limit, and the session goes on without it.
    outcome = play(f"{agents}:Slow", timeout=0.3, on_fault="forfeit")
    assert [str(fault) for fault in outcome.faults] == [
        "Round 2: ann raised TimeoutError: did not answer choose_action within 0.3 s",
        "Round 2: ann raised TimeoutError: was cut off earlier because it was too slow",
        "Round 2: ann raised TimeoutError: was cut off earlier because it was too slow",
    ]
    assert outcome.reason is Reason.DEADLINE
    assert outcome.rounds == 2


def test_a_party_that_is_too_slow_to_prepare_ends_the_session(agents: Path) -> None:
    outcome = play(f"{agents}:SlowToStart", timeout=0.3)
    assert "did not answer init within 0.3 s" in outcome.faults[0].reason
    assert outcome.reason is Reason.FAULT


def test_a_party_whose_process_dies_is_named(agents: Path) -> None:
    outcome = play(f"{agents}:Dying")
    assert outcome.faults[0].reason == "raised ConnectionError: its process has died"


@pytest.mark.parametrize(
    ("party", "reason"),
    [
        ("Failing", "raised Odd: boom"),
        ("Unsendable", "raised TypeError: answered something that cannot be sent"),
        ("Unprepared", "raised OSError: no"),
        ("Unmade", "raised OSError: no"),
    ],
)
def test_what_goes_wrong_there_is_told_here(agents: Path, party: str, reason: str) -> None:
    outcome = play(f"{agents}:{party}")
    assert outcome.faults[0].reason.startswith(reason)
    assert outcome.reason is Reason.FAULT


def test_a_spec_that_names_nothing_is_an_error_as_it_is_here(agents: Path) -> None:
    for here in (False, True):
        with pytest.raises(UnknownName, match="Did you mean 'Sound'"):
            play(f"{agents}:Sund", here=here)


def test_no_process_outlives_its_session(agents: Path) -> None:
    before = set(multiprocessing.active_children())  # other tests may have workers that wait
    for party in ("Sound", "Dying", "Unprepared"):
        play(f"{agents}:{party}", timeout=0.5)
    assert set(multiprocessing.active_children()) <= before


def test_a_party_that_thinks_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "thinker.py").write_text(THINKER)
    command = [sys.executable, "-m", "genius_py", "run", "--protocol", "SAOP"]
    command += ["--domain", "company_car", "--party", f"{tmp_path / 'thinker.py'}:Thinker"]
    with subprocess.Popen(
        [*command, "--isolate", "process"], stderr=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stderr is not None
        assert "begun\n" in iter(parent.stderr.readline, "")
        parent.kill()
        # The pipe ends when the party has, too.
        parent.communicate(timeout=60)
