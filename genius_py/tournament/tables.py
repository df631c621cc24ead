"""The tables of a results file, all of them readable with any SQLite client.

::

    about       key, value: the format, the tournament's configuration (JSON)
    version     every combination of versions that sessions were played with
    party       id, spec, source (hash of the file that a spec names, or empty)
    scenario    digest, data (JSON), of every scenario that is not drawn for each repetition
    setting     id, digest, protocol, domain, roles (JSON), deadline, mediator, seats, scenario
    lineup      id, parties (JSON list of party ids in seat order)
    session     repetition, setting, lineup -> what came of it, utility_1, discounted_1, ...
    fault       repetition, setting, lineup, number -> seat, round, during, reason, is_fatal
    model       repetition, setting, lineup, seat -> what asking a language model came to there
    timing      repetition, setting, lineup -> seconds, the only thing that a clock decides
    log         repetition, setting, lineup -> the event log, compressed by zlib

Rows lie in the order of their coordinates, whatever the order in which sessions were finished.
"""

from __future__ import annotations

import attrs

from genius_py.model_counts import ModelCounts

__all__ = [
    "COUNT_COLUMNS",
    "FORMAT",
    "NEEDED_FALLBACK",
    "PARTS",
    "SESSION_COLUMNS",
    "TABLES",
    "seat_columns",
]

FORMAT = "genius-py results 2"

TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE version (text TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE party (
    id INTEGER PRIMARY KEY, spec TEXT NOT NULL, source TEXT NOT NULL, UNIQUE (spec, source)
);
CREATE TABLE scenario (digest TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE setting (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, protocol TEXT NOT NULL,
    domain TEXT NOT NULL, roles TEXT NOT NULL, deadline TEXT NOT NULL, mediator TEXT,
    seats INTEGER NOT NULL, scenario TEXT NOT NULL
);
CREATE TABLE lineup (id INTEGER PRIMARY KEY, parties TEXT NOT NULL UNIQUE);
CREATE TABLE session (
    repetition INTEGER, setting INTEGER, lineup INTEGER,
    reason TEXT NOT NULL, detail TEXT NOT NULL, is_scored INTEGER NOT NULL,
    agreement TEXT, agreeing_parties INTEGER NOT NULL,
    rounds INTEGER NOT NULL, turns INTEGER NOT NULL, time REAL NOT NULL,
    social_welfare REAL NOT NULL, fairness REAL NOT NULL,
    distance_to_pareto REAL, distance_to_nash REAL,
    PRIMARY KEY (repetition, setting, lineup)
) WITHOUT ROWID;
CREATE TABLE fault (
    repetition INTEGER, setting INTEGER, lineup INTEGER, number INTEGER,
    seat INTEGER NOT NULL, round INTEGER NOT NULL, during TEXT NOT NULL, reason TEXT NOT NULL,
    is_fatal INTEGER NOT NULL,
    PRIMARY KEY (repetition, setting, lineup, number)
) WITHOUT ROWID;
CREATE TABLE model (
    repetition INTEGER, setting INTEGER, lineup INTEGER, seat INTEGER,
    turns INTEGER NOT NULL, replies INTEGER NOT NULL, retries INTEGER NOT NULL,
    unreadable INTEGER NOT NULL, illegal INTEGER NOT NULL, unread_turns INTEGER NOT NULL,
    fallbacks INTEGER NOT NULL, leaks INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, new_tokens INTEGER NOT NULL,
    PRIMARY KEY (repetition, setting, lineup, seat)
) WITHOUT ROWID;
CREATE TABLE timing (
    repetition INTEGER, setting INTEGER, lineup INTEGER, seconds REAL NOT NULL,
    PRIMARY KEY (repetition, setting, lineup)
) WITHOUT ROWID;
CREATE TABLE log (
    repetition INTEGER, setting INTEGER, lineup INTEGER, data BLOB NOT NULL,
    PRIMARY KEY (repetition, setting, lineup)
) WITHOUT ROWID;
"""

PARTS = ("session", "fault", "model", "timing", "log")
"""The tables that tell of sessions."""

SESSION_COLUMNS = (
    "repetition",
    "setting",
    "lineup",
    "reason",
    "detail",
    "is_scored",
    "agreement",
    "agreeing_parties",
    "rounds",
    "turns",
    "time",
    "social_welfare",
    "fairness",
    "distance_to_pareto",
    "distance_to_nash",
)
"""The columns of a session that do not depend on the number of seats; the first three are its
key, the others fields of `Played`."""

COUNT_COLUMNS = tuple(field.name for field in attrs.fields(ModelCounts))
"""What is counted at the seat of a language model."""

NEEDED_FALLBACK = """EXISTS (
    SELECT 1 FROM model WHERE model.repetition = session.repetition
    AND model.setting = session.setting AND model.lineup = session.lineup AND model.fallbacks > 0
)"""
"""Whether a classical party had to play some turn of a session for a language model, in SQL."""


def seat_columns(seats: int) -> list[str]:
    """The columns of a session that there is one of for each seat."""
    return [f"{what}_{seat}" for what in ("utility", "discounted") for seat in range(1, seats + 1)]
