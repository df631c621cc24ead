"""Where results go: stdout, which is kept for them alone, and files that can be written."""

from __future__ import annotations

import atexit
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

import click

from genius_py.errors import OptionError

__all__ = [
    "OutputFile",
    "require_different",
    "require_writable",
    "reserved",
    "results",
    "tell",
    "writing",
]

_HELD: ContextVar[TextIO] = ContextVar("held")
"""What is to be written to stdout when the command is over."""


def results() -> TextIO:
    """Where a command writes what was asked for."""
    return _HELD.get(sys.stdout)


def tell(text: str) -> None:
    """A line of the result."""
    click.echo(text, file=results())


@contextmanager
def reserved() -> Iterator[None]:
    """Keep stdout for `results`, written when the block ends; all other printing goes to stderr.

    Parties print, and so do the libraries that they use. Not only `print` is meant but also the
    file descriptor, by which C code, ``os.write`` and other processes write. A character that
    stdout cannot encode becomes an escape.

    Raises:
        OSError: stdout cannot be written; it bears the name ``stdout``.
    """
    stdout = sys.stdout
    held, process = _Held(stdout), os.getpid()
    token = _HELD.set(held)
    kept = _diverted(stdout)
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        _HELD.reset(token)
        sys.stdout = stdout
        with suppress(AttributeError, OSError, ValueError):  # whoever prints may close it
            stdout.flush()
        try:
            if os.getpid() == process:  # a party may have forked
                held.write_to(stdout, kept)
        except OSError as error:
            raise OSError(error.errno, error.strerror, "stdout") from error
        finally:
            if kept is not None:
                os.dup2(kept, 1)
                os.close(kept)
                # A party may have asked to be called when the interpreter ends.
                atexit.unregister(_divert)
                atexit.register(_divert)


class _Held(io.StringIO):
    """Text for a stream, for which it passes when rich asks about colours and characters."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__(newline="\n")
        self._encoding = getattr(stream, "encoding", None) or "utf-8"
        self._is_terminal = stream is not None and stream.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._is_terminal

    def write_to(self, stream: TextIO | None, descriptor: int | None) -> None:
        """Write it all to the descriptor, or where there is none to the stream."""
        if descriptor is not None:
            with open(
                descriptor, "w", encoding=self.encoding, errors="backslashreplace", closefd=False
            ) as file:
                file.write(self.getvalue())
        elif stream is not None:
            encoded = self.getvalue().encode(self.encoding, "backslashreplace")
            stream.write(encoded.decode(self.encoding))
            stream.flush()


def _diverted(stdout: TextIO | None) -> int | None:
    """A copy of descriptor 1, which is stderr from now on; None where stdout is something else."""
    try:
        if stdout is None or stdout.fileno() != 1:
            return None
        stdout.flush()
        _open_stderr()
        kept = os.dup(1)
    except (OSError, ValueError):
        return None
    _divert()
    return kept


def _open_stderr() -> None:
    """Where stderr is closed, what is sent there is for nobody."""
    try:
        os.fstat(2)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != 2:
            os.dup2(nowhere, 2)
            os.close(nowhere)


def _divert() -> None:
    os.dup2(2, 1)


class OutputFile(click.Path):
    """A file to write: refused before anything is played for it when that cannot be done."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, dir_okay=False)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """The path, which is left as it was."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if reason := _unwritable(path):
            self.fail(reason, param, ctx)
        return path


def require_writable(path: Path) -> None:
    """Refuse a file that nobody named and that cannot be written.

    Raises:
        OptionError: it cannot.
    """
    if reason := _unwritable(path):
        raise OptionError(reason)


def _unwritable(path: Path) -> str:
    """Why a file cannot be written; empty when it can. It is left as it was."""
    if not path.parent.is_dir():
        return f"There is no folder {str(path.parent)!r}; make it, or name another."
    try:
        found = path.stat() if path.exists() else None
        if found is not None and _is_stdout(found):
            return f"{str(path)!r} is where the result goes; name another file."
        if found is not None and not stat.S_ISREG(found.st_mode):
            # Opened and closed, a pipe would be at its end for whoever reads it.
            return "" if os.access(path, os.W_OK) else f"{str(path)!r} cannot be written."
        with path.open("ab"):
            pass
        if found is None:
            path.resolve().unlink()  # where a link led nowhere, not the link
    except OSError as error:
        return f"{str(path)!r} cannot be written: {error.strerror}."
    return ""


def _is_stdout(found: os.stat_result) -> bool:
    try:
        stdout = os.fstat(1)
    except OSError:
        return False
    is_kept = stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode)
    return is_kept and os.path.samestat(found, stdout)


def require_different(outputs: Mapping[str, Path], inputs: Iterable[tuple[str, Path]]) -> None:
    """Refuse to write over what is read, or one output over another; texts say what they are.

    Raises:
        click.UsageError: two are the same file.
    """
    seen = [(what, _identity(path)) for what, path in inputs]
    for what, path in outputs.items():
        own = _identity(path)
        for other, known in seen:
            if own is not None and own == known:
                raise click.UsageError(
                    f"{other} and {what} are the same file, {str(path)!r}, which would be written "
                    f"over; name two."
                )
        seen.append((what, own))


def _identity(path: Path) -> object:
    """What two names of one file have in common; None for what is no file, such as a device."""
    try:
        found = path.stat()
    except OSError:
        return path.resolve()
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


@contextmanager
def writing(path: Path | str) -> Iterator[None]:
    """Whatever goes wrong with writing names the file: a full disk does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
