"""Replies of language models kept in a file, by everything that decides them."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from genius_py.errors import ModelFailure, OptionError
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

_PATIENCE = 60.0
"""Seconds to wait for another process that writes."""


class ReplyCache:
    """A sqlite file of replies, and of which model each name stood for.

    Several threads and processes may share one file. The first reply to a request stays, so that
    everybody who asks again gets the same. Nothing is ever thrown away: the file is the record
    from which an experiment can be repeated without its models.

    With `read_only` nothing is ever written, and the file must be there.

    Raises:
        OptionError: the file is not such a cache, or cannot be made.
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        try:
            if not read_only:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            mode = "ro" if read_only else "rwc"
            self._file = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}",
                timeout=_PATIENCE,
                check_same_thread=False,
                uri=True,
            )
            with self._file:
                if read_only:
                    self._file.execute("SELECT 1 FROM replies, models LIMIT 1")
                else:
                    self._file.executescript(_TABLES)
        except (sqlite3.Error, OSError) as error:
            raise OptionError(f"{str(path)!r} cannot hold replies: {error}.") from error

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                with self._file:  # a transaction
                    yield self._file
            except sqlite3.Error as error:
                raise ModelFailure(f"the cache {str(self.path)!r} failed: {error}") from error

    def get(self, keys: Sequence[str]) -> dict[str, Completion]:
        """What is known of these requests.

        Raises:
            ModelFailure: the file cannot be read any more, or is locked for a minute.
        """
        found: dict[str, Completion] = {}
        with self._open() as file:
            for start in range(0, len(keys), _AT_ONCE):
                part = keys[start : start + _AT_ONCE]
                marks = ",".join("?" * len(part))
                rows = file.execute(
                    "SELECT key, text, prompt_tokens, new_tokens, is_whole "
                    f"FROM replies WHERE key IN ({marks})",
                    part,
                )
                for key, text, prompt_tokens, new_tokens, is_whole in rows:
                    found[key] = Completion(text, prompt_tokens, new_tokens, bool(is_whole))
        return found

    def put(self, replies: Mapping[str, Completion]) -> None:
        """Keep replies; those that are known already stay as they are.

        Raises:
            ModelFailure: the file cannot be written.
        """
        rows: Iterable[tuple[object, ...]] = (
            (key, reply.text, reply.prompt_tokens, reply.new_tokens, int(reply.is_whole))
            for key, reply in replies.items()
        )
        with self._open() as file:
            file.executemany("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?)", rows)

    def identity(self, model: str) -> str | None:
        """What a model's name stood for when it was last asked; None if it never was.

        Raises:
            ModelFailure: the file cannot be read.
        """
        with self._open() as file:
            row = file.execute("SELECT identity FROM models WHERE name = ?", (model,)).fetchone()
        return None if row is None else str(row[0])

    def note_identity(self, model: str, identity: str) -> None:
        """Remember what a model's name stands for.

        Raises:
            ModelFailure: the file cannot be written.
        """
        with self._open() as file:
            file.execute("INSERT OR REPLACE INTO models VALUES (?, ?)", (model, identity))

    def __len__(self) -> int:
        with self._open() as file:
            return int(file.execute("SELECT count(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()
