"""Asking a person who sits at a terminal, with completion where that can be had."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from genius_py.parties.person import Ask, Complete

if TYPE_CHECKING:
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent

__all__ = ["can_complete", "completing"]


def can_complete() -> bool:
    """Whether `completing` will work: on a terminal, with prompt_toolkit installed."""
    are_terminals = all(
        stream is not None and stream.isatty()  # it may be closed
        for stream in (sys.stdin, sys.stderr)
    )
    return are_terminals and importlib.util.find_spec("prompt_toolkit") is not None


def completing() -> Ask:
    """Asks on the terminal; below the line stands a menu of what it may become."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import (
        CompleteEvent,
        Completer,
        Completion,
        get_common_complete_suffix,
    )
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.output import create_output

    class Lines(Completer):
        def __init__(self, complete: Complete) -> None:
            self._complete = complete

        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterator[Completion]:
            begun = document.text_before_cursor
            for line, remark in self._complete(begun):
                yield Completion(line, start_position=-len(begun), display_meta=remark)

    keys = KeyBindings()

    @keys.add("tab")
    def _(event: KeyPressEvent) -> None:
        # The library's own Tab is lost while the menu is still being made.
        buffer = event.current_buffer
        found = list(lines.get_completions(buffer.document, CompleteEvent()))
        if suffix := get_common_complete_suffix(buffer.document, found):
            buffer.insert_text(suffix)
        elif buffer.complete_state:
            buffer.complete_next()
        else:
            buffer.start_completion()

    # On stderr, so that stdout holds the result alone.
    session: PromptSession[str] = PromptSession(
        output=create_output(stdout=sys.stderr),
        key_bindings=keys,
        complete_while_typing=True,
        reserve_space_for_menu=6,
    )
    lines = Lines(lambda begun: ())

    def ask(question: str, complete: Complete) -> str:
        nonlocal lines
        lines = Lines(complete)
        try:
            return session.prompt(f"{question} ", completer=lines)
        except EOFError:
            # An Exception, so it would pass for a mistake of the party.
            raise KeyboardInterrupt from None

    return ask
