"""What all commands have in common, however they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from genius_py.cli import _output

__all__ = ["Command"]


class Command(click.Command):
    """Refuses what could only be meant otherwise, and keeps stdout for the command's result.

    Refused are an option that is given twice though it counts once, an empty value, and files that
    would be written over one another or over what is read.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it, with these refusals."""
        if not ctx.resilient_parsing and not (self.no_args_is_help and not args):
            values, _, order = self.make_parser(ctx).parse_args(list(args))
            self._refuse_repeated(ctx, order)
            self._refuse_empty(ctx, values)
        rest = super().parse_args(ctx, args)
        self._refuse_clashes(ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what parties print meanwhile goes to stderr."""
        with _output.reserved():
            return super().invoke(ctx)

    def _refuse_repeated(self, ctx: click.Context, order: Iterable[click.Parameter]) -> None:
        for option, times in Counter(order).items():
            counts_once = isinstance(option, click.Option) and not (
                option.multiple or option.is_flag or option.count
            )
            if counts_once and times > 1:
                raise click.UsageError(
                    f"{option.opts[0]} is given {times} times, but can be given once.", ctx
                )

    def _refuse_empty(self, ctx: click.Context, values: dict[str, Any]) -> None:
        for parameter in self.params:
            given = values.get(parameter.name or "")
            listed = given if isinstance(given, (list, tuple)) else (given,)
            is_empty = any(isinstance(one, str) and not one.strip() for one in listed)
            if is_empty and parameter.default != "":
                what = "leave it out" if not parameter.required else "name one"
                raise click.BadParameter(f"It is empty; {what}.", ctx, parameter)

    def _refuse_clashes(self, ctx: click.Context) -> None:
        outputs: dict[str, Path] = {}
        inputs: list[tuple[str, Path]] = []
        for parameter in self.params:
            what = parameter.make_metavar(ctx)
            if isinstance(parameter, click.Option):
                what = parameter.opts[0]
            value = ctx.params.get(parameter.name or "")
            if not isinstance(parameter.type, _output.OutputFile):
                inputs += ((what, path) for path in _paths(value))
            elif value is not None:
                outputs[what] = value
        if outputs:
            _output.require_different(outputs, inputs)


def _paths(value: object) -> Iterator[Path]:
    """Files that a value names, alone or as the place of a class."""
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from _paths(one)
    elif isinstance(value, (str, Path)):
        text = str(value)
        head, suffix, _ = text.partition(".py:")
        path = Path(f"{head}.py" if suffix else text)
        with suppress(OSError):  # such as a text too long for a name
            if path.is_file():
                yield path
