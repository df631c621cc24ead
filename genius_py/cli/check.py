"""`genius-py check`: does a party, protocol or domain keep its contract?"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import click

from genius_py.cli import _screen
from genius_py.cli._command import Command, Kind
from genius_py.testing import ConformanceError, Report, check_domain, check_party, check_protocol

_CHECKS: Mapping[str, Callable[[str], Report]] = {
    "party": check_party,
    "protocol": check_protocol,
    "domain": check_domain,
}


@click.command(cls=Command)
@click.argument("kind", type=Kind(list(_CHECKS)))
@click.argument("spec")
def command(kind: str, spec: str) -> None:
    """Put SPEC to the test: what passed, and what is to mend.

    SPEC is a name, or path/to/file.py:Class; for a domain also a folder or file. The exit code is
    1 when something is to mend.
    """
    try:
        report = _CHECKS[kind](spec)
    except ConformanceError as error:
        report = error.report
    console = _screen.page()
    rows = _screen.table("", "")
    rows.show_header = False
    told: set[str] = set()
    for check in report.checks:
        if check.failure:
            failure = " ".join(check.failure.split())
            cause = _cause(failure)
            said = "the same" if cause in told else failure
            told.add(cause)
            rows.add_row("mend", f"{check.claim}: {said}", style="red")
        elif check.remark:
            rows.add_row("note", f"{check.claim}: {check.remark}", style="yellow")
        elif check.skipped:
            rows.add_row("skipped", f"{check.claim}: {check.skipped}", style="dim")
        else:
            rows.add_row("passed", check.claim)
    console.print(report.subject, style="bold")
    console.print(rows)
    console.print()
    if report.passed:
        console.print("It keeps its contract.", style="bold green")
        return
    console.print(f"{len(report.failures)} of {len(report.checks)} to mend.", style="bold red")
    click.get_current_context().exit(1)


def _cause(failure: str) -> str:
    """What made a check fail: of an exception what it was and where, whoever met it."""
    _, raised, error = failure.partition("raised ")
    return error if raised else failure
