"""Real engines carry the work: loky, a Dask cluster of two processes, and Ray on this machine."""

import os
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from joblib.externals.loky import get_reusable_executor

from genius_py.errors import OptionError, SessionFailure
from genius_py.tournament import Results, backends, plan_tournament, run_plan, run_tournament
from genius_py.tournament.backends import Backend
from genius_py.tournament.store import StoredSession
from tests.tournament.tournaments import DOMAIN, small


def sessions(path: Path, backend: Backend, address: str | None = None) -> list[StoredSession]:
    with Results(path, create=True) as results:
        run_plan(plan_tournament(small()), results, workers=2, backend=backend, address=address)
        return list(results.sessions())


@pytest.fixture
def here(tmp_path: Path) -> list[StoredSession]:
    """What comes out of this process alone."""
    with Results(tmp_path / "here.sqlite", create=True) as results:
        run_plan(plan_tournament(small()), results)
        return list(results.sessions())


def test_loky_gives_the_same_sessions(tmp_path: Path, here: list[StoredSession]) -> None:
    assert sessions(tmp_path / "loky.sqlite", "loky") == here


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # loky's own
def test_ctrl_c_is_heard_while_workers_of_loky_start(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def interrupted(found: object) -> Iterator[None]:
        with closing(found):
            os.kill(os.getpid(), signal.SIGINT)
            yield

    closing = backends._closing
    monkeypatch.setattr(backends, "_closing", interrupted)
    with pytest.raises(KeyboardInterrupt), backends._joblib("loky", 2, None):
        pytest.fail("They have started.")


def test_a_worker_of_loky_that_dies_while_others_start_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @contextmanager
    def killed(found: object) -> Iterator[None]:
        with closing(found):
            running: Any = get_reusable_executor
            for worker in running(reuse=True)._processes:
                os.kill(worker, signal.SIGTERM)
            yield

    closing = backends._closing
    monkeypatch.setattr(backends, "_closing", killed)
    with (
        pytest.raises(SessionFailure, match="worker process died"),
        backends._joblib("loky", 2, None),
    ):
        pytest.fail("They have started.")


def test_whoever_stops_waiting_for_loky_hears_no_regrets() -> None:
    batches = ([match] for match in plan_tournament(small()))
    found = backends.played(batches, "loky", 2)
    next(found)
    found.close()


def test_parties_with_a_time_limit_play_in_workers_of_loky(tmp_path: Path) -> None:
    tournament = small(
        parties=["boulware", "random"], domains=[DOMAIN], repetitions=1, party_timeout=60
    )
    path = tmp_path / "loky.sqlite"
    run_tournament(tournament, path, workers=2, backend="loky")
    with Results(path) as results:
        assert [session.faults for session in results.sessions()] == [(), ()]


def test_dask_gives_the_same_sessions(tmp_path: Path, here: list[StoredSession]) -> None:
    pytest.importorskip("distributed", reason="needs distributed (genius-py[cluster])")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the engine, about its own parts
        assert sessions(tmp_path / "dask.sqlite", "dask") == here


def test_dask_is_reached_by_its_address(tmp_path: Path, here: list[StoredSession]) -> None:
    distributed = pytest.importorskip(
        "distributed", reason="needs distributed (genius-py[cluster])"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:
            told = sessions(tmp_path / "dask.sqlite", "dask", cluster.scheduler_address)
    assert told == here


def test_ray_gives_the_same_sessions(tmp_path: Path, here: list[StoredSession]) -> None:
    pytest.importorskip("ray", reason="needs ray (genius-py[cluster])")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sessions(tmp_path / "ray.sqlite", "ray") == here


@pytest.mark.parametrize(("backend", "module"), [("dask", "distributed"), ("ray", "ray")])
def test_an_engine_that_is_absent_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: Backend, module: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(OptionError, match=rf"{module}.*genius-py\[cluster\]"):
        sessions(tmp_path / "absent.sqlite", backend)
