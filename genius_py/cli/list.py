"""`genius-py list`: the names that can be used, each with a line of description."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from genius_py import formats, registry
from genius_py.cli import _plug_in, _screen
from genius_py.cli._command import Command, Kind
from genius_py.cli.model import listed_models

if TYPE_CHECKING:
    from rich.table import Table

_PLUG_INS = {"protocols": "protocol", "parties": "party", "metrics": "metric"}


@click.command(cls=Command)
@click.argument("kind", type=Kind(["protocols", "parties", "domains", "metrics", "models"]))
def command(kind: str) -> None:
    """List everything of KIND that can be named."""
    rows = {"domains": _domains, "models": listed_models}.get(kind, lambda: _plug_ins(kind))()
    if rows.row_count:
        _screen.page().print(rows)
    else:
        click.echo(f"There are no {kind} yet.", err=True)


def _plug_ins(kind: str) -> Table:
    rows = _screen.table("name", "also", "what it does")
    for name, cls in registry.names(_PLUG_INS[kind]).items():
        seat = "(mediator) " if getattr(cls, "is_mediator", False) else ""
        also = ", ".join(getattr(cls, "aliases", ()))
        rows.add_row(name, also, seat + _plug_in.one_line(cls))
    return rows


def _domains() -> Table:
    rows = _screen.table("name", "bids", "profiles", "what it is about", right=("bids",))
    for name in formats.bundled_names():
        scenario = formats.load_bundled(name)
        roles = ", ".join(scenario.roles)
        first_sentence = scenario.description.partition(". ")[0].removesuffix(".")
        rows.add_row(name, f"{scenario.domain.size:,}", roles, f"{first_sentence}.")
    return rows
