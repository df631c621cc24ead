"""Figures of a tournament for a paper: vector files, and pictures at 300 dots an inch.

matplotlib, an extra, is imported when something is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.errors import OptionError
from genius_py.outcome import Outcome
from genius_py.report.concessions import CurvePoint, concession_curves
from genius_py.report.outcome_space_plot import plot_space, require_plotting
from genius_py.report.overview import ALL, Meeting, Overview, overview
from genius_py.report.source import Reported, SessionSource, opened
from genius_py.tournament.ranking import Standing
from genius_py.tournament.store import StoredSession

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "FORMATS",
    "Format",
    "plot_concessions",
    "plot_leaderboard",
    "plot_pairs",
    "save_figures",
]

Format: TypeAlias = Literal["svg", "pdf", "png"]

FORMATS: tuple[Format, ...] = ("svg", "pdf", "png")

_WIDTH = 6.3
"""Inches: the text of an A4 page, so that letters come out at their size."""

_MOST_LOGS = 2_000
"""Sessions whose logs are read for the concession curves."""

_MOST_LINES = 8

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#666666", "#000000")
"""Told apart by colour-blind people too (Okabe & Ito, 2008, "Color Universal Design")."""

_STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
    # Letters stay letters, so that they can be searched for and set in the paper's own font.
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "svg.hashsalt": "genius-py",
}


_FOLDERS = re.compile(r"^.*[/\\](?=[^/\\]+\.py:)")
"""What stands before the name of a party's file."""

_LONGEST_LABEL = 36


def save_figures(
    reported: Reported, folder: str | Path, *, formats: Sequence[Format] = FORMATS
) -> list[Path]:
    """Draw the leaderboard, pairs, outcomes and concession curves into a folder; the files.

    The folder is made when it is not there; files of the same name are replaced. The same
    sessions give the same SVG and PDF files.

    Raises:
        LogError, OptionError: as for `write_report`; or matplotlib is not installed.
    """
    require_plotting("figure.svg")
    import matplotlib

    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{str(folder)!r} is no folder; name another for the figures.")
    with opened(reported) as source:
        seen = overview(source.sessions())
        ranking = source.ranking()
        standings = seen.standings[ALL] if ranking is None else ranking.standings
        folder.mkdir(parents=True, exist_ok=True)
        with matplotlib.rc_context(_STYLE):
            return [
                path
                for name, figure in _figures(source, seen, standings)
                for path in _saved(figure, folder / name, formats)
            ]


def _figures(
    source: SessionSource, seen: Overview, standings: Sequence[Standing]
) -> Iterator[tuple[str, Figure]]:
    figure, ax = _new(max(1.6, 0.6 + 0.3 * len(standings)))
    plot_leaderboard(standings, ax)
    yield "leaderboard", figure
    if len(standings) > 1:
        figure, ax = _new(0.8 + min(5.2, 0.55 * len(standings)))
        plot_pairs([standing.party for standing in standings], seen.meetings[ALL], ax)
        yield "pairs", figure
    for name, session in _tables(source, seen):
        scenario = source.scenario(session)
        assert scenario is not None
        space = OutcomeSpace.of({role: scenario.profiles[role] for role in session.roles})
        if space is not None:
            figure, ax = _new(4.6)
            plot_space(space, ax=ax)
            _draw_agreements(seen, session, ax)
            yield f"outcomes-{name}", figure
    curves = concession_curves(islice(_outcomes(source, seen), _MOST_LOGS))
    if curves:
        figure, ax = _new(3.6)
        plot_concessions(curves, [standing.party for standing in standings], ax)
        yield "concessions", figure


def plot_leaderboard(standings: Sequence[Standing], ax: Axes) -> None:
    """Mean utilities with their intervals, the best party at the top."""
    scored = [standing for standing in standings if standing.utility is not None]
    means = [standing.utility for standing in standings if standing.utility is not None]
    places = range(len(scored))
    for place, standing in zip(places, scored, strict=True):
        if standing.low is not None and standing.high is not None:
            ax.hlines(place, standing.low, standing.high, color="0.55", linewidth=2.5)
    ax.plot(means, places, "o", color=_COLOURS[0], markersize=5)
    ax.set_yticks(places, _labels([standing.party for standing in scored]))
    ax.invert_yaxis()
    ax.margins(y=0.08)
    ax.grid(axis="x", color="0.9")
    ax.set_axisbelow(True)
    has_intervals = any(standing.low is not None for standing in scored)
    ax.set_xlabel("mean utility" + (" with 95 % interval" if has_intervals else ""))


def plot_pairs(
    parties: Sequence[str], meetings: Mapping[tuple[str, str], Meeting], ax: Axes
) -> None:
    """A heat map: the mean utility of each row's party against each column's."""
    values = np.full((len(parties), len(parties)), np.nan)
    for row, one in enumerate(parties):
        for column, other in enumerate(parties):
            meeting = meetings.get((one, other))
            if meeting is not None:
                values[row, column] = meeting.utility / meeting.sessions
    shown = ax.imshow(values, cmap="Blues")
    # Numbers are printed as long as there is room for them.
    if len(parties) <= 12:
        middle = np.nanmean([np.nanmin(values), np.nanmax(values)])
        for (row, column), value in np.ndenumerate(values):
            if not np.isnan(value):
                colour = "white" if value > middle else "black"
                ax.text(column, row, f"{value:.2f}", ha="center", va="center", color=colour)
    names = _labels(parties)
    ax.set_xticks(range(len(parties)), names, rotation=35, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(parties)), names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("against")
    ax.figure.colorbar(shown, ax=ax, label="mean utility", shrink=0.8)


def plot_concessions(
    curves: Mapping[str, Sequence[CurvePoint]], parties: Sequence[str], ax: Axes
) -> None:
    """What the offers of each party are worth to itself, for the first few of `parties`."""
    drawn = [party for party in parties if party in curves][:_MOST_LINES]
    for party, label, colour in zip(drawn, _labels(drawn), _COLOURS, strict=False):
        times, utilities, _ = zip(*curves[party], strict=True)
        ax.plot(times, utilities, color=colour, linewidth=1.4, label=label)
    ax.set_xlim(0, 1)
    ax.set_xlabel("time (share of the deadline)")
    ax.set_ylabel("own utility of the offer")
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _tables(source: SessionSource, seen: Overview) -> Iterator[tuple[str, StoredSession]]:
    """One session of each domain and set of roles that can be drawn, and a name for its files."""
    names: dict[tuple[str, tuple[str, ...]], StoredSession] = {}
    for session in seen.listed:
        is_valued = session.reason != "agreement" or session.distance_to_pareto is not None
        if len(session.roles) > 1 and is_valued and source.scenario(session) is not None:
            names.setdefault((session.domain, session.roles), session)
    used: set[str] = set()
    for (domain, _), session in names.items():
        stem = re.sub(r"\.(ya?ml|json|xml)$", "", Path(domain).name)
        plain = re.sub(r"[^\w.-]+", "-", stem).strip("-") or "domain"
        name, number = plain, 1
        while name in used:
            number += 1
            name = f"{plain}-{number}"
        used.add(name)
        yield name, session


def _draw_agreements(seen: Overview, table: StoredSession, ax: Axes) -> None:
    agreed = [
        session.utilities[:2]
        for session in seen.listed
        if (session.domain, session.roles) == (table.domain, table.roles)
        and session.reason == "agreement"
    ]
    if agreed:
        x, y = np.array(agreed).T
        ax.scatter(x, y, s=18, color=_COLOURS[0], alpha=0.6, linewidths=0, label="agreements")
    ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))


def _outcomes(source: SessionSource, seen: Overview) -> Iterator[Outcome]:
    for session in seen.listed:
        outcome = source.outcome(session)
        if outcome is not None:
            yield outcome


def _new(height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def _saved(figure: Figure, path: Path, formats: Sequence[Format]) -> Iterator[Path]:
    for kind in formats:
        target = path.with_name(f"{path.name}.{kind}")
        # No dates: the same sessions give the same files.
        undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        figure.savefig(target, dpi=300, metadata=undated.get(kind))
        yield target


def _labels(parties: Sequence[str]) -> list[str]:
    """Names that leave room for what is drawn: without folders, and of long ones both ends.

    Those that would look alike are numbered.
    """
    labels: list[str] = []
    for party in parties:
        name = _FOLDERS.sub("", party)
        if len(name) > _LONGEST_LABEL:
            name = f"{name[: _LONGEST_LABEL // 2]}...{name[-_LONGEST_LABEL // 2 + 3 :]}"
        label, number = _text(name), 1
        while label in labels:
            number += 1
            label = f"{_text(name)} ({number})"
        labels.append(label)
    return labels


def _text(party: str) -> str:
    """As matplotlib shows it letter by letter: "$" starts mathematics, "_" hides from legends."""
    text = party.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
