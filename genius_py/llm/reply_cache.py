"""Replies of language models kept in a file, by everything that decides them."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from genius_py.errors import OptionError
from genius_py.llm.request import Completion

__all__ = ["ReplyCache"]

_TABLES = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, text TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL, new_tokens INTEGER NOT NULL, is_whole INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS models (name TEXT PRIMARY KEY, identity TEXT NOT NULL) WITHOUT ROWID;
"""
_AT_ONCE = 500


class ReplyCache:
    """A sqlite file of replies, and of which model each name stood for.

    Several threads and processes may share one file. The first reply to a request stays, so that
    everybody who asks again gets the same. Nothing is ever thrown away: the file is the record
    from which an experiment can be repeated without its models.

    Raises:
        OptionError: the file is not such a cache, or cannot be made.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
            with self._file:
                self._file.executescript(_TABLES)
        except (sqlite3.Error, OSError) as error:
            raise OptionError(f"{str(path)!r} cannot hold replies: {error}.") from error

    def get(self, keys: Sequence[str]) -> dict[str, Completion]:
        """What is known of these requests."""
        found: dict[str, Completion] = {}
        with self._lock:
            for start in range(0, len(keys), _AT_ONCE):
                part = keys[start : start + _AT_ONCE]
                marks = ",".join("?" * len(part))
                rows = self._file.execute(
                    "SELECT key, text, prompt_tokens, new_tokens, is_whole "
                    f"FROM replies WHERE key IN ({marks})",
                    part,
                )
                for key, text, prompt_tokens, new_tokens, is_whole in rows:
                    found[key] = Completion(text, prompt_tokens, new_tokens, bool(is_whole))
        return found

    def put(self, replies: Mapping[str, Completion]) -> None:
        """Keep replies; those that are known already stay as they are."""
        rows: Iterable[tuple[object, ...]] = (
            (key, reply.text, reply.prompt_tokens, reply.new_tokens, int(reply.is_whole))
            for key, reply in replies.items()
        )
        with self._lock, self._file:
            self._file.executemany("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?)", rows)

    def identity(self, model: str) -> str | None:
        """What a model's name stood for when it was last asked; None if it never was."""
        with self._lock:
            row = self._file.execute(
                "SELECT identity FROM models WHERE name = ?", (model,)
            ).fetchone()
        return None if row is None else str(row[0])

    def note_identity(self, model: str, identity: str) -> None:
        """Remember what a model's name stands for."""
        with self._lock, self._file:
            self._file.execute("INSERT OR REPLACE INTO models VALUES (?, ?)", (model, identity))

    def __len__(self) -> int:
        with self._lock:
            return int(self._file.execute("SELECT count(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()
