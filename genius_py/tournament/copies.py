"""Batches played in copies of this process, which begin at once and have imported everything."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.process import BaseProcess

from genius_py.tournament.plan import Match
from genius_py.tournament.play import Played, play
from genius_py.tournament.worker import begin_worker, born_deaf_to_interrupts, worker_died

__all__ = ["played_by_copies", "why_no_copies"]

_WAITING = 2
"""Batches handed out for each worker, so that none has to wait for the next."""

_END_SECONDS, _LAST_SECONDS = 0.05, 5.0


def why_no_copies() -> str | None:
    """Why this process had better not be copied by a fork; None where it may be.

    The copy has one thread. What another held at that moment, a lock or a graphics card, would
    stay held there for ever.
    """
    if sys.platform != "linux":
        return "only Linux copies a process with all its libraries safely"
    if threading.active_count() > 1:
        return "this process runs threads"
    if "torch" in sys.modules:
        return "torch, which runs threads of its own, is loaded in this process"
    return None


def played_by_copies(
    batches: Iterable[Sequence[Match]], workers: int, *, logs: bool
) -> Generator[list[Played], None, None]:
    """Play the batches in so many copies of this process; yield them as they are finished.

    Closing the generator ends the copies, whatever they are doing.

    Raises:
        SessionFailure: a copy died.
    """
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(
        workers,
        multiprocessing.get_context("fork"),
        initializer=_begin,
        initargs=(os.getpid(),),
    ) as pool:
        with born_deaf_to_interrupts():
            pool.submit(os.getpid)  # the first call starts them all
        copies = set(multiprocessing.active_children()) - others
        try:
            waiting = iter(batches)
            running = {
                pool.submit(_play, batch, logs) for batch in islice(waiting, _WAITING * workers)
            }
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running.update(
                    pool.submit(_play, batch, logs) for batch in islice(waiting, len(done))
                )
                yield from map(Future.result, done)
        except BrokenProcessPool as error:
            for copy in copies:
                copy.kill()
            raise worker_died() from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            _end(copies)
            raise


def _begin(parent: int) -> None:
    begin_worker(parent)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _play(batch: Sequence[Match], logs: bool) -> list[Played]:
    """Play a batch, and be ended meanwhile, but not while telling what came out.

    Half a message would be waited for without end.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        return play(batch, logs=logs)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _end(copies: Iterable[BaseProcess]) -> None:
    """End copies, each as soon as it can be; one that resists has not told anything for long."""
    for copy in copies:
        for _ in range(int(_LAST_SECONDS / _END_SECONDS)):
            copy.terminate()
            copy.join(_END_SECONDS)
            if not copy.is_alive():
                break
        else:
            copy.kill()
