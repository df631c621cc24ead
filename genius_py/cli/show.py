"""`genius-py show`: one domain, party, protocol or metric in full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from genius_py import formats, registry
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.cli import _judgement, _plug_in, _screen, _solutions
from genius_py.cli._command import Command, Kind
from genius_py.issue import DiscreteIssue
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_MOST_VALUES = 12
"""Longer lists of values are shown by their first ones and their number."""


@click.command(cls=Command)
@click.argument("kind", type=Kind(["domain", "party", "protocol", "metric"]))
@click.argument("name")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="FILE",
    help="A profile for a Genius domain XML; once for each party.",
)
def command(kind: str, name: str, profiles: tuple[str, ...]) -> None:
    """Show all about one thing.

    NAME is a registered name or path/to/file.py:Class; for a domain also a folder, a file, or
    random:issues=5,values=10,parties=2,opposition=0.6,seed=1.
    """
    console = _screen.page()
    if kind == "domain":
        _show_scenario(console, formats.load(name, profiles=profiles))
        return
    if profiles:
        raise click.UsageError("--profile is for domains.")
    _show_plug_in(console, registry.class_of(kind, name))


def _show_plug_in(console: Console, cls: type[Any]) -> None:
    console.print(cls.name or cls.__name__, style="bold")
    if aliases := getattr(cls, "aliases", ()):
        console.print(f"also: {', '.join(aliases)}", style="dim")
    facts = _screen.table("", "")
    facts.show_header = False
    for fact in _facts(cls):
        facts.add_row(*fact)
    console.print()
    told, options = _plug_in.text(cls), _plug_in.options(cls)
    console.print(told)
    if options and (arguments := _plug_in.arguments(cls)) not in told:
        console.print()
        console.print(arguments)
    if facts.row_count:
        console.print()
        console.print(facts)
    if options:
        rows = _screen.table("option", "default")
        for option in options.items():
            rows.add_row(*option)
        console.print()
        console.print(rows)


def _facts(cls: type[Any]) -> Iterator[tuple[str, str]]:
    if actions := getattr(cls, "actions", ()):
        yield "actions", ", ".join(action.__name__ for action in actions)
    if bounds := getattr(cls, "parties_range", None):
        fewest, most = bounds
        yield "parties", f"{fewest} or more" if most is None else f"{fewest} to {most}"
    if getattr(cls, "needs_mediator", False):
        yield "mediator", getattr(cls, "default_mediator", None) or "must be named with --mediator"
    if getattr(cls, "is_mediator", False):
        yield "seat", "the mediator's"


def _show_scenario(console: Console, scenario: Scenario) -> None:
    domain = scenario.domain
    console.print(str(domain), style="bold")
    if scenario.description:
        console.print(scenario.description)
    defaults = [
        f"{what}: {default}"
        for what, default in (("deadline", scenario.deadline), ("protocol", scenario.protocol))
        if default is not None
    ]
    if defaults:
        console.print(", ".join(defaults), style="dim")
    console.print()
    console.print(_issues(scenario))
    if scenario.profiles:
        console.print()
        console.print(_profiles(scenario))
    space = OutcomeSpace.of(scenario.profiles)
    if space is not None:
        console.print()
        _solutions.show(console, space)
        console.print()
        console.print(_judgement.of_space(space))
        if not space.analysis.complete:
            console.print(_judgement.certainty(space.analysis.frontier), style="dim")


def _issues(scenario: Scenario) -> Table:
    rows = _screen.table("issue", "size", "values", right=("size",))
    for issue in scenario.domain.issues:
        if isinstance(issue, DiscreteIssue):
            shown = " | ".join(issue.values[:_MOST_VALUES])
            if issue.size > _MOST_VALUES:
                shown += f" | ... {issue.size - _MOST_VALUES} more"
        else:
            shown = str(issue).removeprefix(f"{issue.name}: ")
        rows.add_row(issue.name, str(issue.size), shown)
    return rows


def _profiles(scenario: Scenario) -> Table:
    figures = ("reservation", "discount")
    rows = _screen.table("profile", "kind", *figures, "weights", right=figures)
    for role, profile in scenario.profiles.items():
        weights = ""
        if isinstance(profile, AdditiveUtilitySpace):
            named = zip(scenario.domain.issue_names, profile.weights, strict=True)
            weights = ", ".join(f"{issue} {weight:.3g}" for issue, weight in named)
        rows.add_row(
            role,
            type(profile).__name__.removesuffix("UtilitySpace").casefold(),
            _screen.number(profile.reservation_value),
            f"{profile.discount_factor:g}",
            weights,
        )
    return rows
