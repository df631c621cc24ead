"""A piece of a YAML or JSON document and where it stands, so that every error can say so."""

from __future__ import annotations

import difflib
import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple, NoReturn, TypeVar

import attrs

from genius_py.errors import DomainError, GeniusError

__all__ = ["DEEPEST", "MOST_NODES", "Node", "Place", "node_of"]

DEEPEST = 100
MOST_NODES = 1_000_000
"""Limits of what is read: levels, and values of one document, which take 500 MB."""

_Word = TypeVar("_Word", bound=str)

_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_LONGEST = 400
"""Characters of a number; longer ones are nonsense that takes long to read."""
_LARGEST = 10**300
"""Of whole numbers; evaluations compute with floats, which do not go much further."""
_MOST_NAMED = 10
"""Possibilities that an error lists."""
_MOST_COMPARED = 1000
"""Possibilities among which one that looks alike is searched."""


class Place(NamedTuple):
    """A line and a column, both counted from 1; None where they are not known."""

    line: int | None = None
    column: int | None = None


_NOWHERE = Place()
_NO_KEYS: Mapping[str, Place] = MappingProxyType({})


@attrs.frozen(eq=False)
class Node:
    """A scalar as it is written, a list of nodes, or a mapping of nodes.

    What a scalar means is decided by who reads it (`text`, `number`, `whole`), so that the value
    `no` of a discrete issue stays a text. `path` says how to get here from the top, as in
    ``profiles.buyer.weights``; `keys` says where the keys of a mapping stand.
    """

    content: str | list[Node] | dict[str, Node]
    path: str = ""
    place: Place = _NOWHERE
    file: str | None = None
    is_quoted: bool = False
    keys: Mapping[str, Place] = _NO_KEYS

    def error(self, message: str, place: Place | None = None) -> DomainError:
        """The error that names this place (or another one of the same file)."""
        line, column = self.place if place is None else place
        text = f"{self.path}: {message}" if self.path else message
        return DomainError(text, file=self.file, line=line, column=column)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Errors of the values that are made inside are told as errors of this place."""
        try:
            yield
        except GeniusError as error:
            message = error.message if isinstance(error, DomainError) else str(error)
            raise self.error(message) from error

    @property
    def is_null(self) -> bool:
        """Whether nothing is written here, or null."""
        return not self.is_quoted and self.content in ("", "~", "null", "Null", "NULL")

    def mapping(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """The entries, when all required keys and no others than the optional ones are there."""
        possible = dict.fromkeys((*required, *optional))
        for key in self.entries():
            self.known(key, "key", possible)
        return self.having(*required)

    def having(self, *required: str) -> dict[str, Node]:
        """The entries, when all required keys are there; others may be too."""
        entries = self.entries()
        for key in required:
            if key not in entries:
                raise self.error(f"the key {key!r} is missing.")
        return entries

    def entries(self) -> dict[str, Node]:
        """The entries of a mapping, whatever their keys."""
        if not isinstance(self.content, dict):
            self._expected("a mapping")
        return self.content

    def items(self) -> list[Node]:
        """The nodes of a list."""
        if not isinstance(self.content, list):
            self._expected("a list")
        return self.content

    def text(self) -> str:
        """A scalar as it is written."""
        if not isinstance(self.content, str) or not (self.content or self.is_quoted):
            self._expected("a text")
        return self.content

    def number(self) -> float:
        """A finite number."""
        text = self._numeral("a number")
        number = float(text)
        if not math.isfinite(number):
            self._expected("a finite number")
        return number

    def whole(self, hint: str = "") -> int:
        """A whole number; `hint` is added to the error."""
        text = self._numeral("a whole number", hint)
        if re.fullmatch(r"[-+]?\d+", text):
            whole = int(text)
        else:
            number = float(text)
            if not number.is_integer():
                self._expected("a whole number", hint)
            whole = int(number)
        if abs(whole) > _LARGEST:
            self._expected("a whole number of at most 300 digits")
        return whole

    def truth(self) -> bool:
        """True or false, written so."""
        if self.is_quoted or self.content not in ("true", "false"):
            self._expected("true or false")
        return self.content == "true"

    def choice(self, kind: str, possible: Sequence[_Word]) -> _Word:
        """A text that must be one of these; the error says which one is near."""
        text = self.known(self.text(), kind, possible)
        return next(word for word in possible if word == text)

    def known(self, key: str, kind: str, possible: Collection[str]) -> str:
        """The key, when it is possible; the error says which one is near."""
        if key in possible:
            return key
        raise self.unknown(key, kind, possible)

    def unknown(self, key: str, kind: str, possible: Collection[str]) -> DomainError:
        """The error that says which of the possible keys is near."""
        compared = itertools.islice(possible, _MOST_COMPARED)
        near = difflib.get_close_matches(key[:_LONGEST], compared, n=1, cutoff=0.6)
        if near:
            hint = f"did you mean {near[0]!r}?"
        else:
            more = len(possible) - _MOST_NAMED
            named = ", ".join(itertools.islice(possible, _MOST_NAMED)) or "none"
            hint = f"possible is {named}{f' and {more} more' if more > 0 else ''}."
        return self.error(f"there is no {kind} {_short(key)} here; {hint}", self.keys.get(key))

    def _numeral(self, expected: str, hint: str = "") -> str:
        text = self.content
        if (
            not isinstance(text, str)
            or self.is_quoted
            or len(text) > _LONGEST
            or not _NUMBER.fullmatch(text)
        ):
            self._expected(expected, hint)
        return text

    def _expected(self, what: str, hint: str = "") -> NoReturn:
        match self.content:
            case dict():
                found = "a mapping"
            case list():
                found = "a list"
            case _ if self.is_null:
                found = "nothing"
            case text:
                quoted = "the text " if self.is_quoted else ""
                found = quoted + _short(text)
        raise self.error(f"expected {what}, found {found}{hint}.")


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def node_of(data: object, path: str = "", depth: int = 0) -> Node:
    """Plain data (texts, numbers, None, lists, mappings with text keys) as a node of no file.

    Raises:
        DomainError: something else is among the data, or it is nested deeper than 100 levels.
    """
    if depth > DEEPEST:
        raise Node("", path[:_LONGEST]).error(f"this is nested deeper than {DEEPEST} levels.")
    match data:
        case None:
            return Node("null", path)
        case bool():
            return Node(str(data).lower(), path)
        case str():
            return Node(data, path, is_quoted=True)
        case int() | float():
            return Node(repr(data), path)
        case list() | tuple():
            items = [node_of(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(data)]
            return Node(items, path)
        case Mapping():
            entries = {}
            for key, item in data.items():
                if not isinstance(key, str):
                    raise Node("", path).error(f"expected a text as key, found {key!r}.")
                entries[key] = node_of(item, f"{path}.{key}" if path else key, depth + 1)
            return Node(entries, path)
        case _:
            raise Node("", path).error(f"expected plain data, found {type(data).__name__}.")
