"""Write docs/reference/parties.md and protocols.md from what is registered.

Run it after adding a party or a protocol; a test compares the pages with what this would write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from genius_py import registry
from genius_py.cli import _plug_in

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"

PARTIES = """\
# Parties

What `--party` takes, and `parties=[...]` in Python: a name of this table, with options as in
`boulware:e=0.1,k=0.05`; `package.module:Class`; or `path/to/file.py:Class`. Upper and lower case,
`-`, `_` and blanks make no difference. `genius-py show party NAME` tells more.
"""

MEDIATORS = """
## Mediators

What `--mediator` takes, in protocols that have a mediator's seat.
"""

PROTOCOLS = """\
# Protocols

What `--protocol` takes, and the first argument of `gp.run`: a name of this table or another name
that it goes by, with options as in `NAME:key=value`; `package.module:Class`; or
`path/to/file.py:Class`. Upper and lower case, `-`, `_` and blanks make no difference.
`genius-py show protocol NAME` tells more.
"""


def pages() -> Mapping[str, str]:
    """File name -> text of each page."""
    parties = _own("party")
    mediators = {name: cls for name, cls in parties.items() if cls.is_mediator}
    negotiators = {name: cls for name, cls in parties.items() if name not in mediators}
    parties_page = PARTIES + _table(negotiators)
    if mediators:
        parties_page += MEDIATORS + _table(mediators)
    return {
        "parties.md": parties_page,
        "protocols.md": PROTOCOLS + _table(_own("protocol")),
    }


def _own(kind: str) -> dict[str, type[Any]]:
    """What is registered, but for what other packages on this machine bring along."""
    everything = registry.names(kind).items()
    return {name: cls for name, cls in everything if cls.__module__.startswith("genius_py.")}


def _table(classes: Mapping[str, type[Any]]) -> str:
    rows = [
        (
            f"`{name}`",
            ", ".join(f"`{alias}`" for alias in cls.aliases),
            "<br>".join(f"`{key}={default}`" for key, default in _plug_in.options(cls).items()),
            _plug_in.one_line(cls),
        )
        for name, cls in classes.items()
    ]
    return "\n" + "".join(
        map(_row, [("name", "also", "options", "what it does"), ("---",) * 4, *rows])
    )


def _row(cells: Iterable[str]) -> str:
    escaped = (cell.replace("|", "\\|") for cell in cells)
    return "| " + " | ".join(escaped) + " |\n"


if __name__ == "__main__":
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8", newline="\n")
