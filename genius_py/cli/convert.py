"""`genius-py convert`: a domain in another format, and what that format could not hold."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import lexists
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
@click.option("--force", is_flag=True, help="Replace files that are there already.")
def command(
    source: str, target: Path, profiles: tuple[str, ...], name: str | None, force: bool
) -> None:
    """Write the domain IN, with its profiles, as OUT.

    IN is whatever --domain takes: a bundled name, a folder, a file, or random:... . OUT is a file
    or a folder, in which nothing is replaced without --force, and nothing at all that is read.
    What its format cannot hold is said on stderr.
    """
    scenario = formats.load(source, profiles=profiles)
    _require_apart(target, [scenario.source, *profiles], force)
    if name is None:
        name = formats.format_for(target)
    lost = formats.losses(scenario, name)
    with _output.writing(target):
        formats.save(scenario, target, name, replace=force)
    for what in lost:
        click.echo(f"Lost: {what}", err=True)
    _output.tell(f"Wrote {target} ({formats.FORMATS[name].title})")


def _require_apart(target: Path, read: Sequence[str], force: bool) -> None:
    """Refuse to write over what is read; where files may be replaced, also to write beside it.

    Raises:
        click.UsageError: OUT is what is read, or with `force` one lies in the other.
    """
    out = target.resolve()
    for path in (Path(name).resolve() for name in read if lexists(name)):
        if out == path or (target.exists() and target.samefile(path)):
            raise click.UsageError(f"OUT is what is read, {str(target)!r}; name another place.")
        if force and (out in path.parents or path in out.parents):
            raise click.UsageError(
                f"With --force, {str(target)!r} would be written over files that are read, or "
                f"beside them; name a folder of its own."
            )
