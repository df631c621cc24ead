"""`genius-py list`: the names that can be used, each with a line of description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from genius_py import formats, registry
from genius_py.cli import _plug_in, _screen
from genius_py.cli._command import Command, Kind
from genius_py.cli.model import listed_models

if TYPE_CHECKING:
    from rich.table import Table

_PLUG_INS = {"protocols": "protocol", "metrics": "metric"}


@click.command(cls=Command)
@click.argument("kind", type=Kind(["protocols", "parties", "domains", "metrics", "models"]))
def command(kind: str) -> None:
    """List everything of KIND that can be named."""
    if kind == "parties":
        _show_parties()
        return
    rows = {"domains": _domains, "models": listed_models}.get(kind, lambda: _plug_ins(kind))()
    if rows.row_count:
        _screen.page().print(rows)
    else:
        click.echo(f"There are no {kind} yet.", err=True)


def _plug_ins(kind: str) -> Table:
    return _listed(registry.names(_PLUG_INS[kind]))


def _show_parties() -> None:
    """A table for each kind of party: the bots for everything first, Genius's own last."""
    groups: dict[tuple[int, str], dict[str, type[Any]]] = {}
    for name, cls in registry.names("party").items():
        groups.setdefault(_group(name, cls), {})[name] = cls
    console = _screen.page()
    for number, ((_, heading), classes) in enumerate(sorted(groups.items(), key=lambda g: g[0])):
        if number:
            console.print()
        console.print(heading, style="bold")
        console.print(_listed(classes))


def _group(name: str, cls: type[Any]) -> tuple[int, str]:
    """The place and the heading of a party's kind."""
    if name.startswith("genius-"):
        return 3, "As in Java Genius, for faithful runs:"
    if cls.is_mediator:
        return 2, "Mediators, for --mediator:"
    if cls.plays:
        return 1, f"Made for {', '.join(cls.plays)}:"
    return 0, "For any protocol, above all those about bids:"


def _listed(classes: Mapping[str, type[Any]]) -> Table:
    also = {name: ", ".join(getattr(cls, "aliases", ())) for name, cls in classes.items()}
    columns = ("name", "also", "what it does") if any(also.values()) else ("name", "what it does")
    rows = _screen.table(*columns)
    for name, cls in classes.items():
        others = (also[name],) if "also" in columns else ()
        rows.add_row(name, *others, _plug_in.one_line(cls))
    return rows


def _domains() -> Table:
    rows = _screen.table("name", "bids", "profiles", "what it is about", right=("bids",))
    for name in formats.bundled_names():
        scenario = formats.load_bundled(name)
        roles = ", ".join(scenario.roles)
        first_sentence = scenario.description.partition(". ")[0].removesuffix(".")
        rows.add_row(name, f"{scenario.domain.size:,}", roles, f"{first_sentence}.")
    return rows
