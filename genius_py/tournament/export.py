"""The sessions of a results file for other programs: CSV, Parquet, pandas."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

import attrs

from genius_py import registry
from genius_py.errors import OptionError
from genius_py.formats.files import write_whole
from genius_py.metrics.base import BaseMetric
from genius_py.tournament.store import Results, StoredSession
from genius_py.tournament.tables import SESSION_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["columns", "to_csv", "to_pandas", "to_parquet"]

_ROWS = 50_000
"""Rows that are in memory at a time."""

_PLAIN = ("protocol", "domain", "deadline", "repetition", *SESSION_COLUMNS[3:])


def columns(results: Results, metrics: Sequence[str] = ()) -> list[str]:
    """The columns of the table: one row a session, and for each seat who sat there and got what.

    `agreement`, `faults` and `models` (what asking language models came to) are JSON. Empty is
    what is not known, or a seat that is not there. `metrics` are specs; each is calculated from the
    logs that were kept, and empty where there is none or a party has no number.
    """
    seats = range(1, results.seats + 1)
    of_seats = [
        f"{what}_{seat}" for what in ("party", "role", "utility", "discounted") for seat in seats
    ]
    measured = [f"{metric}_{seat}" for metric in metrics for seat in seats]
    return [*_PLAIN[:4], *of_seats, *_PLAIN[4:], "faults", "models", *measured]


def to_csv(results: Results, path: str | Path, *, metrics: Sequence[str] = ()) -> None:
    """Write all sessions as CSV, in the order of the plan; numbers keep all their digits.

    The same tournament gives the same bytes, however often it was interrupted.

    Raises:
        UnknownName, OptionError: there is no such metric, it fails, or no session has a log.
    """
    write_whole(Path(path), lambda file: _write_csv(results, file, metrics))


def to_pandas(results: Results, *, metrics: Sequence[str] = ()) -> pd.DataFrame:
    """All sessions as a data frame, one row each, with numeric columns for all numbers.

    Raises:
        UnknownName, OptionError: as for `to_csv`.
    """
    import pandas as pd

    return pd.DataFrame(_rows(results, metrics), columns=columns(results, metrics))


def to_parquet(results: Results, path: str | Path, *, metrics: Sequence[str] = ()) -> None:
    """Write all sessions as Parquet, some at a time.

    Raises:
        UnknownName, OptionError: as for `to_csv`; or pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise OptionError("Parquet needs pyarrow; pip install 'genius-py[tournament]'.") from error
    kinds = {"is_scored": pa.bool_()} | dict.fromkeys(
        ("repetition", "agreeing_parties", "rounds", "turns"), pa.int64()
    )
    names = columns(results, metrics)
    measured = names[len(columns(results)) :]
    kinds |= dict.fromkeys(measured, pa.float64())
    schema = pa.schema(
        [
            (name, kinds.get(name, pa.float64() if _is_number(name) else pa.string()))
            for name in names
        ]
    )
    rows = _rows(results, metrics)
    with pq.ParquetWriter(path, schema) as writer:
        while some := list(islice(rows, _ROWS)):
            arrays = [
                pa.array(column, kind.type)
                for column, kind in zip(zip(*some, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.table(arrays, schema=schema))


def _is_number(column: str) -> bool:
    return column in ("time", "social_welfare", "fairness") or column.startswith(
        ("utility_", "discounted_", "distance_")
    )


def _write_csv(results: Results, file: IO[str], metrics: Sequence[str]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns(results, metrics))
    writer.writerows(_rows(results, metrics))


def _rows(results: Results, metrics: Sequence[str]) -> Iterator[tuple[object, ...]]:
    seats = results.seats
    calculated = {spec: registry.make("metric", spec) for spec in metrics}
    if metrics and not any(results.select("SELECT 1 FROM log LIMIT 1")):
        raise OptionError(
            f"{str(results.path)!r} holds no logs, from which metrics are calculated; "
            "play the tournament with --logs into a new file."
        )
    for session in results.sessions():
        plain = [getattr(session, name) for name in _PLAIN]
        of_seats = (
            value
            for values in (session.parties, session.roles, session.utilities, session.discounted)
            for value in (*values, *[None] * (seats - len(values)))
        )
        measured = _measured(results, session, calculated) if metrics else ()
        yield (*plain[:4], *of_seats, *plain[4:], _faults(session), _models(session), *measured)


def _measured(
    results: Results, session: StoredSession, metrics: Mapping[str, BaseMetric]
) -> Iterator[float | None]:
    """Each metric's number for each seat."""
    outcome = results.outcome(session.key)
    for spec, metric in metrics.items():
        values: list[float | None] = [None] * results.seats
        if outcome is not None:
            try:
                found = metric.measure(outcome)
            except Exception as error:  # somebody's own code
                raise OptionError(
                    f"Metric {spec!r} fails at {' and '.join(session.parties)} on "
                    f"{session.domain}: {type(error).__name__}: {error}."
                ) from error
            # In seat order, without a mediator.
            for seat, party in enumerate(outcome.utilities):
                value = found.get(party)
                values[seat] = None if value is None or math.isnan(value) else float(value)
        yield from values


def _faults(session: StoredSession) -> str | None:
    if not session.faults:
        return None
    return json.dumps([fault._asdict() for fault in session.faults], ensure_ascii=False)


def _models(session: StoredSession) -> str | None:
    if not session.models:
        return None
    return json.dumps([{"seat": seat, **attrs.asdict(n)} for seat, n in session.models])
