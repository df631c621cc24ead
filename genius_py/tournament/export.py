"""The sessions of a results file for other programs: CSV, Parquet, pandas."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

import attrs

from genius_py.errors import OptionError
from genius_py.tournament.store import Results, StoredSession

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["columns", "to_csv", "to_pandas", "to_parquet", "whole"]

_ROWS = 50_000
"""Rows that are in memory at a time."""

_PLAIN: tuple[str, ...] = (
    "protocol",
    "domain",
    "deadline",
    "repetition",
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


def columns(results: Results) -> list[str]:
    """The columns of the table: one row a session, and for each seat who sat there and got what.

    `agreement`, `faults` and `models` (what asking language models came to) are JSON. Empty is
    what is not known, or a seat that is not there.
    """
    seats = range(1, results.seats + 1)
    of_seats = [
        f"{what}_{seat}" for what in ("party", "role", "utility", "discounted") for seat in seats
    ]
    return [*_PLAIN[:4], *of_seats, *_PLAIN[4:], "faults", "models"]


def to_csv(results: Results, path: str | Path) -> None:
    """Write all sessions as CSV, in the order of the plan; numbers keep all their digits.

    The same tournament gives the same bytes, however often it was interrupted.
    """
    whole(Path(path), lambda file: _write_csv(results, file))


def to_pandas(results: Results) -> pd.DataFrame:
    """All sessions as a data frame, one row each, with numeric columns for all numbers."""
    import pandas as pd

    return pd.DataFrame(_rows(results), columns=columns(results))


def to_parquet(results: Results, path: str | Path) -> None:
    """Write all sessions as Parquet, some at a time.

    Raises:
        OptionError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise OptionError("Parquet needs pyarrow; pip install 'genius-py[tournament]'.") from error
    kinds = {"is_scored": pa.bool_()} | dict.fromkeys(
        ("repetition", "agreeing_parties", "rounds", "turns"), pa.int64()
    )
    schema = pa.schema(
        [
            (name, kinds.get(name, pa.float64() if _is_number(name) else pa.string()))
            for name in columns(results)
        ]
    )
    rows = _rows(results)
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


def _write_csv(results: Results, file: IO[str]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns(results))
    writer.writerows(_rows(results))


def _rows(results: Results) -> Iterator[tuple[object, ...]]:
    seats = results.seats
    for session in results.sessions():
        plain = [getattr(session, name) for name in _PLAIN]
        of_seats = (
            value
            for values in (session.parties, session.roles, session.utilities, session.discounted)
            for value in (*values, *[None] * (seats - len(values)))
        )
        yield (*plain[:4], *of_seats, *plain[4:], _faults(session), _models(session))


def _faults(session: StoredSession) -> str | None:
    if not session.faults:
        return None
    return json.dumps([fault._asdict() for fault in session.faults], ensure_ascii=False)


def _models(session: StoredSession) -> str | None:
    if not session.models:
        return None
    return json.dumps([{"seat": seat, **attrs.asdict(n)} for seat, n in session.models])


def whole(path: Path, write: Callable[[IO[str]], object]) -> None:
    """Write a file that is there completely or not at all; a device is written to as it is."""
    is_file = path.is_file() or not path.exists()
    part = path.with_name(f"{path.name}.part") if is_file else path
    try:
        with part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            write(file)
        if is_file:
            part.replace(path)
    except BaseException:
        if is_file:
            part.unlink(missing_ok=True)
        raise
