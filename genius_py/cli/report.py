"""`genius-py report`: one page, and figures for a paper, of what was played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from genius_py.cli import _output
from genius_py.cli._command import Command

if TYPE_CHECKING:
    from genius_py.report.figures import Format

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(cls=Command)
@click.argument("results", type=_FILE, nargs=-1, required=True, metavar="RESULTS...")
@click.option(
    "--output",
    "-o",
    type=_output.OutputFile(),
    metavar="FILE.html",
    help="Where the page is written.  [default: report.html, unless --plots is given]",
)
@click.option("--title", default="", metavar="TEXT", help="What stands at its head.")
@click.option(
    "--replays",
    type=click.IntRange(min=0),
    default=500,
    show_default=True,
    metavar="N",
    help="How many sessions can be stepped through, at most.",
)
@click.option(
    "--plots",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Draw figures for a paper into this folder. Needs genius-py[plot].",
)
@click.option(
    "--format",
    "formats",
    type=click.Choice(["svg", "pdf", "png"]),
    multiple=True,
    help="What files the figures are; may be given several times.  [default: all three]",
)
@click.option("--open", "is_opened", is_flag=True, help="Show the page in the web browser.")
def command(
    *,
    results: tuple[Path, ...],
    output: Path | None,
    title: str,
    replays: int,
    plots: Path | None,
    formats: tuple[Format, ...],
    is_opened: bool,
) -> None:
    """Make a page of RESULTS: a tournament's results file, or session logs.

    The page is one file that needs no network: a leaderboard, who met whom, the outcomes among all
    that were possible, how parties conceded, what went wrong, and every session step by step.
    """
    # What makes pages is imported by nobody who asks for help.
    from genius_py.report.html import write_report

    page = output
    if output is None and plots is None:
        page = Path("report.html")
        _output.require_writable(page)
    if plots is not None:
        from genius_py.report.figures import FORMATS, save_figures

        with _output.writing(plots):
            drawn = save_figures(results, plots, formats=formats or FORMATS)
        _output.tell(f"Figures: {len(drawn)} files in {plots}")
    if page is not None:
        with _output.writing(page):
            write_report(results, page, title=title, replays=replays)
        _output.tell(f"Report: {page}")
        if is_opened:
            click.launch(str(page))
