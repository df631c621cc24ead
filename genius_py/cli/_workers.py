"""Options that say where sessions are played, and what Ctrl-C does meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from genius_py.tournament.backends import BACKENDS
from genius_py.tournament.plan import Plan
from genius_py.tournament.play import answers_together

__all__ = ["chosen", "interruptible", "options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_INTERRUPTED = 130
"""The exit code that shells give to what Ctrl-C ended."""


def options(command: _Command) -> _Command:
    """Add `--workers`, `--backend` and `--address`."""
    for option in (
        click.option(
            "--address",
            metavar="ADDRESS",
            help="The Dask scheduler or Ray cluster to use.  [default: a local one]",
        ),
        click.option(
            "--backend",
            type=click.Choice(BACKENDS),
            help="What plays sessions in other processes: copies of this one, joblib's loky, or a "
            "cluster.  [default: fork where this process can be copied, else loky]",
        ),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            metavar="N",
            help="Processes; 1 plays in this one.  [default: one for each core, or 1 where a mind "
            "answers the turns of many sessions at once]",
        ),
    ):
        command = option(command)
    return command


def chosen(workers: int | None, plan: Plan) -> int:
    """The number given, or the cores that this process may use.

    One process where sessions share a language model, which fills the machine by itself.
    """
    if workers is not None:
        return workers
    if any(map(answers_together, plan.parties)):
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def interruptible(kept: str | Callable[[], str]) -> Iterator[None]:
    """Ctrl-C ends the command with one line that says what is kept."""
    try:
        yield
    except KeyboardInterrupt:
        said = kept if isinstance(kept, str) else kept()
        click.echo(f"\nStopped. {said}", err=True)
        click.get_current_context().exit(_INTERRUPTED)
