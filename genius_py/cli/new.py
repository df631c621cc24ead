"""`genius-py new`: a complete, tested file to start from."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from genius_py.cli import _output
from genius_py.cli._command import Command
from genius_py.errors import OptionError

_WRITTEN: Mapping[str, tuple[str, ...]] = {
    "party": ("my_party.py", "test_my_party.py"),
    "protocol": ("my_protocol.py", "test_my_protocol.py"),
    "domain": ("my_domain/scenario.yaml", "test_my_domain.py"),
}
"""The templates of each kind; ``my_party`` and ``MyParty`` in them become the new name."""


@click.command(cls=Command)
@click.argument("kind", type=click.Choice(list(_WRITTEN)))
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Where to write.  [default: here]",
)
def command(kind: str, name: str, folder: Path) -> None:
    """Write a party, protocol or domain called NAME to start from, and its test.

    Nothing is overwritten.
    """
    module = _module_name(name)
    renamed = {f"my_{kind}": module, f"My{kind.title()}": _class_name(module)}
    templates = files("genius_py.cli") / "templates"
    written = {
        folder / _replaced(path, renamed): _replaced(_text(templates, path), renamed)
        for path in _WRITTEN[kind]
    }
    for path in written:
        if path.exists():
            raise OptionError(f"{str(path)!r} is there already; choose another name.")
    for path, content in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
        _output.tell(f"Wrote {path}")
    target, test = written
    spec = str(target.parent) if kind == "domain" else f"{target}:{_class_name(module)}"
    _output.tell(f"\nTry it:   genius-py check {kind} {_quoted(spec)}")
    _output.tell(f"Test it:  pytest {_quoted(str(test))}")


def _text(folder: Traversable, path: str) -> str:
    return folder.joinpath(*path.split("/")).read_text(encoding="utf-8")


def _replaced(text: str, renamed: Mapping[str, str]) -> str:
    for old, new in renamed.items():
        text = text.replace(old, new)
    return text


def _module_name(name: str) -> str:
    """``My Agent``, ``my-agent`` and ``MyAgent`` all become ``my_agent``."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    module = re.sub(r"[\s\-]+", "_", words).lower()
    if not re.fullmatch(r"[a-z][a-z0-9_]*", module) or keyword.iskeyword(module):
        raise OptionError(
            f"{name!r} cannot name a Python file; use letters, digits and _, a letter first."
        )
    return module


def _class_name(module: str) -> str:
    return "".join(word.title() for word in module.split("_"))


def _quoted(argument: str) -> str:
    return f'"{argument}"' if " " in argument else argument
