"""Where batches are played: here, in copies of this process, or wherever joblib carries them."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any, Literal, TypeAlias

from genius_py.errors import OptionError
from genius_py.tournament.copies import played_by_copies, why_no_copies
from genius_py.tournament.plan import Match, Plan
from genius_py.tournament.play import answers_together, play
from genius_py.tournament.played import Played
from genius_py.tournament.worker import begin_worker, born_deaf_to_interrupts, worker_died

__all__ = ["BACKENDS", "Backend", "chosen_backend", "played"]

Backend: TypeAlias = Literal["fork", "loky", "dask", "ray"]

BACKENDS: tuple[Backend, ...] = ("fork", "loky", "dask", "ray")

_CLUSTERS: tuple[Backend, ...] = ("dask", "ray")

Batches: TypeAlias = Iterable[Sequence[Match]]


def chosen_backend(
    plan: Plan, workers: int, backend: Backend | None, address: str | None = None
) -> Backend | None:
    """The backend that is meant; None is this process, by itself.

    Where none is named it is `fork`, whose copies of this process begin at once, if the process can
    be copied and no language models are shared; else `loky`, whose processes take half a second to
    start. What comes out is the same. A daemon of `multiprocessing` may start no process, and plays
    all by itself.

    Raises:
        OptionError: the process cannot be copied, but `fork` was asked for; or there is an address,
            but no cluster.
    """
    if backend in _CLUSTERS:
        return backend
    if address is not None:
        raise OptionError(
            f"An address ({address}) is that of a cluster; say of which kind: backend "
            f"{' or '.join(_CLUSTERS)}."
        )
    if workers == 1 or (backend is None and multiprocessing.current_process().daemon):
        return None
    if backend == "loky":
        return backend
    if any(map(answers_together, plan.parties)):
        why: str | None = "a language model may have connections that copies would share"
    else:
        why = why_no_copies()
    if backend is None:
        return "fork" if why is None else "loky"
    if why is not None:
        raise OptionError(f"The backend fork cannot be used: {why}. Take loky.")
    return backend


def played(
    batches: Batches,
    backend: Backend | None,
    workers: int,
    *,
    address: str | None = None,
    logs: bool = False,
) -> Generator[list[Played], None, None]:
    """The batches as they are finished, in any order; closing the generator stops the work.

    Raises:
        OptionError: the backend is not installed.
        SessionFailure: a worker died.
    """
    if backend is None:
        yield from (play(batch, logs=logs) for batch in batches)
        return
    if backend == "fork":
        yield from played_by_copies(batches, workers, logs=logs)
        return
    with _joblib(backend, workers, address):
        yield from _played_by_joblib(batches, workers, logs)


def _played_by_joblib(
    batches: Batches, workers: int, logs: bool
) -> Generator[list[Played], None, None]:
    from joblib import delayed
    from joblib.parallel import get_active_backend

    tasks = (delayed(play)(batch, logs=logs) for batch in batches)
    backend: Any = get_active_backend()[0]
    if not backend.supports_return_generator:  # Ray's
        with _parallel() as parallel:
            while some := list(islice(tasks, 4 * workers)):
                yield from parallel(some)
        return
    found = _parallel(return_as="generator_unordered")(tasks)
    with _closing(found):
        for batch in found:  # noqa: UP028  # `yield from` would close it by itself, with regrets
            yield batch


@contextmanager
def _closing(found: Any) -> Iterator[None]:
    """Close what joblib yields, in silence; tell of a worker that died meanwhile."""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    try:
        yield
    except TerminatedWorkerError as error:
        raise worker_died() from error
    finally:
        with warnings.catch_warnings():
            # joblib regrets the batches that nobody waits for; they are played by the next run.
            warnings.simplefilter("ignore", UserWarning)
            found.close()


def _parallel(**options: Any) -> Any:
    """Joblib's `Parallel` for tasks that are batches already."""
    from joblib import Parallel

    options["batch_size"] = 1  # not in the call, for analysers know its default, a text, alone
    return Parallel(**options)


@contextmanager
def _joblib(backend: Backend, workers: int, address: str | None) -> Iterator[None]:
    """Joblib's backend, with the cluster that it needs."""
    try:
        with ExitStack() as stack:
            from joblib import parallel_config

            if backend == "dask":
                stack.enter_context(_dask(workers, address))
            elif backend == "ray":
                stack.enter_context(_ray(workers, address))
            own = {"initializer": _begin, "initargs": (os.getpid(), os.getcwd())}
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
    from joblib import delayed

    with born_deaf_to_interrupts():
        found = _parallel(return_as="generator")(delayed(os.getpid)() for _ in range(workers))
    with _closing(found):  # while they start, this process hears Ctrl-C again
        list(found)


def _begin(parent: int, folder: str) -> None:
    """Begin one of loky's workers in the folder of its parent, where loose files are.

    The folder is one of its arguments: workers that were begun elsewhere are not used again.
    """
    os.chdir(folder)
    # Processes that it starts for parties would look for loky's way to start some, and not find it.
    multiprocessing.set_start_method(None, force=True)
    begin_worker(parent)


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
