"""For mkdocs: examples in docstrings are shown as code, not as the quotes that Markdown sees."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


def fenced(text: str) -> str:
    """A docstring whose examples are blocks of code; each ends at an empty line."""
    return _EXAMPLE.sub("```pycon\n\\g<0>\n```", text)


class ShownDoctests(Extension):
    """Puts examples into blocks of code before pages are made of docstrings."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called for each module, class, function and attribute that is loaded."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
