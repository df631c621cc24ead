"""The command line, `genius-py`: each command is `command` in the module of its name."""

from __future__ import annotations

import errno
import importlib
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

import click

import genius_py
from genius_py.cli._output import writing
from genius_py.errors import (
    GeniusError,
    GeniusWarning,
    OptionError,
    SessionFailure,
    UnknownName,
)

__all__ = ["COMMANDS", "main"]

COMMANDS: Mapping[str, str] = {
    "run": "Play sessions and show what came of them.",
    "play": "Negotiate yourself, and see what was possible.",
    "replay": "Play a log again and prove that it comes out as recorded.",
    "list": "List protocols, parties, domains, metrics or models.",
    "show": "Show one domain, party, protocol or metric.",
    "analyze": "Show what could be agreed on, and how good what was agreed is.",
    "new": "Write a party, protocol or domain to start from, with its test.",
    "check": "Test a party, protocol or domain.",
    "convert": "Write a domain in another format.",
    "model": "List, get and delete language models.",
    "tournament": "Play a tournament, store its sessions and rank the parties.",
    "compare": "Compare a language model, or any party, with classical bots.",
    "report": "Make a page, and figures for a paper, of what was played.",
}
"""Every command and its line in the help, which must not import all of them."""


_LONGEST = 2000
"""Characters of an error that are shown."""

_TRACEBACK = "GENIUS_PY_TRACEBACK"
"""The variable of the environment that asks for tracebacks where there would be one line."""

_DISK_FULL = (errno.ENOSPC, errno.EFBIG)


class _Refused(click.ClickException):
    """What a person asked for cannot be done; shown as one line."""

    exit_code = 2

    def __init__(self, reason: str) -> None:
        line = " ".join(reason.split())
        if len(line) > _LONGEST:  # it quotes what somebody gave
            line = f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
        super().__init__(line)


class _Broken(_Refused):
    """A session could not be played: what was plugged in has let an error out, or a worker died."""

    exit_code = 1


class _Interrupted(click.ClickException):
    """Ctrl-C."""

    exit_code = 130

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"\n{self.message}", file=file, err=True)


class _Unread(click.ClickException):
    """Nobody reads the result any more, as after ``| head``: nothing to tell."""

    exit_code = 141

    def show(self, file: IO[Any] | None = None) -> None:
        pass


class _Commands(click.Group):
    """Imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]  # `list` is one of the modules here, once it has been imported

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            found: click.Command = importlib.import_module(f"{__name__}.{cmd_name}").command
            return found
        if cmd_name.startswith("-"):  # an option; click has its own words for it
            return None
        import difflib  # only a mistake needs it

        near = difflib.get_close_matches(cmd_name, COMMANDS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(COMMANDS)}."
        raise click.UsageError(f"No command is named {cmd_name!r}. {hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        with _told(), writing("stdout"):  # help
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GeniusWarning)
            warnings.showwarning = _shown_once(warnings.showwarning)
            with _told():
                return super().invoke(ctx)


@contextmanager
def _told() -> Iterator[None]:
    """Tell in a line what went wrong, unless it is our own mistake or the traceback is wanted."""
    if os.environ.get(_TRACEBACK):
        yield
        return
    try:
        yield
    except (OptionError, UnknownName) as error:  # a plug-in may refuse its options, too
        raise _Refused(str(error)) from error
    except SessionFailure as error:
        raise _Broken(str(error)) from error
    except KeyboardInterrupt as error:
        raise _Interrupted("Stopped.") from error
    except BrokenPipeError as error:
        raise _Unread("") from error
    except SystemExit as error:  # click has an exception of its own to exit with
        raise _Refused(f"sys.exit({error.code!r}) was called by {_caller(error)}.") from error
    except Exception as error:
        if isinstance(error, ImportError) and _was_interrupted(error):
            raise _Interrupted("Stopped.") from error
        from genius_py.registry import plug_in_place  # only a mistake needs it

        if place := plug_in_place(error):
            told = f"{type(error).__name__}: {error}".rstrip(": ")
            raise _Broken(f"{place} raised {told} ({_TRACEBACK}=1 shows the traceback)") from error
        if isinstance(error, GeniusError):
            raise _Refused(str(error)) from error
        if isinstance(error, OSError) and (error.filename or error.errno in _DISK_FULL):
            reason = f"{error.filename or 'Writing'}: {error.strerror}."
            raise _Refused(reason) from error
        raise


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind it: a library that is being loaded makes an ImportError of that."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _caller(error: SystemExit) -> str:
    """Who wants to leave: the place where it was raised."""
    import traceback  # only a mistake needs it

    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}, line {frame.lineno}"


def _shown_once(show_other: Callable[..., None]) -> Callable[..., None]:
    """A `warnings.showwarning` that gives each `GeniusWarning` one line, once."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if not issubclass(category, GeniusWarning):
            show_other(message, category, *place)
        elif (text := " ".join(str(message).split())) not in shown:
            shown.add(text)
            click.echo(f"Warning: {text}", err=True)

    return show


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(genius_py.__version__, prog_name="genius-py", message="%(prog)s %(version)s")
def main() -> None:
    """Simulate automated negotiation.

    Try: genius-py run --protocol SAOP --domain company_car
    """
