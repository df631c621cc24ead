"""Showing finished sessions, in the ways that `run` and `replay` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from genius_py.analysis.of_outcome import OutcomeAnalysis, analyze_outcome
from genius_py.cli import _output
from genius_py.cli._record import dumped, record
from genius_py.log import Reason
from genius_py.outcome import Outcome

__all__ = ["options", "own_path", "show"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def options(command: _Command) -> _Command:
    """Add `--json`, `--trace` and `--plot`; they arrive as `as_json`, `trace` and `plot`."""
    for option in (
        click.option(
            "--plot",
            type=_output.OutputFile(),
            metavar="FILE.png|FILE.svg",
            help="Draw the outcome space, or for more than two parties utility over time.",
        ),
        click.option("--trace", is_flag=True, help="Show every action as well."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object, no tables."),
    ):
        command = option(command)
    return command


def own_path(path: Path, outcome: Outcome, outcomes: int) -> Path:
    """The path itself for a single session; with the seed in its name when there are several."""
    return path if outcomes == 1 else path.with_stem(f"{path.stem}-{outcome.plan.seed}")


def show(
    outcomes: Sequence[Outcome],
    *,
    as_json: bool,
    trace: bool,
    plot: Path | None,
    log: Path | None = None,
) -> None:
    """Print the sessions and draw their plots; exit with 1 when one failed by a fault."""
    if plot is not None:
        from genius_py.report.outcome_space_plot import save_outcome_plot

        for outcome in outcomes:
            path = own_path(plot, outcome, len(outcomes))
            with _output.writing(path):
                save_outcome_plot(outcome, path)
    analyses = [analyze_outcome(outcome) for outcome in outcomes]
    if as_json:
        told = [
            record(outcome, analysis, trace=trace)
            for outcome, analysis in zip(outcomes, analyses, strict=True)
        ]
        _output.tell(dumped(told[0] if len(told) == 1 else {"sessions": told}))
    else:
        _show_to_a_person(outcomes, analyses, trace, {"Log": log, "Plot": plot})
    if any(outcome.reason is Reason.FAULT for outcome in outcomes):
        click.get_current_context().exit(1)


def _show_to_a_person(
    outcomes: Sequence[Outcome],
    analyses: Sequence[OutcomeAnalysis | None],
    trace: bool,
    files: dict[str, Path | None],
) -> None:
    from genius_py.cli import _screen

    console = _screen.page()
    if trace:
        for outcome in outcomes:
            _screen.show_actions(console, outcome)
    if len(outcomes) == 1:
        _screen.show_outcome(console, outcomes[0], analyses[0])
    else:
        _screen.show_outcomes(console, outcomes, analyses)
    written = {what: path for what, path in files.items() if path is not None}
    if written:
        console.print()
    for what, path in written.items():
        first, last = (own_path(path, outcomes[i], len(outcomes)) for i in (0, -1))
        console.print(f"{what}: {first}" if first == last else f"{what}s: {first} to {last}")
