"""What all commands have in common, however they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from os.path import isfile  # which says no to names that pathlib raises at
from pathlib import Path
from typing import Any

import click

from genius_py.cli import _output

__all__ = ["Command", "Kind"]

_SYNONYMS: Mapping[str, str] = {
    "--agent": "--party",
    "--bot": "--party",
    "--opponent": "--against",
    "--output": "--log",
    "--repetitions": "--repeat",
    "--rounds": "--deadline",
    "--scenario": "--domain",
    "--time": "--deadline",
    "--timeout": "--party-timeout",
}
"""What options are called elsewhere."""


class Command(click.Command):
    """Refuses what could only be meant otherwise, and keeps stdout for the command's result.

    Refused are an option that is given twice though it counts once, an empty value, and files that
    would be written over one another or over what is read.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it, with these refusals."""
        if not ctx.resilient_parsing and not (self.no_args_is_help and not args):
            values, left, order = self._parsed(ctx, args)
            if not any(parameter.is_eager for parameter in order):  # such as --help
                self._refuse_extra(ctx, args, values, left)
                self._refuse_repeated(ctx, order)
                self._refuse_empty(ctx, values)
        with _output.writing("stdout"):  # help
            try:
                rest = super().parse_args(ctx, args)
            except click.BadParameter as error:
                if plain := _in_plain_words(error.message):
                    raise click.BadParameter(plain, error.ctx, error.param) from None
                raise
        self._refuse_clashes(ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what parties print meanwhile goes to stderr."""
        with _output.reserved():
            return super().invoke(ctx)

    def _parsed(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[dict[str, Any], list[str], list[click.Parameter]]:
        try:
            return self.make_parser(ctx).parse_args(list(args))
        except click.NoSuchOption as error:
            meant = _SYNONYMS.get(error.option_name)
            if meant is not None and any(meant in parameter.opts for parameter in self.params):
                raise click.UsageError(f"{error.message} Did you mean {meant!r}?", ctx) from None
            raise

    def _refuse_extra(
        self, ctx: click.Context, args: Sequence[str], values: Container[str], left: Sequence[str]
    ) -> None:
        """Of a command without arguments: an option's name has been forgotten."""
        if not left or any(isinstance(parameter, click.Argument) for parameter in self.params):
            return
        extra, *before = args[args.index(left[0]) :: -1]
        missing = [p.opts[0] for p in self.params if p.required and p.name not in values]
        several = [p.opts[0] for p in self.params if p.multiple and before[1:2] == p.opts[:1]]
        hint = "here all is said by options."
        if missing:
            hint = f"did you mean {missing[0]} {extra}?"
        elif several:
            meant = f"{before[0]}:{extra}" if "=" in extra else extra
            hint = f"did you mean {several[0]} {meant}?"
        raise click.UsageError(f"{extra!r} stands alone; {hint}", ctx)

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


_PLAIN: Mapping[str, str] = {
    "a valid integer": "a whole number",
    "a valid integer range": "a whole number",
    "a valid float": "a number",
    "a valid float range": "a number",
}
"""What click calls kinds of numbers, and what people do."""


def _in_plain_words(refusal: str) -> str:
    """What click says of a number that is none, said otherwise; empty for all else."""
    what, is_not, kind = refusal.partition(" is not ")
    plain = _PLAIN.get(kind.removesuffix("."))
    return f"{what}{is_not}{plain}." if plain else ""


class Kind(click.Choice[str]):
    """One of some kinds of things; ``party`` and ``parties`` mean the same."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The kind as it is listed."""
        wanted = str(value).casefold()
        for kind in self.choices:
            if wanted in (kind, f"{kind}s", kind.removesuffix("s")) or (
                {wanted, kind} == {"party", "parties"}
            ):
                return kind
        kinds = ", ".join(self.choices)
        self.fail(f"{value!r} is no kind; what comes first is one of {kinds}.", param, ctx)


def _paths(value: object) -> Iterator[Path]:
    """Files that a value names, alone or as the place of a class."""
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from _paths(one)
    elif isinstance(value, (str, Path)):
        text = str(value)
        head, suffix, _ = text.partition(".py:")
        path = f"{head}.py" if suffix else text
        if isfile(path):
            yield Path(path)
