"""`genius-py tournament`: play every session of a configuration, and rank the parties."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import click

from genius_py import registry
from genius_py.cli import _output, _progress, _ranking, _screen, _workers
from genius_py.cli._command import Command
from genius_py.cli._record import dumped
from genius_py.errors import OptionError
from genius_py.tournament.backends import Backend
from genius_py.tournament.export import to_csv, to_parquet
from genius_py.tournament.genius_csv import to_genius_csv
from genius_py.tournament.plan import Plan, plan_tournament
from genius_py.tournament.play import answers_together, play
from genius_py.tournament.ranking import rank
from genius_py.tournament.reproduction import reproduce
from genius_py.tournament.run import run_plan
from genius_py.tournament.store import Results
from genius_py.tournament.tournament import Tournament

_SAMPLE, _SAMPLE_SECONDS = 24, 2.0
"""Sessions that `--dry-run` plays at most, and how long."""

_FILE = click.Path(path_type=Path, dir_okay=False)
_WRITTEN = _output.OutputFile()


@click.command(cls=Command)
@click.argument("config", type=_FILE, required=False, metavar="[CONFIG.yaml]")
@click.option(
    "--output",
    "-o",
    type=_WRITTEN,
    metavar="RESULTS.sqlite",
    help="Where results are kept.",
)
@_workers.options
@click.option("--dry-run", is_flag=True, help="Show what would be played, and play nothing.")
@click.option("--retry-faults", is_flag=True, help="Play sessions that failed once more.")
@click.option("--logs", is_flag=True, help="Keep every session's event log, compressed.")
@click.option("--show", type=_FILE, metavar="RESULTS", help="Rank what is stored; play nothing.")
@click.option(
    "--reproduce", "again", type=_FILE, metavar="RESULTS", help="Play it anew and compare."
)
@click.option("--csv", type=_WRITTEN, metavar="FILE", help="Write all sessions as CSV.")
@click.option("--parquet", type=_WRITTEN, metavar="FILE", help="Write all sessions as Parquet.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="SPEC",
    help="Add a metric of each session to CSV and Parquet, from the logs that were kept.",
)
@click.option("--genius-csv", type=_WRITTEN, metavar="FILE", help="Write them as Genius's log.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, no tables.")
def command(
    *,
    config: Path | None,
    output: Path | None,
    workers: int | None,
    backend: Backend | None,
    address: str | None,
    dry_run: bool,
    retry_faults: bool,
    logs: bool,
    show: Path | None,
    again: Path | None,
    csv: Path | None,
    parquet: Path | None,
    metrics: tuple[str, ...],
    genius_csv: Path | None,
    as_json: bool,
) -> None:
    """Play a tournament, and rank its parties.

    What is finished is stored at once: the same command goes on where it was stopped, and without
    CONFIG.yaml it goes on with what the results file holds.

    Exit code 0: done. 1: every session failed, a worker died, or with --reproduce something came
    out differently. 2: something was asked for that cannot be done. 130: stopped by Ctrl-C.
    """
    if sum(given is not None for given in (config or output, show, again)) != 1:
        raise click.UsageError("Give CONFIG.yaml with --output, or --show, or --reproduce.")
    if parquet is not None and find_spec("pyarrow") is None:
        raise OptionError("Parquet needs pyarrow; pip install 'genius-py[tournament]'.")
    if metrics and csv is None and parquet is None:
        raise click.UsageError("Where shall the metrics go? Name a file: --csv FILE.")
    if metrics and show is None and not logs:
        raise click.UsageError("Metrics are calculated from logs; add --logs, or --show RESULTS.")
    for spec in metrics:
        registry.make("metric", spec)
    exports: dict[Callable[[Results, Path], None], Path | None] = {
        partial(to_csv, metrics=metrics): csv,
        partial(to_parquet, metrics=metrics): parquet,
        to_genius_csv: genius_csv,
    }
    if again is not None:
        _reproduce(again, workers, backend, address, as_json)
        return
    if show is None:
        if dry_run:
            _dry_run(_planned(config, output), output)
            return
        if output is None:
            raise click.UsageError("Name a file for the results: --output RESULTS.sqlite.")
        plan = _planned(config, output)
        kept = f"What was finished is in {output}; the same command goes on from there."
        with (
            Results(output, create=True) as results,
            _workers.interruptible(kept),
            _progress.shown() as report,
        ):
            run_plan(
                plan,
                results,
                workers=_workers.chosen(workers, plan),
                backend=backend,
                address=address,
                logs=logs,
                retry_faults=retry_faults,
                report=report,
            )
    stored = show or output
    assert stored is not None
    with Results(stored) as results:
        for write, path in exports.items():
            if path is not None:
                with _output.writing(path):
                    write(results, path)
        ranking = rank(results)
        if as_json:
            _output.tell(dumped({"sessions": len(results), **_ranking.record(ranking)}))
        else:
            console = _screen.page()
            console.print(f"{len(results)} sessions in {stored}", style="dim")
            console.print()
            _ranking.show(console, ranking)
        if show is None:
            _ranking.require_scores(results, ranking)


def _planned(config: Path | None, output: Path | None) -> Plan:
    if config is not None:
        return plan_tournament(Tournament.read(config))
    assert output is not None
    with Results(output) as results:
        return results.plan()


def _dry_run(plan: Plan, output: Path | None) -> None:
    console = _screen.page()
    finished, seconds = 0, None
    if output is not None and output.is_file():
        with Results(output) as results:
            finished, seconds = len(results), results.seconds
    console.print(_counts(plan))
    if finished:
        console.print(f"{finished} of these are finished already.")
    console.print()
    rows = _screen.table("protocol", "domain", "seats", "deadline", "lineups", right=("lineups",))
    for setting in plan.settings:
        rows.add_row(
            setting.protocol,
            setting.domain,
            ", ".join(setting.roles),
            str(setting.deadline),
            str(len(plan.lineups_at(setting))),
        )
    console.print(rows)
    console.print()
    seconds = _measured(plan) if seconds is None else seconds
    if seconds is None:
        console.print("How long it takes cannot be told: no sample was played with these parties.")
    else:
        left = (len(plan) - finished) * seconds
        console.print(f"About {_progress.duration(left)} on one core.")


def _counts(plan: Plan) -> str:
    repetitions = plan.tournament.repetitions
    return (
        f"{len(plan)} sessions: {len(plan.parties)} parties, {len(plan.settings)} settings, "
        f"{repetitions} repetition{'' if repetitions == 1 else 's'}"
    )


def _measured(plan: Plan) -> float | None:
    """Seconds a session, from some that are spread over the first repetition.

    None where a mind is at the table whose answers may cost money.
    """
    if any(map(answers_together, plan.parties)):
        return None
    each = max(1, len(plan) // plan.tournament.repetitions // _SAMPLE)
    began, spent = time.monotonic(), []
    for match in islice(plan, 0, None, each):
        spent.append(play([match])[0].seconds)
        if len(spent) >= _SAMPLE or time.monotonic() - began > _SAMPLE_SECONDS:
            break
    return sum(spent) / len(spent)


def _reproduce(
    path: Path, workers: int | None, backend: Backend | None, address: str | None, as_json: bool
) -> None:
    with (
        Results(path) as results,
        _workers.interruptible("Nothing was changed."),
        _progress.shown() as report,
    ):
        if not len(results):
            raise OptionError(f"{path} holds no sessions to play again.")
        found = reproduce(
            results,
            workers=_workers.chosen(workers, results.plan()),
            backend=backend,
            address=address,
            report=report,
        )
    if as_json:
        _output.tell(
            dumped(
                {
                    "compared": found.compared,
                    "differing": found.differing,
                    "differences": list(map(str, found.differences)),
                    "stored_with": found.stored_with,
                    "played_with": found.played_with,
                }
            )
        )
    else:
        _output.tell(f"{found.compared - found.differing} of {found.compared} came out the same.")
        for difference in found.differences:
            _output.tell(f"  {difference}")
        if found.stored_with != found.played_with:
            _output.tell(f"Stored with {' and '.join(found.stored_with)}.")
            _output.tell(f"Played with {' and '.join(found.played_with)}.")
    if found.differing:
        click.get_current_context().exit(1)
