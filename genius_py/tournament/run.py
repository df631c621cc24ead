"""Playing what is planned and not yet stored, here, on all cores, or on a cluster.

The work leaves this process through joblib; only this process writes.
"""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import attrs

from genius_py.errors import OptionError, SessionFailure
from genius_py.tournament.plan import Match, Plan, plan_tournament
from genius_py.tournament.play import Played, answers_together, play
from genius_py.tournament.store import Registered, Results
from genius_py.tournament.tournament import Tournament

__all__ = ["BACKENDS", "Backend", "Progress", "run_plan", "run_tournament"]

Backend: TypeAlias = Literal["loky", "dask", "ray"]

BACKENDS: tuple[Backend, ...] = ("loky", "dask", "ray")

_WATCH_SECONDS = 0.5

_BATCH_SECONDS = 0.5
"""How long a batch should take: short enough that little is lost when the process is killed."""

_SMALLEST, _LARGEST = 8, 512
_SHARES = 3
"""Batches that each worker gets at least of what is left."""

_TOGETHER = 32
"""Sessions in a batch at least, where some mind answers the turns of many at once."""


@attrs.frozen
class Progress:
    """How far a run has come: sessions that are stored, of all that are planned."""

    finished: int
    planned: int


def run_tournament(
    tournament: Tournament,
    output: str | Path,
    *,
    workers: int = 1,
    backend: Backend = "loky",
    address: str | None = None,
    logs: bool = False,
    retry_faults: bool = False,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Play a tournament, or what is missing of it, into a results file; see `run_plan`.

    Raises: as `plan_tournament` and `run_plan`.
    """
    plan = plan_tournament(tournament)
    with Results(output, create=True) as results:
        run_plan(
            plan,
            results,
            workers=workers,
            backend=backend,
            address=address,
            logs=logs,
            retry_faults=retry_faults,
            report=report,
        )


def run_plan(
    plan: Plan,
    results: Results,
    *,
    workers: int = 1,
    backend: Backend = "loky",
    address: str | None = None,
    logs: bool = False,
    retry_faults: bool = False,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Play every match of the plan that is not stored yet.

    With one worker and loky everything happens in this process. `address` is that of a Dask
    scheduler or a Ray cluster; without one a local cluster is started. `report` is called whenever
    a batch has been stored.

    Raises:
        OptionError: the backend is not installed, or the file holds another tournament.
        SessionFailure: a worker died.
    """
    registered = results.register(plan)
    if retry_faults:
        results.forget_failed()
    finished, planned = len(results), len(plan)
    report(Progress(finished, planned))
    with ExitStack() as stack:
        # joblib asks for the next batch in a thread of its own, which needs a connection too.
        reading = stack.enter_context(Results(results.path))
        batches = _Batches(registered, reading, planned - finished, workers)
        if workers == 1 and backend == "loky":
            batches_played = (play(batch, logs=logs) for batch in batches)
        else:
            stack.enter_context(_backend(backend, workers, address))
            batches_played = _elsewhere(batches, workers, logs)
        # Closed first, so that a run that is stopped calls no result in any more.
        stack.callback(_stop, batches_played)
        for played in batches_played:
            results.add(played)
            batches.learn(played)
            finished += len(played)
            report(Progress(finished, planned))


def _stop(batches_played: Generator[list[Played], None, None]) -> None:
    with warnings.catch_warnings():
        # joblib regrets the batches that nobody waits for; they are played by the next run.
        warnings.simplefilter("ignore", UserWarning)
        batches_played.close()


class _Batches:
    """Matches that are not stored yet, so many at a time as take about half a second.

    The last batches become smaller and smaller, so that all workers have done at the same time.
    """

    def __init__(
        self, registered: Registered, results: Results, waiting: int, workers: int
    ) -> None:
        self._registered = registered
        self._results = results
        self._left = waiting
        self._workers = workers
        self._least = _TOGETHER if any(map(answers_together, registered.plan.parties)) else 1
        self._size = max(_SMALLEST, self._least)

    def learn(self, played: list[Played]) -> None:
        """Make the next batches as large as the time that this one took allows."""
        each = sum(session.seconds for session in played) / len(played)
        fitting = int(_BATCH_SECONDS / max(each, 1e-6))
        self._size = max(self._least, min(_LARGEST, fitting))

    def __iter__(self) -> Iterator[list[Match]]:
        waiting = self._waiting()
        while batch := list(islice(waiting, self._next_size())):
            self._left -= len(batch)
            yield batch

    def _next_size(self) -> int:
        if self._workers == 1:
            return self._size
        share = -(-self._left // (_SHARES * self._workers))
        # Sending fewer quick sessions takes longer than to play them.
        return max(self._least, min(self._size, max(share, _SMALLEST)))

    def _waiting(self) -> Iterator[Match]:
        for block in self._registered.blocks():
            repetition, setting, _ = block[0].key
            finished = self._results.finished(repetition, setting)
            yield from (match for match in block if match.key[2] not in finished)


def _elsewhere(batches: _Batches, workers: int, logs: bool) -> Generator[list[Played], None, None]:
    """The batches as they are finished in other processes, in any order."""
    from joblib import delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError
    from joblib.parallel import get_active_backend

    tasks = (delayed(play)(batch, logs=logs) for batch in batches)
    try:
        backend: Any = get_active_backend()[0]
        if backend.supports_return_generator:
            yield from _parallel(return_as="generator_unordered")(tasks)
        else:  # Ray's
            with _parallel() as parallel:
                while some := list(islice(tasks, 4 * workers)):
                    yield from parallel(some)
    except TerminatedWorkerError as error:
        raise SessionFailure(
            "A worker process died, of a party that ended it or for want of memory. What had been "
            "finished is stored; the same command goes on from there."
        ) from error


def _parallel(**options: Any) -> Any:
    """Joblib's `Parallel` for tasks that are batches already."""
    from joblib import Parallel

    options["batch_size"] = 1  # not in the call, for analysers know its default, a text, alone
    return Parallel(**options)


@contextmanager
def _backend(backend: Backend, workers: int, address: str | None) -> Iterator[None]:
    """Joblib's backend, with the cluster that it needs."""
    try:
        with ExitStack() as stack:
            from joblib import parallel_config

            if backend == "dask":
                stack.enter_context(_dask(workers, address))
            elif backend == "ray":
                stack.enter_context(_ray(workers, address))
            own = {"initializer": _begin_worker, "initargs": (os.getpid(), os.getcwd())}
            stack.enter_context(
                parallel_config(
                    backend=backend, n_jobs=workers, **(own if backend == "loky" else {})
                )
            )
            if backend == "loky":
                _start_workers(workers)
            yield
    except ImportError as error:
        extra = "tournament" if backend == "loky" else "cluster"
        raise OptionError(
            f"The backend {backend} needs {error.name}; pip install 'genius-py[{extra}]'."
        ) from error


def _start_workers(workers: int) -> None:
    """Start loky's processes in such a way that Ctrl-C is for this one alone, from the first."""
    from joblib import delayed

    is_main = threading.current_thread() is threading.main_thread()
    # What is ignored here when a process begins is ignored there.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    try:
        _parallel()(delayed(os.getpid)() for _ in range(workers))
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before)


def _begin_worker(parent: int, folder: str) -> None:
    """Let a worker end soon after the process that it works for, however that was killed.

    It works in the folder of that process, where loose files are: others of joblib's workers, that
    were begun elsewhere, are not used.
    """
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        pause = threading.Event()
        while os.getppid() == parent:
            pause.wait(_WATCH_SECONDS)
        os._exit(1)

    if os.name == "posix":  # elsewhere an orphan keeps its parent's number
        threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _dask(workers: int, address: str | None) -> Iterator[None]:
    from distributed import Client, LocalCluster

    if address is not None:
        with Client(address):
            yield
    else:
        with (
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,  # pyright: ignore[reportArgumentType]  # none is started
            ) as cluster,
            Client(cluster),
        ):
            yield


@contextmanager
def _ray(workers: int, address: str | None) -> Iterator[None]:
    import ray
    from ray.util.joblib import register_ray

    own = {} if address is not None else {"num_cpus": workers, "include_dashboard": False}
    ray.init(address=address, log_to_driver=False, configure_logging=False, **own)
    try:
        register_ray()
        yield
    finally:
        ray.shutdown()
