"""`genius-py model`: language models on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from genius_py.cli import _output, _screen
from genius_py.cli._command import Command
from genius_py.errors import ModelFailure

if TYPE_CHECKING:
    from rich.table import Table

_NAME = click.argument("name")


@click.group()
def command() -> None:
    """List, get and delete the language models that come as packages.

    `--party llm:model=NAME` plays one. It also takes models that need no fetching: a folder of the
    Hugging Face kind, a GGUF file, a name on the hub, or a server's URL.
    """


@command.command("list", cls=Command)
def list_() -> None:
    """List the models that can be fetched, and whether they are here."""
    _screen.page().print(listed_models())


@command.command(cls=Command)
@_NAME
def show(name: str) -> None:
    """Show all about the model NAME."""
    rows = _screen.table("", "")
    rows.show_header = False
    for fact in _facts(name):
        rows.add_row(*fact)
    _screen.page().print(rows)


@command.command(cls=Command)
@_NAME
@click.option(
    "--wheel",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="The package's wheel, downloaded elsewhere, for machines without a network.",
)
def fetch(name: str, wheel: Path | None) -> None:
    """Download the model NAME, check it, and convert it for transformers where that is installed.

    What is here already is not done again.
    """
    from genius_py.llm import model_store

    with _in_one_line():
        model = model_store.fetch(name, wheel=wheel, tell=lambda text: click.echo(text, err=True))
    _output.tell(f"{name} is in {model.folder}. Play it with: --party llm:model={name}")


@command.command(cls=Command)
@_NAME
def remove(name: str) -> None:
    """Delete the model NAME from this machine."""
    from genius_py.llm import model_store

    with _in_one_line():
        was_here = model_store.remove(name)
    _output.tell(f"{name} has been deleted." if was_here else f"{name} was not here.")


@contextmanager
def _in_one_line() -> Iterator[None]:
    """What could not be done ends the command with exit code 1 and a sentence."""
    try:
        yield
    except ModelFailure as failure:
        raise click.ClickException(f"{failure}.") from failure


def listed_models() -> Table:
    """The table of `list`, which ``genius-py list models`` shows too."""
    from genius_py.llm.model_store import PACKAGED

    rows = _screen.table("name", "here", "MB", "what it is", right=("MB",))
    for name, model in PACKAGED.items():
        here = "yes" if model.is_fetched else "no"
        rows.add_row(name, here, str(model.megabytes), model.description)
    return rows


def _facts(name: str) -> Iterator[tuple[str, str]]:
    from genius_py.llm.model_store import packaged

    model = packaged(name)
    yield "name", model.name
    yield "what it is", model.description
    yield "licence", model.licence
    yield "package", f"{model.package} {model.version} on the Python package index"
    yield "sha256 of its wheel", model.sha256
    yield "download", f"{model.megabytes} MB"
    if model.is_fetched:
        size = sum(file.stat().st_size for file in model.folder.rglob("*") if file.is_file())
        yield "folder", str(model.folder)
        yield "on disk", f"{size / 1e6:.0f} MB"
        yield "for llama.cpp", "yes"
        yield "for transformers", "yes" if model.is_converted else f"fetch {name} once more"
    else:
        yield "here", f"no; get it with: genius-py model fetch {name}"
