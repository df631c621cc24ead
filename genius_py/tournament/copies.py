"""Batches played in copies of this process, which begin at once and have imported everything."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any

from genius_py.tournament.plan import Match
from genius_py.tournament.play import play
from genius_py.tournament.played import Played
from genius_py.tournament.worker import begin_worker, born_deaf_to_interrupts, worker_died

__all__ = ["played_by_copies", "why_no_copies"]

_WAITING = 2
"""Batches handed out for each worker, so that none has to wait for the next."""

_LOOK_SECONDS = 1.0
"""How often to look for a copy that died in the middle of a message, which the pool waits for."""


def why_no_copies() -> str | None:
    """Why this process had better not be copied by a fork; None where it may be.

    The copy has one thread. What another held at that moment, a lock or a graphics card, would
    stay held there for ever.
    """
    if sys.platform != "linux":
        return "only Linux copies a process with all its libraries safely"
    if multiprocessing.current_process().daemon:
        return "this process is a daemon of multiprocessing, which may start no others"
    if threading.active_count() > 1:
        return "this process runs threads"
    if "torch" in sys.modules:
        return "torch, which runs threads of its own, is loaded in this process"
    return None


def played_by_copies(
    batches: Iterable[Sequence[Match]], workers: int, *, logs: bool
) -> Generator[list[Played], None, None]:
    """Play the batches in so many copies of this process; yield them as they are finished.

    In the end the copies are killed, whatever parties have left running in them.

    Raises:
        SessionFailure: a copy died.
    """
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(
        workers,
        multiprocessing.get_context("fork"),
        initializer=begin_worker,
        initargs=(os.getpid(),),
    ) as pool:
        with born_deaf_to_interrupts():
            pool.submit(os.getpid)  # the first call starts them all
        copies = set(multiprocessing.active_children()) - others
        # The second half of a message is waited for as long as there is anybody who could write it.
        told: Any = pool._result_queue
        told._writer.close()
        try:
            waiting = iter(batches)
            running = {
                pool.submit(play, batch, logs=logs) for batch in islice(waiting, _WAITING * workers)
            }
            while running:
                done, running = wait(running, _LOOK_SECONDS, FIRST_COMPLETED)
                if not done and not all(copy.is_alive() for copy in copies):
                    raise worker_died()
                running.update(
                    pool.submit(play, batch, logs=logs) for batch in islice(waiting, len(done))
                )
                yield from map(Future.result, done)
        except BrokenProcessPool as error:
            raise worker_died() from error
        finally:
            for copy in copies:
                copy.kill()
