"""`genius-py compare`: how good a party is beside classical bots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
import click

from genius_py.cli import _output, _progress, _ranking, _screen, _workers
from genius_py.cli._command import Command
from genius_py.cli._record import dumped
from genius_py.tournament.backends import Backend
from genius_py.tournament.compare import comparison, verdicts
from genius_py.tournament.plan import plan_tournament
from genius_py.tournament.ranking import rank
from genius_py.tournament.run import run_plan
from genius_py.tournament.store import Results
from genius_py.tournament.sweep import canonical, expanded

_BOTS = "boulware,conceder,linear,tit-for-tat,micro"
_DOMAINS = "company_car,flour_supply,festival_booking"


@click.command(cls=Command)
@click.option("--llm", "models", multiple=True, metavar="MODEL", help="A language model to try.")
@click.option(
    "--party", "parties", multiple=True, metavar="SPEC", help="Any other party to try, as in run."
)
@click.option(
    "--bots",
    default=_BOTS,
    show_default=True,
    metavar="SPEC,...",
    help="Whom to try it against; options of a bot are separated by commas, too.",
)
@click.option(
    "--domains", default=_DOMAINS, show_default=True, metavar="DOMAIN,...", help="On what."
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Pairs of sessions on each domain; the two swap roles.",
)
@click.option(
    "--protocol",
    default="SAOP",
    show_default=True,
    metavar="NAME[:key=value,...]",
    help="The rules.",
)
@click.option("--deadline", metavar="60rounds|30s", help="[default: the domain's own, or 60rounds]")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--output",
    "-o",
    type=_output.OutputFile(),
    metavar="RESULTS.sqlite",
    help="Keep the sessions there: the same command then goes on where it was stopped.",
)
@_workers.options
@click.option("--retry-faults", is_flag=True, help="Play sessions that failed once more.")
@click.option("--logs", is_flag=True, help="Keep every session's event log, compressed.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, no tables.")
def command(
    *,
    models: tuple[str, ...],
    parties: tuple[str, ...],
    bots: str,
    domains: str,
    repeat: int,
    protocol: str,
    deadline: str | None,
    seed: int,
    output: Path | None,
    workers: int | None,
    backend: Backend | None,
    address: str | None,
    retry_faults: bool,
    logs: bool,
    as_json: bool,
) -> None:
    """Compare language models, or any parties, with classical bots.

    Everybody negotiates with everybody on every domain, in both roles and with the same seeds. The
    answer is a leaderboard and, for each bot, a sentence: who got more of the other, by how much.

    Exit code 0: done. 1: every session failed, or a worker died. 2: something was asked for that
    cannot be done. 130: stopped by Ctrl-C.
    """
    challengers = _specs([*(f"llm:model={model}" for model in models), *parties])
    if not challengers:
        raise click.UsageError("Name who is to be compared: --llm MODEL or --party SPEC.")
    opponents = _specs(_split(bots))
    if bots == _BOTS:  # nobody chose them
        opponents = [bot for bot in opponents if bot not in challengers]
    plan = plan_tournament(
        comparison(
            challengers,
            opponents,
            _split(domains),
            repeat=repeat,
            protocol=protocol,
            deadline=deadline,
            seed=seed,
        )
    )
    with _file(output) as path, Results(path, create=True) as results:
        kept = (
            "Nothing was kept; with --output it would be."
            if output is None
            else f"What was finished is in {output}; the same command goes on from there."
        )
        with _workers.interruptible(kept), _progress.shown() as report:
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
        ranking = rank(results)
        found = verdicts(results, challengers, opponents)
        if as_json:
            told = [{**attrs.asdict(verdict), "verdict": str(verdict)} for verdict in found]
            _output.tell(dumped({"verdicts": told, **_ranking.record(ranking)}))
        else:
            console = _screen.page()
            _ranking.show(console, ranking)
            console.print()
            for verdict in found:
                console.print(str(verdict), style="bold" if verdict.is_decided else "")
        _ranking.require_scores(results, ranking)


def _specs(given: list[str]) -> list[str]:
    return [canonical("party", spec) for one in given for spec in expanded(one)]


def _split(listed: str) -> list[str]:
    """The parts between commas; one that is an option belongs to the spec before it."""
    parts: list[str] = []
    for part in filter(None, map(str.strip, listed.split(","))):
        is_option = "=" in part and ":" not in part.partition("=")[0]
        is_inside = bool(parts) and parts[-1].count("[") > parts[-1].count("]")
        if parts and ((is_option and ":" in parts[-1]) or is_inside):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


@contextmanager
def _file(output: Path | None) -> Iterator[Path]:
    if output is not None:
        yield output
    else:
        with TemporaryDirectory(prefix="genius-py-") as folder:
            yield Path(folder) / "comparison.sqlite"
