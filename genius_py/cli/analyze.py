"""`genius-py analyze`: what could be agreed on, and how good and by what way what was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from genius_py import formats, registry
from genius_py import trace as session_log
from genius_py.analysis.of_outcome import OutcomeSpace, analyze_outcome
from genius_py.analysis.points import Points
from genius_py.cli import _analysis_record, _judgement, _output, _record, _screen, _solutions
from genius_py.cli._command import Command
from genius_py.errors import OptionError
from genius_py.log import Reason
from genius_py.metrics._offers import offers_by_party
from genius_py.outcome import Outcome
from genius_py.report.outcome_space_plot import (
    require_plotting,
    save_outcome_plot,
    save_space_plot,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDEST, _NARROWEST = 72, 24
"""Characters of the picture from side to side."""

_PROCESS = {
    "concession per turn": "concession_per_turn",
    "compliance": "compliance",
    "retracted concessions": "retracted_concessions",
    "irrational offers": "irrational_offers",
    "burstiness": "burstiness",
    "concession rigidity": "concession_rigidity",
    "opponent model, Pearson": "opponent_model_pearson",
    "opponent model, Kendall": "opponent_model_kendall",
    "share of the surplus": "surplus_share",
}
"""What is told of how each party went about it, by the names of the metrics."""

_MOVES = ("concession", "selfish", "fortunate", "unfortunate", "nice", "silent")


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, metavar="DOMAIN|LOG...")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="FILE",
    help="A profile for a Genius domain XML; once for each party.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, no tables.")
@click.option(
    "--plot",
    type=_output.OutputFile(),
    metavar="FILE.png|FILE.svg",
    help="Draw the outcome space, with the offers of a log.",
)
@click.option(
    "--export",
    type=_output.OutputFile(),
    metavar="FILE.csv|FILE.parquet",
    help="Write a table: of a domain the Pareto frontier, of logs one row a session.",
)
@click.option(
    "--events",
    type=_output.OutputFile(),
    metavar="FILE.csv|FILE.parquet",
    help="Write a table of the logs' events.",
)
def command(
    *,
    sources: tuple[str, ...],
    profiles: tuple[str, ...],
    as_json: bool,
    plot: Path | None,
    export: Path | None,
    events: Path | None,
) -> None:
    """Show what could be agreed on, and how good what was agreed is.

    DOMAIN is whatever --domain takes: a name, a folder, a file, or random:... . LOG is a session
    log; of several each gets a line.
    """
    _require_drawable(plot, export, events)
    if all(map(_is_log, sources)):
        if profiles:
            raise click.UsageError("--profile is for domains; a log has its own.")
        _analyze_logs(sources, as_json=as_json, plot=plot, export=export, events=events)
        return
    domain, *others = sources
    if others:
        other = next(source for source in sources if not _is_log(source))
        raise click.UsageError(f"{other!r} is no session log; of other things, give one at a time.")
    if events is not None:
        raise click.UsageError("--events is for session logs.")
    _analyze_domain(domain, profiles, as_json=as_json, plot=plot, export=export)


def _analyze_logs(
    sources: Sequence[str],
    *,
    as_json: bool,
    plot: Path | None,
    export: Path | None,
    events: Path | None,
) -> None:
    outcomes = [session_log.read_log(log) for log in sources]
    for outcome in outcomes:
        outcome.ending  # noqa: B018  # raises when the session was interrupted
    if plot is not None:
        for number, outcome in enumerate(outcomes, start=1):
            path = _numbered(plot, number, len(outcomes))
            with _output.writing(path):
                save_outcome_plot(outcome, path)
    _export_sessions(sources, outcomes, export, events)
    if as_json:
        told = [_record_of(outcome) for outcome in outcomes]
        _output.tell(_record.dumped(told[0] if len(told) == 1 else {"sessions": told}))
        return
    console = _screen.page()
    if len(outcomes) == 1:
        _show_session(console, outcomes[0])
    else:
        console.print(_overview(sources, outcomes))
    _name_files(console, {"Plot": plot, "Table": export, "Events": events})


def _require_drawable(plot: Path | None, *tables: Path | None) -> None:
    """Refuse files of a kind that nothing is drawn or written in, before anything is analysed."""
    if plot is not None:
        require_plotting(plot)
    for table in tables:
        if table is not None:
            from genius_py.report.frames import require_table

            require_table(table)


def _is_log(source: str) -> bool:
    path = Path(source)
    if not path.is_file():
        return False
    if path.suffix.lower() == ".jsonl":
        return True
    with path.open("rb") as file:
        return session_log.FORMAT.encode() in file.read(200)


def _analyze_domain(
    source: str,
    profiles: Sequence[str],
    *,
    as_json: bool,
    plot: Path | None,
    export: Path | None,
) -> None:
    scenario = formats.load(source, profiles=profiles)
    if not scenario.profiles:
        raise OptionError(f"Domain {scenario.name!r} has no profiles; name them with --profile.")
    space = OutcomeSpace.require(scenario.profiles)
    if plot is not None:
        with _output.writing(plot):
            save_space_plot(space, scenario.name, plot)
    if export is not None:
        from genius_py.report.frames import frontier_frame, write_frame

        with _output.writing(export):
            write_frame(frontier_frame(space), export)
    if as_json:
        _output.tell(_record.dumped(_analysis_record.of_space(space)))
        return
    console = _screen.page()
    console.print(f"{scenario.domain}, {len(space.parties)} profiles", style="bold")
    console.print()
    _solutions.show(console, space)
    _draw(console, space)
    console.print()
    console.print(_judgement.of_space(space))
    if not space.analysis.complete:
        console.print(_judgement.certainty(space.analysis.frontier), style="dim")
    _name_files(console, {"Plot": plot, "Table": export})


def _space_of(outcome: Outcome) -> OutcomeSpace | None:
    """What the parties could have come to; None where nothing can be said of what they got."""
    if outcome.reason is Reason.FAULT or outcome.ending.payoffs is not None:
        return None
    plan = outcome.plan
    return OutcomeSpace.of({seat.id: plan.profile(seat) for seat in plan.parties})


def _record_of(outcome: Outcome) -> dict[str, object]:
    space = _space_of(outcome)
    return {
        **_record.record(outcome, analyze_outcome(outcome)),
        "solutions": space and _analysis_record.of_solutions(space, outcome.utilities),
        **_analysis_record.of_process(outcome),
    }


def _show_session(console: Console, outcome: Outcome) -> None:
    space = _space_of(outcome)
    _screen.show_outcome(console, outcome, analyze_outcome(outcome))
    if outcome.plan.faithful:
        console.print(
            "Judged as Java Genius does it; the solutions are the textbook's.", style="dim"
        )
    if space is not None:
        console.print()
        _solutions.show(console, space, outcome.utilities)
        _draw(console, space, outcome)
    console.print()
    console.print(_process(outcome))


def _draw(console: Console, space: OutcomeSpace, outcome: Outcome | None = None) -> None:
    """The outcome space of two parties in characters, where the terminal is wide enough."""
    width = min(_WIDEST, console.width - 10)
    if len(space.parties) != 2 or width < _NARROWEST:
        return
    from genius_py.report.text_plot import Layer, drawn

    name = "bids" if space.domain.is_listable else "some bids"
    layers = [
        Layer(".", "dim", name, space.cloud(np.random.default_rng(0))),
        Layer("o", "cyan", "Pareto frontier", space.frontier),
    ]
    if outcome is not None:
        for number, (party, worth) in enumerate(_offers(outcome, space), start=1):
            layers.append(Layer(str(number), "yellow", f"offers of {party}", worth))
    # Where solutions meet, the one that most people look for is above the others.
    for title in ("utilitarian", "egalitarian", "kalai_smorodinsky", "nash"):
        point = space.analysis.solution(title)
        if point is not None:
            shown = _solutions.TITLES[title]
            layers.append(Layer(shown[0].upper(), "bold magenta", shown, point[None]))
    if outcome is not None and outcome.agreement is not None:
        agreed = np.array([list(outcome.utilities.values())])
        layers.append(Layer("A", "bold reverse", "agreement", agreed))
    one, other = space.parties
    console.print()
    console.print(drawn(layers, space.analysis.reservation[None], (one, other), width=width))


def _offers(outcome: Outcome, space: OutcomeSpace) -> Iterator[tuple[str, Points]]:
    """Each party's offers as points."""
    for party, made in offers_by_party(outcome).items():
        is_first = party == space.parties[0]
        pair = (made.own, made.others) if is_first else (made.others, made.own)
        yield party, np.column_stack(pair)


def _process(outcome: Outcome) -> Table:
    """How each party went about it: one row a measure that is known for somebody."""
    offers = offers_by_party(outcome)
    rows = _screen.table("how they went about it", *offers, right=tuple(offers))
    rows.add_row("offers", *(str(len(made.bids)) for made in offers.values()))
    if any(len(made.bids) for made in offers.values()):
        for what, place in (("first offer, to itself", 0), ("last offer, to itself", -1)):
            cells = (made.own[place] if len(made.own) else None for made in offers.values())
            rows.add_row(what, *map(_screen.number, cells))
    for kind in _MOVES:
        shares = registry.make("metric", f"{kind}_moves").measure(outcome)
        if any(share > 0 for share in shares.values()):
            cells = (_percent(shares[party]) for party in offers)
            rows.add_row(f"{kind} moves", *cells)
    for what, name in _PROCESS.items():
        values = registry.make("metric", name).measure(outcome)
        if any(np.isfinite(value) for value in values.values()):
            cells = (
                _screen.number(values[party] if np.isfinite(values[party]) else None)
                for party in offers
            )
            rows.add_row(what, *cells)
    return rows


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if np.isfinite(share) else "-"


def _overview(sources: Sequence[str], outcomes: Sequence[Outcome]) -> Table:
    """A line for each of several logs."""
    figures = ("round", "welfare", "to Pareto", "to Nash")
    rows = _screen.table("log", "domain", "ended by", *figures, right=figures)
    for source, outcome in zip(sources, outcomes, strict=True):
        analysis = analyze_outcome(outcome)
        known: tuple[float | None, ...] = (None,) * 3
        if analysis is not None:
            known = (
                analysis.social_welfare,
                analysis.distance_to_pareto,
                analysis.distance_to_nash,
            )
        rows.add_row(
            source,
            outcome.plan.scenario.name,
            outcome.reason.value,
            str(outcome.rounds),
            *map(_screen.number, known),
        )
    return rows


def _export_sessions(
    sources: Sequence[str],
    outcomes: Sequence[Outcome],
    export: Path | None,
    events: Path | None,
) -> None:
    if export is None and events is None:
        return
    from genius_py.report.frames import log_frame, outcome_frame, write_frame

    # Tables hold UTF-8; names of files may be any bytes.
    sources = [source.encode(errors="backslashreplace").decode() for source in sources]
    if export is not None:
        frame = outcome_frame(outcomes)
        frame.insert(0, "log", sources)
        with _output.writing(export):
            write_frame(frame, export)
    if events is not None:
        import pandas as pd

        logs = [log_frame(outcome) for outcome in outcomes]
        for source, log in zip(sources, logs, strict=True):
            log.insert(0, "log", source)
        with _output.writing(events):
            write_frame(pd.concat(logs, ignore_index=True), events)


def _numbered(path: Path, number: int, of: int) -> Path:
    return path if of == 1 else path.with_stem(f"{path.stem}-{number}")


def _name_files(console: Console, files: dict[str, Path | None]) -> None:
    written = {what: path for what, path in files.items() if path is not None}
    if written:
        console.print()
    for what, path in written.items():
        console.print(f"{what}: {path}")
