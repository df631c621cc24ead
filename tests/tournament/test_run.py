import gc
import hashlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from genius_py.tournament import (
    Results,
    Tournament,
    plan_tournament,
    run,
    run_plan,
    run_tournament,
    to_csv,
)
from genius_py.tournament.run import Progress
from tests.tournament.tournaments import DOMAIN, small


def table(path: Path) -> str:
    """The final table of a results file, as bytes to compare."""
    with Results(path) as results:
        to_csv(results, path.with_suffix(".csv"))
    return hashlib.sha256(path.with_suffix(".csv").read_bytes()).hexdigest()


def test_the_table_is_the_same_with_one_worker_and_with_two(tmp_path: Path) -> None:
    """Case C65."""
    tables = set()
    for workers in (1, 2):
        path = tmp_path / f"{workers}.sqlite"
        run_tournament(small(), path, workers=workers)
        tables.add(table(path))
    assert len(tables) == 1


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_table_does_not_depend_on_the_order_of_sets(tmp_path: Path, hash_seed: str) -> None:
    """Case C68."""
    path = tmp_path / "results.sqlite"
    run_tournament(small(), path)
    there = tmp_path / "there.sqlite"
    code = (
        "import json, sys; from genius_py.tournament import Tournament, run_tournament; "
        "run_tournament(Tournament.from_dict(json.loads(sys.argv[1])), sys.argv[2])"
    )
    subprocess.run(
        [sys.executable, "-c", code, json.dumps(small().to_dict()), str(there)],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        check=True,
        timeout=120,
    )
    assert table(there) == table(path)


def test_progress_is_told_batch_by_batch(tmp_path: Path) -> None:
    told: list[Progress] = []
    run_tournament(small(), tmp_path / "results.sqlite", report=told.append)
    assert told[0] == Progress(0, 24)
    assert told[-1] == Progress(24, 24)
    assert [p.finished for p in told] == sorted(p.finished for p in told)


def test_what_is_finished_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.sqlite"
    run_tournament(small(), path)
    told: list[Progress] = []
    monkeypatch.setattr(run, "played", None)  # no workers are started for nothing
    run_tournament(small(), path, workers=2, report=told.append)
    assert told == [Progress(24, 24)]


def test_sessions_that_failed_are_played_again_when_wished(
    tmp_path: Path, agent: Callable[..., str]
) -> None:
    flag = tmp_path / "works"
    spec = agent(
        "def init(self, info):\n"
        "    import pathlib\n"
        f"    if not pathlib.Path({str(flag)!r}).exists():\n"
        "        raise ValueError('not yet')\n"
        "    super().init(info)"
    )
    plan = plan_tournament(small(parties=[spec, "boulware", "random"]))
    with Results(tmp_path / "results.sqlite", create=True) as results:
        run_plan(plan, results)
        before = {s.key: s for s in results.sessions()}
        assert {s.reason == "fault" for s in before.values()} == {True, False}
        flag.touch()
        run_plan(plan, results)
        assert {s.key: s for s in results.sessions()} == before
        run_plan(plan, results, retry_faults=True)
        after = {s.key: s for s in results.sessions()}
    assert after.keys() == before.keys()
    assert all(s.reason != "fault" and not s.faults for s in after.values())
    sound = {key: s for key, s in before.items() if s.reason != "fault"}
    assert sound.items() <= after.items()


CONFIG = {
    "parties": ["boulware", "conceder", "linear"],
    "domains": ["random:issues=3,values=5,seed=1"],
    "deadline": "60rounds",
    "repetitions": 60,
}

PROCESSES = [
    "loky",
    pytest.param(
        "fork", marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks safely")
    ),
]


@pytest.mark.parametrize("backend", PROCESSES)
def test_a_worker_that_dies_is_told_and_what_was_finished_kept(
    tmp_path: Path, agent: Callable[..., str], backend: str
) -> None:
    config = CONFIG | {
        "parties": ["boulware", agent("def propose(self):\n    import os\n    os._exit(3)")],
        "repetitions": 4,
    }
    process = start(tmp_path, 2, backend, config)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1, errors
    assert "A worker process died" in errors
    assert "Traceback" not in errors
    with Results(tmp_path / "results.sqlite") as results:
        assert len(results) < 8


KILLED_PARENT = """
import os, random, select, signal, sys
from pathlib import Path
from genius_py.tournament import Results, Tournament, plan_tournament, run, run_plan

run._LARGEST = 8
path, kills = Path(sys.argv[1]), int(sys.argv[2])
plan = plan_tournament(Tournament(
    parties=["boulware", "conceder", "random", "tit_for_tat"],
    domains=["random:issues=3,values=4,seed=1", "random:issues=2,values=5"],
    deadlines="60rounds", repetitions=15, seed=3,
))

def play(report=lambda progress: None):
    with Results(path, create=True) as results:
        run_plan(plan, results, report=report)

def stored():
    if not path.exists():
        return {}
    with Results(path) as results:
        return {row[:3]: row[3] for row in results.select("SELECT * FROM timing")}

chance, before, stopped = random.Random(4), {}, 0
for _ in range(kills):
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        play(lambda progress: os.write(theirs, b"."))
        os._exit(0)
    os.close(theirs)
    # After some batches, which a slow machine takes longer for, and then at any moment.
    for _ in range(chance.randrange(4)):
        os.read(ours, 1)
    select.select([ours], [], [], chance.uniform(0.0, 0.03))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(ours)
    stopped += os.WIFSIGNALED(status)
    try:
        now = stored()
    except Exception as error:
        # Killed before the file was laid out: it is empty, and the next run begins it.
        assert not before, error
        continue
    # Nothing that was finished is lost or played again, for the times would differ.
    assert before.items() <= now.items()
    before = now
play()
assert before.items() <= stored().items()
print(stopped, len(before), len(stored()), len(plan))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_killed_at_20_random_moments_it_resumes_without_loss_or_repetition(tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed.sqlite", tmp_path / "whole.sqlite"
    runs = [
        subprocess.run(
            [sys.executable, "-c", KILLED_PARENT, str(path), str(kills)],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        for path, kills in ((killed, 20), (whole, 0))
    ]
    assert [done.returncode for done in runs] == [0, 0], runs[0].stderr
    stopped, before, stored, planned = map(int, runs[0].stdout.split())
    assert stored == planned == 360
    assert stopped >= 15
    assert before > 0
    assert table(killed) == table(whole)


def start(
    folder: Path, workers: int, backend: str, config: Mapping[str, object] = CONFIG
) -> subprocess.Popen[str]:
    """The command in a process group of its own, as a terminal starts it."""
    file = folder / "tournament.json"
    file.write_text(json.dumps(config), encoding="utf-8")
    command = [sys.executable, "-m", "genius_py", "tournament", str(file)]
    command += ["--output", str(folder / "results.sqlite")]
    command += ["--workers", str(workers), "--backend", backend]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    return process


def wait_until_begun(folder: Path, process: subprocess.Popen[str]) -> None:
    """Until something is stored; bounded by looking at the file a number of times."""
    for _ in range(1200):
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            pass
        else:
            return
        try:
            with Results(folder / "results.sqlite") as results:
                if len(results):
                    return
        except Exception:
            continue


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs os.killpg")
@pytest.mark.parametrize("backend", PROCESSES)
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(
    tmp_path: Path, workers: int, backend: str
) -> None:
    if (workers, backend) == (1, "fork"):
        pytest.skip("one worker is this process, whatever the backend")
    process = start(tmp_path, workers, backend)
    wait_until_begun(tmp_path, process)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    if process.returncode != 0:  # else it was faster than the signal
        assert process.returncode == 130, errors
        assert "Stopped. What was finished is in" in errors
    assert "Traceback" not in errors
    assert "Warning" not in errors
    run_tournament(Tournament.from_dict(CONFIG), tmp_path / "results.sqlite")
    whole = tmp_path / "whole.sqlite"
    run_tournament(Tournament.from_dict(CONFIG), whole)
    assert table(tmp_path / "results.sqlite") == table(whole)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs os.killpg")
@pytest.mark.parametrize("backend", PROCESSES)
def test_killed_with_two_workers_it_resumes(tmp_path: Path, backend: str) -> None:
    process = start(tmp_path, 2, backend)
    wait_until_begun(tmp_path, process)
    process.kill()
    # The pipes end when the orphaned workers have, too: they do not outlive their parent.
    process.communicate(timeout=120)
    run_tournament(Tournament.from_dict(CONFIG), tmp_path / "results.sqlite", workers=2)
    whole = tmp_path / "whole.sqlite"
    run_tournament(Tournament.from_dict(CONFIG), whole)
    assert table(tmp_path / "results.sqlite") == table(whole)


def test_memory_does_not_grow_with_the_number_of_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_LARGEST", 30)
    used: dict[int, int] = {}

    def measure(progress: Progress) -> None:
        if progress.finished % 300 == 0:
            gc.collect()
            used[progress.finished] = tracemalloc.get_traced_memory()[0]

    tournament = small(domains=[DOMAIN], deadlines="2rounds", repetitions=200)
    monkeypatch.setattr(run, "_SMALLEST", 30)
    tracemalloc.start()
    try:
        run_tournament(tournament, tmp_path / "results.sqlite", report=measure)
    finally:
        tracemalloc.stop()
    assert used[1200] < 1.1 * used[300]


def test_batches_have_about_the_same_duration(tmp_path: Path) -> None:
    told: list[Progress] = []
    run_tournament(small(repetitions=40), tmp_path / "results.sqlite", report=told.append)
    sizes = [b.finished - a.finished for a, b in itertools.pairwise(told)]
    assert sizes[0] == 8
    assert max(sizes) > 8


def test_the_last_batches_become_smaller_so_that_all_workers_end_together(tmp_path: Path) -> None:
    plan = plan_tournament(small(repetitions=10))
    with Results(tmp_path / "results.sqlite", create=True) as results:
        batches = run._Batches(results.register(plan), results, len(plan), workers=2)
        batches._size = 512
        sizes = [len(batch) for batch in batches]
        batches = run._Batches(results.register(plan), results, len(plan), workers=2)
        batches._size = 1  # of sessions that take long
        assert {len(batch) for batch in batches} == {1}
    assert sizes == [20, 17, 14, 12, 10, 8, 8, 8, 8, 8, 7]
