"""A report as one HTML file, which asks no server for anything."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from genius_py.formats.files import write_whole
from genius_py.report.page_data import MOST_REPLAYS, page_data
from genius_py.report.source import Reported, opened

__all__ = ["render_report", "write_report"]

_DIGITS = 5

_SCRIPTS = (
    "page.js",
    "charts.js",
    "leaderboard.js",
    "pairs.js",
    "outcomes.js",
    "concessions.js",
    "sessions.js",
    "faults.js",
    "replay.js",
    "main.js",
)
"""In the order in which they build on each other."""


def write_report(
    reported: Reported, path: str | Path, *, title: str = "", replays: int = MOST_REPLAYS
) -> None:
    """Write a page about finished sessions, replacing the file.

    `reported` is a tournament's results (a file's path, or open), an outcome, a session log's
    path, or several of the last two. Up to `replays` sessions that have a log can be stepped
    through; of more than 5000 sessions a sample is listed, and the page says so.

    Raises:
        LogError: a file is neither a results file nor a session log, or is broken.
        OptionError: there is no session.
    """
    text = render_report(reported, title=title, replays=replays)
    # Half a surrogate pair, which UTF-8 cannot hold, becomes the JSON escape that means it.
    write_whole(Path(path), lambda file: file.write(text))


def render_report(reported: Reported, *, title: str = "", replays: int = MOST_REPLAYS) -> str:
    """The text of the page that `write_report` writes; the same sessions give the same text."""
    with opened(reported) as source:
        data = page_data(source, title, most_replays=replays)
    page = _asset("page.html")
    parts = {
        "title": escape(str(data["title"])),
        "style": _asset("page.css"),
        "data": _script_safe(_json(data)),
        "script": "\n".join(map(_asset, _SCRIPTS)),
    }
    head, *rest = page.split("<!--")
    return head + "".join(
        parts[name.strip()] + after for name, _, after in (part.partition("-->") for part in rest)
    )


def _asset(name: str) -> str:
    return files("genius_py.report").joinpath("page", name).read_text(encoding="utf-8")


def _json(data: object) -> str:
    return json.dumps(_plain(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _plain(value: Any) -> Any:
    """Numbers rounded, and null for those that are not finite, which JSON does not have."""
    if isinstance(value, float):
        return round(value, _DIGITS) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value


def _script_safe(text: str) -> str:
    """JSON that cannot end the element it stands in, whatever anybody said: "</script>", "<!--"."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
