"""`genius-py new`: a complete, tested file to start from."""

from __future__ import annotations

import keyword
import os
import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

import click

from genius_py import formats
from genius_py.cli import _output
from genius_py.cli._command import Command, Kind
from genius_py.errors import OptionError

_WRITTEN: Mapping[str, tuple[str, ...]] = {
    "party": ("my_party.py", "test_my_party.py"),
    "protocol": ("my_protocol.py", "test_my_protocol.py"),
    "domain": ("my_domain/scenario.yaml", "test_my_domain.py"),
}
"""The templates of each kind; ``my_party`` and ``MyParty`` in them become the new name."""


@click.command(cls=Command)
@click.argument("kind", type=Kind(list(_WRITTEN)))
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
    _require_free(kind, module)
    renamed = {f"my_{kind}": module, f"My{kind.title()}": _class_name(module)}
    templates = files("genius_py.cli") / "templates"
    written = {
        folder / _replaced(path, renamed): _replaced(_text(templates, path), renamed)
        for path in _WRITTEN[kind]
    }
    for path in written:
        if os.path.lexists(path):
            raise OptionError(f"{str(path)!r} is there already; choose another name.")
    for path, content in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
        _output.tell(f"Wrote {path}")
    target, test = written
    spec = str(target.parent) if kind == "domain" else f"{target}:{_class_name(module)}"
    _output.tell(f"\nTry it:   genius-py check {kind} {_quoted(spec)}")
    missing = "" if find_spec("pytest") else "   (after: pip install pytest)"
    _output.tell(f"Test it:  pytest {_quoted(str(test))}{missing}")


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
    if not re.fullmatch(r"[a-z][a-z0-9_]*", module):
        raise OptionError(
            f"{name!r} cannot name a Python file; use letters, digits and _, a letter first."
        )
    if keyword.iskeyword(module) or keyword.iskeyword(_class_name(module)):
        raise OptionError(f"{module!r} is a word of Python's own; try 'my_{module}'.")
    return module


def _require_free(kind: str, module: str) -> None:
    if kind == "domain":
        if module in (*formats.bundled_names(), "random"):
            raise OptionError(
                f"--domain {module} would not be this one, for genius-py has a domain of that "
                f"name; try 'my_{module}'."
            )
    elif module in sys.stdlib_module_names or _is_installed(module):
        raise OptionError(
            f"{module}.py would hide the module {module!r} from programs in its folder; "
            f"try 'my_{module}'."
        )


def _is_installed(module: str) -> bool:
    try:
        found = find_spec(module)
    except ValueError:  # it has been imported, in an odd way
        return True
    own = (
        None
        if found is None
        else found.origin or next(iter(found.submodule_search_locations or ()))
    )
    return own is not None and Path(own).parent != Path.cwd()


def _class_name(module: str) -> str:
    return "".join(word.title() for word in module.split("_"))


def _quoted(argument: str) -> str:
    return f'"{argument}"' if " " in argument else argument
