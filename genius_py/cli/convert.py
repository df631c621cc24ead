"""`genius-py convert`: a domain in another format, and what that format could not hold."""

from __future__ import annotations

from pathlib import Path

import click

from genius_py import formats
from genius_py.cli import _output
from genius_py.cli._command import Command


@click.command(cls=Command)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="FILE",
    help="A profile for a Genius domain XML; once for each party.",
)
@click.option(
    "--format",
    "name",
    type=click.Choice(list(formats.FORMATS)),
    help="The format of OUT.  [default: yaml for .yaml, .yml and .json, else genius-xml]",
)
def command(source: str, target: Path, profiles: tuple[str, ...], name: str | None) -> None:
    """Write the domain IN, with its profiles, as OUT.

    IN is whatever --domain takes: a bundled name, a folder, a file, or random:... . OUT is a file
    or a folder. What its format cannot hold is said on stderr.
    """
    scenario = formats.load(source, profiles=profiles)
    if name is None:
        own = (f.name for f in formats.FORMATS.values() if target.suffix.lower() in f.suffixes)
        name = next(own, "genius-xml")
    lost = formats.losses(scenario, name)
    with _output.writing(target):
        formats.save(scenario, target, name)
    for what in lost:
        click.echo(f"Lost: {what}", err=True)
    _output.tell(f"Wrote {target} ({formats.FORMATS[name].title})")
