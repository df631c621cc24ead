"""What makes a process a worker: it ends with the one that it works for, and not by Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from genius_py.errors import SessionFailure

__all__ = ["begin_worker", "born_deaf_to_interrupts", "worker_died"]

_WATCH_SECONDS = 0.5


@contextmanager
def born_deaf_to_interrupts() -> Iterator[None]:
    """Processes that the block starts ignore Ctrl-C from the first: it is for this one alone."""
    is_main = threading.current_thread() is threading.main_thread()
    # What is ignored here when a process begins is ignored there.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    try:
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before)


def begin_worker(parent: int) -> None:
    """Let this process end soon after `parent`, however that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        pause = threading.Event()
        while os.getppid() == parent:
            pause.wait(_WATCH_SECONDS)
        os._exit(1)

    if os.name == "posix":  # elsewhere an orphan keeps its parent's number
        threading.Thread(target=watch, daemon=True).start()


def worker_died() -> SessionFailure:
    """What is to be said of it, whoever started the worker."""
    return SessionFailure(
        "A worker process died, of a party that ended it or for want of memory. What had been "
        "finished is stored; the same command goes on from there."
    )
