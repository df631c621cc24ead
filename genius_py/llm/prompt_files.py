"""Prompts, styles and personas: text files beside the code, or the user's own."""

from __future__ import annotations

import difflib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Literal

from genius_py.errors import OptionError, UnknownName

__all__ = ["bundled", "fill", "preset"]

_FOLDER = files("genius_py.llm") / "prompts"


def fill(name: str, **values: str) -> str:
    """A prompt with its ``$placeholders`` filled in, without blank lines.

    What is filled in is not looked at again, so a ``$`` in it is harmless.
    """
    text = Template(_text(name)).substitute(values)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


@cache
def _text(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")


def bundled(kind: Literal["styles", "personas"]) -> dict[str, str]:
    """Every preset of a kind and its text, sorted by name."""
    found: list[Traversable] = [
        file for file in (_FOLDER / kind).iterdir() if file.name.endswith(".md")
    ]
    return {
        file.name.removesuffix(".md"): file.read_text(encoding="utf-8").strip()
        for file in sorted(found, key=lambda file: file.name)
    }


def preset(kind: Literal["styles", "personas"], name: str) -> str:
    """The text of a preset, or of the user's own file when the name is a path to one.

    Raises:
        UnknownName: there is no such preset.
        OptionError: the file cannot be read.
    """
    if name.endswith((".md", ".txt")):
        try:
            return Path(name).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise OptionError(f"{name!r} cannot be read: {error}.") from error
    known = bundled(kind)
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}."
    raise UnknownName(f"No {kind[:-1]} is named {name!r}. {hint} A path to a .md file works too.")
