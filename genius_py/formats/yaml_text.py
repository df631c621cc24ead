"""YAML text to nodes and back; nothing in a file is ever executed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from genius_py.errors import DomainError
from genius_py.formats.node import DEEPEST, MOST_NODES, Node, Place

__all__ = ["half_of_a_character", "parse_yaml", "yaml_of"]

_MOST_REPEATED = 100_000
"""Nodes that the aliases of one file may stand for; a file of 1 kB could name billions."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SafeDumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def parse_yaml(text: str, file: str | None = None) -> Node:
    """The one document of a YAML text.

    Only mappings with text keys, lists and scalars are read: a tag, a key that is there twice,
    nesting beyond 100 levels and aliases that multiply without end are refused.

    Raises:
        DomainError: with the line and column of what cannot be read.
    """
    try:
        return _Document(text, file).root()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = ", ".join(filter(None, (error.context, error.problem)))
        if mark is not None and _is_tab(text, mark):
            reason = "here is a tab, and YAML is indented by blanks alone"
        line, column = (None, None) if mark is None else _place(mark)
        raise DomainError(
            f"this is not YAML: {reason}.", file=file, line=line, column=column
        ) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DomainError(f"this is not YAML: {error.reason}.", file=file, line=line) from error


def _is_tab(text: str, mark: yaml.Mark) -> bool:
    (line,) = text.splitlines()[mark.line : mark.line + 1] or [""]
    return line[mark.column : mark.column + 1] == "\t"


class _Document:
    def __init__(self, text: str, file: str | None) -> None:
        self._events: Iterator[Any] = yaml.parse(text, Loader=_Loader)
        self._file = file
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._repeated = 0
        self._made = 0

    def root(self) -> Node:
        next(self._events)  # the stream's start
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            raise DomainError("expected a mapping, but the file is empty.", file=self._file)
        root = self._node(next(self._events), "", 0)
        next(self._events)  # the document's end
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._error("expected one document, found a second one.", event)
        return root

    def _node(self, event: Any, path: str, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        self._refuse_tag(event)
        if depth > DEEPEST:
            raise self._error(f"this is nested deeper than {DEEPEST} levels.", event)
        before = self._made
        self._made += 1
        if self._made > MOST_NODES:
            raise self._error(f"there are more than {MOST_NODES} values in this file.", event)
        place = _place(event.start_mark)
        if isinstance(event, yaml.ScalarEvent):
            node = Node(event.value, path, place, self._file, is_quoted=bool(event.style))
        elif isinstance(event, yaml.SequenceStartEvent):
            items: list[Node] = []
            while not isinstance(item := next(self._events), yaml.SequenceEndEvent):
                items.append(self._node(item, f"{path}[{len(items)}]", depth + 1))
            node = Node(items, path, place, self._file)
        else:
            node = self._mapping(path, place, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, self._made - before)
        return node

    def _mapping(self, path: str, place: Place, depth: int) -> Node:
        entries: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._error("expected a text as key.", event)
            self._refuse_tag(event)
            key: str = event.value
            if key in entries:
                raise self._error(f"the key {key!r} is here twice; remove one.", event)
            keys[key] = _place(event.start_mark)
            below = f"{path}.{key}" if path else key
            entries[key] = self._node(next(self._events), below, depth + 1)
        return Node(entries, path, place, self._file, keys=keys)

    def _alias(self, event: Any) -> Node:
        if event.anchor not in self._anchors:
            raise self._error(f"no finished anchor &{event.anchor} stands before this.", event)
        node, size = self._anchors[event.anchor]
        self._made += size
        self._repeated += size
        if self._repeated > _MOST_REPEATED:
            raise self._error(f"the aliases stand for more than {_MOST_REPEATED} values.", event)
        return node

    def _refuse_tag(self, event: Any) -> None:
        if event.tag is not None:
            raise self._error(f"the tag {event.tag!r} is not read; leave it out.", event)

    def _error(self, message: str, event: Any) -> DomainError:
        line, column = _place(event.start_mark)
        return DomainError(message, file=self._file, line=line, column=column)


def _place(mark: Any) -> Place:
    return Place(mark.line + 1, mark.column + 1)


class _Dumper(_SafeDumper):  # type: ignore[misc]
    """Writes nested data in blocks, the innermost collections in one line, no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def half_of_a_character(error: UnicodeEncodeError) -> str:
    """What is wrong with a text that UTF-8 cannot hold, as half of a surrogate pair is."""
    near = error.object[max(0, error.start - 20) : error.end + 20]
    return f"{error.object[error.start]!r} in {near!r} is half of a character; remove it."


def _write_text(dumper: Any, text: str) -> Any:
    # A folded or literal block would lose blanks at the ends of lines.
    is_block = "\n" in text.strip() and not any(
        line != line.strip() or not line.isprintable() for line in text.split("\n")
    )
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if is_block else None)


_Dumper.add_representer(str, _write_text)


def yaml_of(data: object) -> str:
    """Plain data as YAML text, in the order of its keys; `parse_yaml` reads it back exactly.

    Raises:
        DomainError: a text holds half of a character.
    """
    try:
        text: str = yaml.dump(
            data,
            Dumper=_Dumper,
            sort_keys=False,
            allow_unicode=True,
            width=100,
            default_flow_style=None,
        )
    except UnicodeEncodeError as error:
        raise DomainError(half_of_a_character(error)) from error
    return text
