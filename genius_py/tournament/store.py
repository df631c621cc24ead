"""The results file: an SQLite database, in which every session has the place of its coordinates."""

from __future__ import annotations

import json
import platform
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar

import attrs
import numpy as np
import scipy

import genius_py
from genius_py.errors import LogError, OptionError
from genius_py.formats import scenario_from_dict
from genius_py.model_counts import ModelCounts
from genius_py.outcome import Outcome
from genius_py.scenario import Scenario
from genius_py.tournament.lineups import Lineup
from genius_py.tournament.plan import Plan, Setting, plan_tournament
from genius_py.tournament.played import Played, PlayedFault, SeatCounts, log_lines
from genius_py.tournament.registration import Registered, holds_others, register
from genius_py.tournament.tables import (
    COUNT_COLUMNS,
    FORMAT,
    PARTS,
    SESSION_COLUMNS,
    TABLES,
    seat_columns,
)
from genius_py.tournament.tournament import DomainSource, Tournament
from genius_py.trace import parse_log

__all__ = ["Results", "StoredSession"]

_BUSY_SECONDS = 60.0

_Part = TypeVar("_Part")


class StoredSession(NamedTuple):
    """A finished session, with the names of what it was about; parties stand in seat order."""

    protocol: str
    domain: str
    roles: tuple[str, ...]
    deadline: str
    repetition: int
    parties: Lineup
    reason: str
    detail: str
    is_scored: bool
    agreement: str | None
    agreeing_parties: int
    rounds: int
    turns: int
    time: float
    utilities: tuple[float, ...]
    discounted: tuple[float, ...]
    social_welfare: float
    fairness: float
    distance_to_pareto: float | None
    distance_to_nash: float | None
    faults: tuple[PlayedFault, ...]
    key: tuple[int, int, int]
    models: tuple[SeatCounts, ...] = ()


class Results:
    """A results file, open for reading, or with `create` also for writing by this process alone."""

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        self.path = Path(path)
        if not create and not self.path.is_file():
            raise LogError(f"There is no results file {str(path)!r}.")
        if create and not self.path.parent.is_dir():
            raise OptionError(f"There is no folder {str(self.path.parent)!r}; make it first.")
        # Whatever feeds the workers may look from a thread of its own, one at a time.
        self._db = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            self._open(create)
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise LogError(f"{str(path)!r} is no results file ({error}).") from error
        except BaseException:
            self._db.close()
            raise

    def _open(self, create: bool) -> None:
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if create and not tables:
            self._db.execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                for statement in filter(str.strip, TABLES.split(";")):
                    self._db.execute(statement)
                self._set("format", FORMAT)
        elif not tables or self._about("format") != FORMAT:
            raise LogError(
                f"{str(self.path)!r} is no results file of genius-py {genius_py.__version__}."
            )
        if create:
            # A killed process loses nothing of what it had committed.
            self._db.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        """Close the file; nothing can be read or written afterwards."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:  # SQLite may have left it by itself
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise LogError(
                    f"{str(self.path)!r} cannot be written: {error}. What had been stored stays; "
                    f"the same command goes on from there."
                ) from error
            raise

    def _about(self, key: str) -> str | None:
        try:
            row = self._db.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        except sqlite3.OperationalError:  # another program's database
            return None
        return None if row is None else str(row[0])

    def _set(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (key, value))

    # What was planned

    @property
    def tournament(self) -> Tournament:
        """The tournament whose sessions these are."""
        stored = self._about("tournament")
        if stored is None:
            raise LogError(f"{str(self.path)!r} holds no tournament yet.")
        return Tournament.from_dict(json.loads(stored))

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of everything that sessions were played with; ideally there is one."""
        return tuple(text for (text,) in self._db.execute("SELECT text FROM version"))

    def plan(self) -> Plan:
        """The plan, made of what this file holds: domains need not exist any more."""
        return plan_tournament(self.tournament, self.scenario)

    def scenario(self, source: DomainSource | str) -> Scenario:
        """The scenario that was read from a source.

        Raises:
            LogError: there is none; random scenarios are made anew for each repetition.
        """
        row = self._db.execute(
            "SELECT data FROM scenario JOIN setting ON scenario = scenario.digest WHERE domain = ?",
            (str(source),),
        ).fetchone()
        if row is None:
            raise LogError(f"{str(self.path)!r} holds no scenario of {str(source)!r}.")
        return scenario_from_dict(json.loads(row[0]))

    def register(self, plan: Plan) -> Registered:
        """Give everything planned its number; a plan may add to what is stored, not take away.

        Raises:
            OptionError: the file holds sessions that are not of this plan.
        """
        with self._transaction():
            registered = register(self._db, plan)
            if self._about("tournament") is not None and holds_others(self._db, registered):
                raise OptionError(
                    f"{str(self.path)!r} holds sessions of a tournament with other parties, "
                    f"domains, deadlines, seed or more repetitions; name another file, or add to "
                    f"that one only."
                )
            self._set("tournament", json.dumps(plan.tournament.to_dict(), ensure_ascii=False))
            self._db.execute(
                "INSERT INTO version VALUES (?) ON CONFLICT DO NOTHING", (_versions(),)
            )
        return registered

    def number_like(self, other: Results) -> None:
        """Give everything that another file knows the number that it has there; for a new file."""
        with self._transaction():
            for table in ("party", "scenario", "setting", "lineup"):
                for row in other.select(f"SELECT * FROM {table}"):
                    marks = ", ".join("?" * len(row))
                    self._db.execute(f"INSERT INTO {table} VALUES ({marks})", row)

    def _one(self, query: str, *values: object) -> Any:
        (value,) = self._db.execute(query, values).fetchone()
        return value

    # What was played

    def finished(self, repetition: int, setting: int) -> set[int]:
        """The numbers of the lineups whose session there is stored."""
        rows = self._db.execute(
            "SELECT lineup FROM session WHERE repetition = ? AND setting = ?", (repetition, setting)
        )
        return {lineup for (lineup,) in rows}

    def add(self, batch: Sequence[Played]) -> None:
        """Store finished sessions, all or none of them; one that is there already stays."""
        with self._transaction():
            for played in batch:
                columns = [*SESSION_COLUMNS, *seat_columns(len(played.utilities))]
                values = (
                    *played.key,
                    *(getattr(played, column) for column in SESSION_COLUMNS[3:]),
                    *played.utilities,
                    *played.discounted,
                )
                added = self._db.execute(
                    f"INSERT INTO session ({', '.join(columns)}) "
                    f"VALUES ({', '.join('?' * len(columns))}) ON CONFLICT DO NOTHING",
                    values,
                ).rowcount
                if not added:
                    continue
                self._db.executemany(
                    "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [(*played.key, n, *fault) for n, fault in enumerate(played.faults)],
                )
                self._db.executemany(
                    f"INSERT INTO model VALUES ({', '.join('?' * (4 + len(COUNT_COLUMNS)))})",
                    [(*played.key, seat, *attrs.astuple(n)) for seat, n in played.models],
                )
                self._db.execute(
                    "INSERT INTO timing VALUES (?, ?, ?, ?)", (*played.key, played.seconds)
                )
                if played.log is not None:
                    self._db.execute(
                        "INSERT INTO log VALUES (?, ?, ?, ?)", (*played.key, played.log)
                    )

    def forget_failed(self) -> int:
        """Remove the sessions that ended by a fault, so that they are played again; how many."""
        with self._transaction():
            failed = self._db.execute(
                "SELECT repetition, setting, lineup FROM session WHERE reason = 'fault'"
            ).fetchall()
            for part in PARTS:
                self._db.executemany(
                    f"DELETE FROM {part} WHERE repetition = ? AND setting = ? AND lineup = ?",
                    failed,
                )
        return len(failed)

    def __len__(self) -> int:
        return int(self._one("SELECT count(*) FROM session"))

    @property
    def seconds(self) -> float | None:
        """The mean time that a session took, None when none was played."""
        mean: float | None = self._one("SELECT avg(seconds) FROM timing")
        return mean

    @property
    def parties(self) -> tuple[str, ...]:
        """The specs of all parties, in the order in which they were first named."""
        return tuple(spec for (spec,) in self._db.execute("SELECT spec FROM party ORDER BY id"))

    def lineups(self) -> dict[int, Lineup]:
        """Number -> the specs of who sits there, in seat order."""
        specs = dict(self._db.execute("SELECT id, spec FROM party").fetchall())
        return {
            number: tuple(specs[party] for party in json.loads(parties))
            for number, parties in self._db.execute("SELECT id, parties FROM lineup ORDER BY id")
        }

    @property
    def seats(self) -> int:
        """The largest number of seats at a table."""
        return int(self._one("SELECT coalesce(max(seats), 0) FROM setting"))

    def select(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows of any query, one after the other."""
        with closing(self._db.execute(query)) as rows:
            yield from rows

    def settings(self) -> dict[int, Setting]:
        """Number -> setting, of everything that was planned."""
        numbers = dict(self._db.execute("SELECT digest, id FROM setting").fetchall())
        return {numbers[setting.digest]: setting for setting in self.plan().settings}

    def sessions(self) -> Iterator[StoredSession]:
        """Every finished session, in the order of the plan; one at a time."""
        lineups = self.lineups()
        settings = {
            number: (protocol, domain, tuple(json.loads(roles)), deadline)
            for number, protocol, domain, roles, deadline in self._db.execute(
                "SELECT id, protocol, domain, roles, deadline FROM setting"
            )
        }
        seats = self.seats
        columns = [*SESSION_COLUMNS, *seat_columns(seats)]
        faults = _Beside(self._faults())
        models = _Beside(self._models())
        for row in self.select(
            f"SELECT {', '.join(columns)} FROM session ORDER BY repetition, setting, lineup"
        ):
            key = row[:3]
            protocol, domain, roles, deadline = settings[key[1]]
            told: dict[str, Any] = dict(zip(SESSION_COLUMNS[3:], row[3:], strict=False))
            told["is_scored"] = bool(told["is_scored"])
            start, n = len(SESSION_COLUMNS), len(roles)
            yield StoredSession(
                protocol=protocol,
                domain=domain,
                roles=roles,
                deadline=deadline,
                repetition=key[0],
                parties=lineups[key[2]],
                utilities=row[start : start + n],
                discounted=row[start + seats : start + seats + n],
                faults=faults.of(key),
                models=models.of(key),
                key=key,
                **told,
            )

    def _faults(self) -> Iterator[tuple[tuple[int, int, int], PlayedFault]]:
        for row in self.select("SELECT * FROM fault ORDER BY repetition, setting, lineup, number"):
            *fault, is_fatal = row[4:]
            seat, round_number, during, reason = fault
            yield row[:3], PlayedFault(seat, round_number, during, reason, bool(is_fatal))

    def _models(self) -> Iterator[tuple[tuple[int, int, int], SeatCounts]]:
        for row in self.select(
            f"SELECT repetition, setting, lineup, seat, {', '.join(COUNT_COLUMNS)} FROM model "
            "ORDER BY repetition, setting, lineup, seat"
        ):
            yield row[:3], SeatCounts(row[3], ModelCounts(*row[4:]))

    def seconds_of(self, key: tuple[int, int, int]) -> float:
        """How long a session took."""
        return float(
            self._one(
                "SELECT seconds FROM timing WHERE repetition = ? AND setting = ? AND lineup = ?",
                *key,
            )
        )

    def log(self, key: tuple[int, int, int]) -> bytes | None:
        """The compressed log of a session, None where none was kept; see `log_lines`."""
        row = self._db.execute(
            "SELECT data FROM log WHERE repetition = ? AND setting = ? AND lineup = ?", key
        ).fetchone()
        return None if row is None else row[0]

    def outcome(self, key: tuple[int, int, int]) -> Outcome | None:
        """A session with all that was said and done in it, None where no log was kept."""
        log = self.log(key)
        return None if log is None else parse_log(log_lines(log), str(self.path))


class _Beside(Generic[_Part]):
    """Parts of sessions that are read beside them, in the same order."""

    def __init__(self, parts: Iterator[tuple[tuple[int, int, int], _Part]]) -> None:
        self._parts = parts
        self._next = next(parts, None)

    def of(self, key: tuple[int, int, int]) -> tuple[_Part, ...]:
        """Those of a session, which are asked for one session after the other."""
        own = []
        while self._next is not None and self._next[0] == key:
            own.append(self._next[1])
            self._next = next(self._parts, None)
        return tuple(own)


def _versions() -> str:
    return (
        f"genius-py {genius_py.__version__}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, scipy {scipy.__version__}"
    )
