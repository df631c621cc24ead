"""Specs that stand for several: one for each value of the options that list some."""

from __future__ import annotations

from itertools import product

from genius_py import registry
from genius_py.errors import OptionError

__all__ = ["canonical", "expanded"]


def expanded(spec: str) -> list[str]:
    """Every spec that one with lists as option values stands for, the last list varying fastest.

    >>> expanded("boulware:e=[0.1,0.2],k=0.05")
    ['boulware:e=0.1,k=0.05', 'boulware:e=0.2,k=0.05']

    A tuple, as in ``weights=(1,2)``, is one value.

    Raises:
        OptionError: a list is empty, or the spec cannot be read.
    """
    read = registry.Spec.parse(spec)
    swept: dict[str, list[object]] = {}
    for key, value in read.options.items():
        swept[key] = value if isinstance(value, list) else [value]
        if not swept[key]:
            raise OptionError(f"The option {key!r} of {spec!r} lists no value; give at least one.")
    return [
        str(registry.Spec(read.target, dict(zip(swept, values, strict=True))))
        for values in product(*swept.values())
    ]


def canonical(kind: str, spec: str) -> str:
    """The one way to write a spec: the registered name, and options in alphabetical order.

    A class that is named by its place keeps it.

    Raises:
        UnknownName: nothing has that name.
    """
    read = registry.Spec.parse(spec)
    cls = registry.find(kind, read.target)
    target = read.target if ":" in read.target else cls.name
    return str(registry.Spec(target, dict(sorted(read.options.items()))))
