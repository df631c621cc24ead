"""`genius-py run`: play sessions and show what came of them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

import click

from genius_py import formats, registry
from genius_py.cli import _output, _show, _workers
from genius_py.cli._command import Command
from genius_py.errors import GeniusWarning
from genius_py.fault import FaultPolicy
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party_source import PartySource
from genius_py.plan import SessionPlan
from genius_py.report.outcome_space_plot import require_plotting
from genius_py.seating import plan_session

_DEFAULT_PROTOCOL = "SAOP"


@click.command(cls=Command)
@click.option(
    "--protocol",
    metavar="NAME[:key=value,...]",
    help=f"The rules.  [default: the domain's own, or {_DEFAULT_PROTOCOL}]",
)
@click.option(
    "--domain",
    required=True,
    metavar="NAME|FOLDER|FILE|random:...",
    help="A bundled domain, a folder or file, or one made up on the spot.",
)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="FILE",
    help="A profile for a Genius domain XML; once for each party, in seat order.",
)
@click.option(
    "--party",
    "parties",
    multiple=True,
    metavar="SPEC[@ROLE]",
    help="NAME, NAME:key=value,..., package.module:Class or path/to/file.py:Class; once for each "
    "seat. One alone plays against bots.  [default: classical bots]",
)
@click.option("--mediator", metavar="SPEC", help="Who mediates, in protocols that have a mediator.")
@click.option(
    "--deadline",
    metavar="60rounds|30s",
    help="When a session must be over.  [default: the domain's own, or 60rounds]",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Play N sessions, with the seeds SEED, SEED+1, ...",
)
@click.option(
    "--faithful", is_flag=True, help="Follow Java Genius 10.4 step by step, bugs included."
)
@click.option(
    "--retries",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="How often a party is asked again after a fault.",
)
@click.option(
    "--on-fault",
    type=click.Choice(["fail", "forfeit"]),
    default="fail",
    show_default=True,
    help="What a fault costs: the session or the turn.",
)
@click.option(
    "--isolate",
    type=click.Choice(["process"]),
    help="Give each party a process of its own.",
)
@click.option(
    "--party-timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Cut off a party that takes longer to answer; needs --isolate process.",
)
@click.option(
    "--log",
    type=_output.OutputFile(),
    metavar="FILE.jsonl",
    help="Write the session's event log, which genius-py replay reads.",
)
@_show.options
def command(
    *,
    protocol: str | None,
    domain: str,
    profiles: tuple[str, ...],
    parties: tuple[str, ...],
    mediator: str | None,
    deadline: str | None,
    seed: int,
    repeat: int,
    faithful: bool,
    retries: int,
    on_fault: FaultPolicy,
    isolate: str | None,
    party_timeout: float | None,
    log: Path | None,
    as_json: bool,
    trace: bool,
    plot: Path | None,
) -> None:
    """Play one session, or several, and show what came of it.

    Exit code 0: played, with or without agreement. 1: a session failed by a fault. 2: something
    was asked for that cannot be done.
    """
    if party_timeout is not None and isolate is None:
        raise click.UsageError("--party-timeout needs --isolate process.")
    if plot is not None:
        require_plotting(plot)
    if protocol is not None:  # which may be refused before a domain is read
        registry.class_of("protocol", protocol)
    scenario = formats.load(domain, profiles=profiles)
    outcomes: list[Outcome] = []
    with _workers.interruptible(lambda: _kept(log, outcomes)), _progress(seed, repeat) as seeds:
        for own_seed in seeds:
            plan, makers = plan_session(
                protocol or scenario.protocol or _DEFAULT_PROTOCOL,
                scenario,
                parties=parties,
                mediator=mediator,
                deadline=deadline,
                seed=own_seed,
                retries=retries,
                on_fault=on_fault,
                faithful=faithful,
            )
            _tell_absent(plan)
            if isolate is not None:
                makers = _isolated(makers, party_timeout)
            outcomes.append(SessionManager(plan, makers).run())
            if log is not None:
                # At once, so that what has been played is kept when a later session is stopped.
                _write(outcomes[-1], _show.own_path(log, outcomes[-1], repeat))
    _show.show(outcomes, as_json=as_json, trace=trace, plot=plot, log=log)


def _tell_absent(plan: SessionPlan) -> None:
    """Say once who is left out, for what is agreed may be bad for them."""
    if absent := plan.absent:
        verb = "takes" if len(absent) == 1 else "take"
        warnings.warn(
            f"{' and '.join(absent)} {verb} no part: {len(plan.parties)} parties are named for the "
            f"{len(plan.scenario.roles)} profiles of {plan.scenario.name!r}; name one for each.",
            GeniusWarning,
            stacklevel=2,
        )


def _kept(log: Path | None, outcomes: Sequence[Outcome]) -> str:
    if log is None or not outcomes:
        return "Nothing was kept."
    many = len(outcomes)
    return f"The logs of {many} sessions are kept." if many > 1 else "One session's log is kept."


def _isolated(
    makers: Mapping[str, PartySource], timeout: float | None
) -> Mapping[str, PartySource]:
    # This and the writer of logs are seldom needed and take 50 ms to import.
    from genius_py.isolation import IsolatedParty

    return {seat: partial(IsolatedParty, source, timeout) for seat, source in makers.items()}


def _write(outcome: Outcome, path: Path) -> None:
    from genius_py.trace import write_log

    write_log(outcome, path)


def _progress(seed: int, repeat: int) -> AbstractContextManager[Iterable[int]]:
    """The seeds to play, with a progress bar where somebody watches."""
    seeds = range(seed, seed + repeat)
    if repeat == 1 or not _is_watched():
        return nullcontext(seeds)
    return click.progressbar(seeds, label="Sessions", file=sys.stderr)


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()  # it may be closed
