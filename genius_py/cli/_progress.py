"""How far a run of many sessions has come: a bar for who watches, plain lines for a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from genius_py.llm.usage import Usage
    from genius_py.tournament.run import Progress

__all__ = ["duration", "shown"]

_LINE_SECONDS = 10.0
"""How often a line is written where nobody watches."""


@contextmanager
def shown() -> Iterator[Callable[[Progress], None]]:
    """Something to report to: on stderr, with rate and remaining time.

    In the end also what language models in this process have been asked, and how fast they were.
    """
    before = _usage()
    if sys.stderr is not None and sys.stderr.isatty():  # it may be closed
        with _bar() as report:
            yield report
    else:
        yield _lines()
    for model, usage in _usage().items():
        new = usage - before[model] if model in before else usage
        if new.requests:
            click.echo(f"{model}: {new}", err=True)


def _usage() -> Mapping[str, Usage]:
    """What each model has been used for; importing nothing for those who use none."""
    models = sys.modules.get("genius_py.llm.shared_models")
    return {} if models is None else dict(models.usage())


def duration(seconds: float) -> str:
    """A time as a person says it."""
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    if seconds < 86400:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    pace = _Pace()
    with Bar(
        TextColumn("Sessions"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,  # in a thread, with which no process can be copied
    ) as bar:
        task = bar.add_task("Sessions", total=None, rate="")

        def report(progress: Progress) -> None:
            bar.update(
                task,
                total=progress.planned,
                completed=progress.finished,
                rate=f"{pace.rate(progress):.1f}/s",
                refresh=True,
            )

        yield report


def _lines() -> Callable[[Progress], None]:
    pace = _Pace()
    told = time.monotonic()

    def report(progress: Progress) -> None:
        nonlocal told
        rate = pace.rate(progress)
        is_over = progress.finished == progress.planned
        now = time.monotonic()
        if now - told < _LINE_SECONDS and not is_over:
            return
        told = now
        left = (progress.planned - progress.finished) / rate if rate else 0.0
        more = "" if is_over or not rate else f", about {duration(left)} left"
        click.echo(
            f"{progress.finished} of {progress.planned} sessions, {rate:.1f}/s{more}", err=True
        )

    return report


class _Pace:
    """Sessions a second, since the first report; what was finished before does not count."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._before: int | None = None

    def rate(self, progress: Progress) -> float:
        if self._before is None:
            self._before = progress.finished
        spent = time.monotonic() - self._began
        return (progress.finished - self._before) / spent if spent > 0 else 0.0
