"""Reading and writing files, and which files of a folder count."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Collection, Mapping
from os.path import isdir, lexists
from pathlib import Path
from typing import IO

from genius_py.errors import DomainError
from genius_py.formats.json_text import parse_json
from genius_py.formats.node import Node
from genius_py.formats.yaml_text import half_of_a_character, parse_yaml

__all__ = [
    "MAX_BYTES",
    "document",
    "file_name",
    "json_of",
    "natural_order",
    "outline",
    "read_bytes",
    "read_text",
    "visible_files",
    "write_folder",
    "write_text",
    "write_whole",
]

MAX_BYTES = 64 * 2**20
"""The largest file that is read. It may hold a domain and several profiles of a million numbers."""

_FILE_NAME = re.compile(r"[\w(][\w .,+()@-]{0,98}[\w)]|\w")
"""Names that every file system takes."""


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """What a file holds, if that is not more than so many bytes.

    Raises:
        DomainError: there is no such file, it is something else, such as a pipe that nobody may
            ever write to, it cannot be read, or it is too large.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            kind = "a folder" if stat.S_ISDIR(found.st_mode) else "a device or a pipe"
            raise DomainError(f"cannot be read: this is {kind}, not a file.", file=str(path))
        if found.st_size > most:
            raise DomainError(
                f"is larger than {most // 2**20} MB, which no domain or profile is.", file=str(path)
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:  # the latter for a name that holds a null
        if isinstance(error, DomainError):
            raise
        raise DomainError(f"cannot be read: {_reason(error)}.", file=str(path)) from error


def read_text(path: Path) -> str:
    """The UTF-8 text of a file, with or without a byte order mark.

    Raises:
        DomainError: as `read_bytes`, or it is not UTF-8.
    """
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DomainError(
            f"byte 0x{data[error.start]:02x} is not UTF-8; save the file in that encoding.",
            file=str(path),
            line=line,
        ) from error


def document(path: Path) -> Node:
    """The content of a JSON (``.json``) or YAML file.

    Raises:
        DomainError: the file is missing or not well-formed.
    """
    parse = parse_json if path.suffix.lower() == ".json" else parse_yaml
    return parse(read_text(path), str(path))


def outline(path: Path) -> Mapping[str, Collection[str]]:
    """The keys of a JSON file's outermost mapping, and of the mappings in it; else nothing.

    That tells what a file is in a fraction of the time that its nodes take.

    Raises:
        DomainError: the file is missing or not well-formed.
    """
    try:
        content = json.loads(read_text(path))
    except (RecursionError, ValueError) as error:
        if isinstance(error, DomainError):
            raise
        content = document(path).content  # which says where it is broken
    if not isinstance(content, dict):
        return {}
    return {key: entry if isinstance(entry, dict) else () for key, entry in content.items()}


def write_text(path: Path, text: str, replace: bool = True) -> None:
    """Write UTF-8 with plain newlines, making the folder where it is missing.

    Raises:
        DomainError: the text holds half a character, the file cannot be written, or it is there
            already and is not to be replaced.
    """
    data = _encoded(path, text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb" if replace else "xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise _taken(path) from error
    except (OSError, ValueError) as error:  # the latter for a name that holds a null
        raise DomainError(f"cannot be written: {_reason(error)}.", file=str(path)) from error


def write_whole(path: Path, write: Callable[[IO[str]], object]) -> None:
    """Write a file that is there completely or not at all; a device is written to as it is."""
    is_file = path.is_file() or not path.exists()
    part = path.with_name(f"{path.name}.part") if is_file else path
    try:
        with part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            write(file)
        if is_file:
            part.replace(path)
    except BaseException:
        if is_file:
            part.unlink(missing_ok=True)
        raise


def _taken(path: Path) -> DomainError:
    return DomainError(
        "is there already; name another place, or have it replaced (--force).", file=str(path)
    )


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error


def _encoded(path: Path, text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DomainError(
            f"cannot be written: {half_of_a_character(error)}", file=str(path)
        ) from error


def file_name(name: str, suffix: str, taken: Collection[str] = ()) -> str:
    """The name of the file that a profile is written to.

    Raises:
        DomainError: not every file system takes the name, or another file has it already.
    """
    if not _FILE_NAME.fullmatch(name):
        raise DomainError(f"{name!r} cannot be the name of a file; rename the profile.")
    file = name + suffix
    if file.casefold() in (other.casefold() for other in taken):
        raise DomainError(f"Two files would be called {file!r}; rename the profile {name!r}.")
    return file


def write_folder(
    folder: Path,
    texts: Mapping[str, str],
    recognises: Callable[[Path], bool],
    replace: bool = True,
) -> None:
    """Write one file for each name.

    Raises:
        DomainError: the folder holds another file that would be read as one of these
            (`recognises`), or one of these that is not to be replaced, or a text has half a
            character in it; nothing is written. Or a file cannot be written.
    """
    for name, text in texts.items():
        _encoded(folder / name, text)
        if not replace and lexists(folder / name):
            raise _taken(folder / name)
    for path in visible_files(folder) if isdir(folder) else ():
        if path.name not in texts and recognises(path):
            raise DomainError(
                f"{path.name} would be read as part of this scenario; use an empty folder.",
                file=str(folder),
            )
    for name, text in texts.items():
        write_text(folder / name, text, replace)


def json_of(data: object) -> str:
    """Plain data as JSON text.

    Raises:
        DomainError: there is a number among them that is not finite, or longer than JSON is read.
    """
    try:
        return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    except ValueError as error:
        raise DomainError(f"JSON cannot hold this: {error}.") from error


def visible_files(folder: Path) -> list[Path]:
    """The files of a folder, profile2 before profile10.

    Files whose name starts with a dot are left out: desktops and archivers strew ``.DS_Store``
    and ``._profileA.json`` about, which only look like data.

    Raises:
        DomainError: there is no such folder, or it cannot be read.
    """
    try:
        files = [path for path in folder.iterdir() if path.is_file() and path.name[0] != "."]
    except (OSError, ValueError) as error:
        raise DomainError(f"cannot be read: {_reason(error)}.", file=str(folder)) from error
    return sorted(files, key=lambda path: natural_order(path.name))


def natural_order(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """A key to sort names by, in which 2 stands before 10."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return [(not p.isdecimal(), int(p) if p.isdecimal() else 0, p) for p in parts], name
