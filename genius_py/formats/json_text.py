"""JSON text to nodes: the standard grammar, with the place of each value."""

from __future__ import annotations

import bisect
import json
import re

from genius_py.errors import DomainError
from genius_py.formats.node import DEEPEST, MOST_NODES, Node, Place

__all__ = ["parse_json"]

_BLANK = (" ", "\t", "\r", "\n")
_BLANKS = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")
_STRINGS = json.JSONDecoder()
"""Reads a string at a place of a text, the part of the grammar that json lends out."""


def parse_json(text: str, file: str | None = None) -> Node:
    """The value of a JSON text; keys that are there twice and NaN are refused.

    Raises:
        DomainError: with the line and column of what cannot be read.
    """
    return _Document(text, file).root()


class _Document:
    def __init__(self, text: str, file: str | None) -> None:
        self._text = text
        self._file = file
        self._at = 0
        self._made = 0
        self._lines = [match.end() for match in re.finditer(r"\n", text)]

    def root(self) -> Node:
        node = self._node("", 0)
        if self._next():
            raise self._error("expected the end of the file")
        return node

    def _node(self, path: str, depth: int) -> Node:
        start = self._next()
        place = self._place()
        self._made += 1
        if self._made > MOST_NODES:
            raise self._error(f"expected at most {MOST_NODES} values")
        if depth > DEEPEST:
            raise self._error(f"expected at most {DEEPEST} levels")
        if start == '"':
            return Node(self._string(), path, place, self._file, is_quoted=True)
        if start == "[":
            items: list[Node] = []
            while self._more("]", bool(items)):
                items.append(self._node(f"{path}[{len(items)}]", depth + 1))
            return Node(items, path, place, self._file)
        if start == "{":
            return self._mapping(path, place, depth)
        scalar = _SCALAR.match(self._text, self._at)
        if scalar is None:
            raise self._error("expected a value")
        self._at = scalar.end()
        return Node(scalar[0], path, place, self._file)

    def _mapping(self, path: str, place: Place, depth: int) -> Node:
        entries: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        while self._more("}", bool(entries)):
            if self._next() != '"':
                raise self._error("expected a text in double quotes")
            where = self._place()
            key = self._string()
            if key in entries:
                raise DomainError(
                    f"the key {key!r} is here twice; remove one.",
                    file=self._file,
                    line=where.line,
                    column=where.column,
                )
            keys[key] = where
            if self._next() != ":":
                raise self._error("expected ':'")
            self._at += 1
            entries[key] = self._node(f"{path}.{key}" if path else key, depth + 1)
        return Node(entries, path, place, self._file, keys=keys)

    def _more(self, closing: str, is_begun: bool) -> bool:
        """Step over a bracket or comma; whether another element follows."""
        sign = self._next()
        if not is_begun:
            self._at += 1  # the opening bracket
            sign = self._next()
            if sign != closing:
                return True
        elif sign == ",":
            self._at += 1
            return True
        if sign != closing:
            raise self._error(f"expected ',' or {closing!r}")
        self._at += 1
        return False

    def _string(self) -> str:
        try:
            string, self._at = _STRINGS.raw_decode(self._text, self._at)
        except json.JSONDecodeError as error:
            self._at = error.pos
            raise self._error(error.msg[:1].lower() + error.msg[1:]) from error
        assert isinstance(string, str)
        return string

    def _next(self) -> str:
        """The next character that is no blank; empty at the end."""
        if self._text[self._at : self._at + 1] in _BLANK:  # as it seldom is
            blanks = _BLANKS.match(self._text, self._at)
            assert blanks is not None
            self._at = blanks.end()
        return self._text[self._at : self._at + 1]

    def _place(self) -> Place:
        line = bisect.bisect_right(self._lines, self._at)
        return Place(line + 1, self._at - (self._lines[line - 1] if line else 0) + 1)

    def _error(self, message: str) -> DomainError:
        found = repr(self._text[self._at]) if self._at < len(self._text) else "the end of the file"
        line, column = self._place()
        return DomainError(
            f"this is not JSON: {message}, found {found}.",
            file=self._file,
            line=line,
            column=column,
        )
