"""Texts of others in a prompt: in quotation marks wherever they could pass for something else."""

from __future__ import annotations

import json
import re

__all__ = ["name_text", "quoted", "without_marks"]

_LONGEST = 1000
"""Characters of a text that somebody said."""


_MARK = re.compile(r"<(?![\s\d=])|\[(?=/?[A-Z_]+\])")
"""How the marks begin that divide chats into turns, as ``<|im_end|>``, ``</s>``, ``[INST]``.

Tokenizers and servers take them for the end of a turn wherever in a text they stand."""


def quoted(text: object) -> str:
    """What somebody said, on one line and in quotation marks that it cannot leave.

    What is very long is cut, which is then said: nobody can crowd out the rest of a prompt. Marks
    that would end the turn of a chat are broken by an escape of their first sign.
    """
    whole = json.dumps(text, ensure_ascii=False, default=str)
    cut = "" if len(whole) <= _LONGEST else f" (cut off, of {len(whole)} characters)"
    if cut:
        whole = json.dumps(str(text)[:_LONGEST], ensure_ascii=False)
    # JSON leaves the line breaks of Unicode alone, and signs that turn the direction of writing.
    line = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in whole)
    return without_marks(line) + cut


def without_marks(json_text: str) -> str:
    """The same JSON with the marks in it broken that would end the turn of a chat."""
    return _MARK.sub(lambda mark: f"\\u{ord(mark[0]):04x}", json_text)


def name_text(name: str) -> str:
    """The name of an issue or a value as it is, where that cannot be misread.

    >>> print(name_text("two weeks"), name_text("all\\n# Rules"))
    two weeks "all\\n# Rules"
    """
    is_plain = name.isprintable() and name == name.strip() != "" and not set('"|<>') & set(name)
    return name if is_plain and not _MARK.search(name) else quoted(name)
