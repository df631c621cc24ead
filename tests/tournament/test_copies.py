"""Copies of a process, each test in a process of its own that runs no other threads."""

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from genius_py.errors import OptionError
from genius_py.tournament import Results, plan_tournament, run_tournament
from genius_py.tournament.backends import Backend, chosen_backend
from genius_py.tournament.copies import why_no_copies
from tests.tournament.tournaments import small

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks safely")

SLEEPER = """
import time
from genius_py.parties.boulware import Boulware

class Sleeper(Boulware):
    '''Never answers.'''

    def choose_action(self, allowed):
        time.sleep(3600)
"""


def told(code: str, *arguments: str | Path) -> str:
    """What a fresh process prints that runs the code."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def test_copies_are_what_plays_where_nothing_else_is_named(tmp_path: Path) -> None:
    code = """
import sys
from genius_py.tournament import run_tournament
from tests.tournament.tournaments import small
run_tournament(small(), sys.argv[1], workers=2)
print("joblib" in sys.modules)
"""
    assert told(code, tmp_path / "copies.sqlite") == "False\n"
    run_tournament(small(), tmp_path / "here.sqlite")
    with Results(tmp_path / "copies.sqlite") as copies, Results(tmp_path / "here.sqlite") as here:
        assert list(copies.sessions()) == list(here.sessions())


def test_whoever_stops_waiting_ends_copies_that_are_thinking(tmp_path: Path) -> None:
    code = """
import multiprocessing, sys, time
from genius_py.tournament import plan_tournament
from genius_py.tournament.copies import played_by_copies
from tests.tournament.tournaments import small
plan = plan_tournament(small(parties=["boulware", sys.argv[1]], self_play=True))
quick = [match for match in plan if set(match.lineup) == {"boulware"}]
slow = [match for match in plan if set(match.lineup) != {"boulware"}]
found = played_by_copies([slow[:1], quick[:1], quick[1:2], slow[1:2], slow[2:3]], 2, logs=False)
print(len(next(found)), len(next(found)))
print(len(multiprocessing.active_children()))
found.close()
print(len(multiprocessing.active_children()))
"""
    (tmp_path / "sleeper.py").write_text(SLEEPER, encoding="utf-8")
    assert told(code, f"{tmp_path / 'sleeper.py'}:Sleeper") == "1 1\n2\n0\n"


TOURNAMENT = """
import sys
from genius_py.errors import SessionFailure
from genius_py.tournament import Results, run_tournament
from tests.tournament.tournaments import small
path, workers, spec = sys.argv[1:]
try:
    run_tournament(small(parties=["boulware", spec]), path, workers=int(workers))
except SessionFailure as failure:
    print(failure)
with Results(path) as results:
    print(len(results))
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_party_that_forks_and_goes_on_in_both_processes_is_heard_once(
    tmp_path: Path, agent: Callable[..., str], workers: str
) -> None:
    spec = agent("def init(self, info):\n    import os\n    os.fork()\n    super().init(info)")
    assert told(TOURNAMENT, tmp_path / "results.sqlite", workers, spec) == "8\n"


def test_copies_end_whatever_parties_have_left_running_there(
    tmp_path: Path, agent: Callable[..., str]
) -> None:
    spec = agent(
        "def init(self, info):\n"
        "    import threading\n"
        "    threading.Thread(target=threading.Event().wait).start()\n"
        "    super().init(info)"
    )
    assert told(TOURNAMENT, tmp_path / "results.sqlite", "2", spec) == "8\n"


def test_a_copy_that_dies_in_the_middle_of_a_message_is_not_waited_for(
    tmp_path: Path, agent: Callable[..., str]
) -> None:
    spec = agent(
        "def init(self, info):\n"
        "    import os, multiprocessing.connection\n"
        "    def tell_half(self, message):\n"
        "        os.write(self.fileno(), bytes(message)[: len(message) // 2])\n"
        "        os._exit(0)\n"
        "    multiprocessing.connection.Connection._send = tell_half\n"
        "    super().init(info)"
    )
    said = told(TOURNAMENT, tmp_path / "results.sqlite", "2", spec)
    assert "A worker process died" in said
    assert said.endswith("\n0\n")


def test_a_process_with_threads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_tournament(small())
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert chosen_backend(plan, 2, None) == "loky"
        with pytest.raises(OptionError, match="runs threads"):
            chosen_backend(plan, 2, "fork")
    finally:
        over.set()
        thread.join()
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert chosen_backend(plan, 2, None) == "fork"
    monkeypatch.setitem(sys.modules, "torch", sys)
    assert "torch" in (why_no_copies() or "")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "Linux" in (why_no_copies() or "")


def test_a_process_that_may_start_no_others_plays_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(vars(multiprocessing.current_process())["_config"], "daemon", True)
    plan = plan_tournament(small())
    assert chosen_backend(plan, 2, None) is None
    with pytest.raises(OptionError, match="daemon"):
        chosen_backend(plan, 2, "fork")


def test_a_language_model_is_not_copied() -> None:
    plan = plan_tournament(small(parties=["llm:model=dice", "boulware"]))
    assert chosen_backend(plan, 2, None) == "loky"
    assert chosen_backend(plan, 1, None) is None
    with pytest.raises(OptionError, match="language model"):
        chosen_backend(plan, 2, "fork")


def test_what_is_named_is_taken() -> None:
    plan = plan_tournament(small())
    assert chosen_backend(plan, 2, "loky") == "loky"
    assert chosen_backend(plan, 1, "loky") is None
    assert chosen_backend(plan, 1, "dask") == "dask"


@pytest.mark.parametrize("backend", [None, "loky", "fork"])
def test_an_address_without_a_cluster_is_refused(backend: Backend | None) -> None:
    with pytest.raises(OptionError, match=r"tcp://there.*backend dask or ray"):
        chosen_backend(plan_tournament(small()), 2, backend, "tcp://there")
