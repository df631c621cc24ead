"""`genius-py replay`: play a log again and prove that it comes out as recorded."""

from __future__ import annotations

from pathlib import Path

import click

from genius_py import trace as session_log
from genius_py.cli import _show
from genius_py.cli._command import Command


@click.command(cls=Command)
@click.argument("log", type=click.Path(path_type=Path, dir_okay=False))
@_show.options
def command(*, log: Path, as_json: bool, trace: bool, plot: Path | None) -> None:
    """Play LOG again, without its parties, and show what comes out.

    The recorded actions are sent into the rules again, and every event must come out as it was
    recorded; exit code 2 when one does not.
    """
    _show.show([session_log.replay(log)], as_json=as_json, trace=trace, plot=plot)
