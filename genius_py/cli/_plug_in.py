"""What a registered class says of itself: one line, its whole text, its options."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["arguments", "one_line", "options", "text"]


def text(cls: type[Any]) -> str:
    """The class's own docstring without indentation; empty when it has none of its own."""
    return inspect.cleandoc(cls.__dict__.get("__doc__") or "")


def arguments(cls: type[Any]) -> str:
    """What is said of the options, by the class or else by the nearest base; perhaps nothing."""
    for base in cls.__mro__:
        _, head, found = text(base).partition("Args:\n")
        if head:
            return head + found.partition("\n\n")[0]
    return ""


def one_line(cls: type[Any]) -> str:
    """The first paragraph of the docstring, as one line."""
    return " ".join(text(cls).partition("\n\n")[0].split())


def options(cls: type[Any]) -> dict[str, str]:
    """The options that a spec may set, each with its default as it is written in one.

    An option without default is shown as ``(required)``; one that holds a function is left out,
    since a spec cannot write it.
    """
    found: dict[str, str] = {}
    for name, parameter in inspect.signature(cls).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is parameter.empty:
            found[name] = "(required)"
        elif not callable(parameter.default):
            found[name] = str(parameter.default)
    return found
