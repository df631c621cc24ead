"""Registration: every party, setting and lineup of a plan has its number in a results file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping

import attrs

from genius_py.formats import scenario_to_dict
from genius_py.tournament.lineups import Lineup
from genius_py.tournament.plan import Match, Plan, Setting, source_digest
from genius_py.tournament.tables import seat_columns

__all__ = ["Registered", "holds_others", "register"]


@attrs.frozen
class Registered:
    """A plan whose settings and lineups have their numbers in a results file."""

    plan: Plan
    settings: tuple[int, ...]
    lineups: Mapping[int, tuple[int, ...]]

    def blocks(self) -> Iterator[list[Match]]:
        """The matches, those of one repetition of one setting at a time."""
        for repetition in range(self.plan.tournament.repetitions):
            for number, setting in zip(self.settings, self.plan.settings, strict=True):
                numbers = self.lineups[len(setting.roles)]
                yield [
                    Match(setting, repetition, lineup, (repetition, number, place))
                    for place, lineup in zip(numbers, self.plan.lineups_at(setting), strict=True)
                ]


def register(db: sqlite3.Connection, plan: Plan) -> Registered:
    """Give everything planned the number that it has already, or a new one."""
    settings = tuple(_setting(db, setting) for setting in plan.settings)
    lineups = {seats: _lineups(db, lineups) for seats, lineups in plan.lineups.items()}
    known = [row[1] for row in db.execute("PRAGMA table_info(session)")]
    for column in seat_columns(max(plan.lineups)):
        if column not in known:
            db.execute(f"ALTER TABLE session ADD COLUMN {column} REAL")
    return Registered(plan, settings, lineups)


def holds_others(db: sqlite3.Connection, registered: Registered) -> bool:
    """Whether settings, lineups or repetitions are stored that a plan has not."""
    numbers = {
        "setting": set(registered.settings),
        "lineup": {number for numbers in registered.lineups.values() for number in numbers},
    }
    repetitions = _number(db, "SELECT coalesce(max(repetition) + 1, 0) FROM session")
    return repetitions > registered.plan.tournament.repetitions or any(
        _number(db, f"SELECT count(*) FROM {table}") > len(planned)
        for table, planned in numbers.items()
    )


def _setting(db: sqlite3.Connection, setting: Setting) -> int:
    scenario = setting.scenario
    if scenario is not None:
        db.execute(
            "INSERT INTO scenario VALUES (?, ?) ON CONFLICT DO NOTHING",
            (
                setting.scenario_digest,
                json.dumps(scenario_to_dict(scenario), ensure_ascii=False),
            ),
        )
    db.execute(
        "INSERT INTO setting VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            setting.digest,
            setting.protocol,
            setting.domain,
            json.dumps(setting.roles, ensure_ascii=False),
            str(setting.deadline),
            setting.mediator,
            len(setting.roles),
            setting.scenario_digest,
        ),
    )
    return _number(db, "SELECT id FROM setting WHERE digest = ?", setting.digest)


def _lineups(db: sqlite3.Connection, lineups: Iterable[Lineup]) -> tuple[int, ...]:
    parties: dict[str, int] = {}

    def party(spec: str) -> int:
        if spec not in parties:
            row = (spec, source_digest(spec))
            db.execute("INSERT INTO party VALUES (NULL, ?, ?) ON CONFLICT DO NOTHING", row)
            parties[spec] = _number(db, "SELECT id FROM party WHERE spec = ? AND source = ?", *row)
        return parties[spec]

    numbers = []
    for lineup in lineups:
        seated = json.dumps([party(spec) for spec in lineup])
        db.execute("INSERT INTO lineup VALUES (NULL, ?) ON CONFLICT DO NOTHING", (seated,))
        numbers.append(_number(db, "SELECT id FROM lineup WHERE parties = ?", seated))
    return tuple(numbers)


def _number(db: sqlite3.Connection, query: str, *values: object) -> int:
    return int(db.execute(query, values).fetchone()[0])
