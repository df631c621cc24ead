"""Genius's enumeration of tournaments and its log, compared with what Java printed."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import OptionError
from genius_py.tournament.genius_csv import (
    DELIMITER,
    FIRST_LINE,
    GeniusSession,
    analysis_of,
    columns,
    row,
)
from genius_py.tournament.genius_order import genius_order, genius_size
from genius_py.utility import UtilitySpace
from tests.golden.sessions import _domain, _profile, recorded

Record = dict[str, Any]

NOT_OURS = {"Run time (s)", "Exception", "Perceived. Util.", "Agent", "Profile"}
"""Columns that depend on a clock, on Java's words, or on names that the record gives."""


def configurations(golden: Path) -> list[Record]:
    text = (golden / "tournament_enumeration.json").read_text(encoding="utf-8")
    listed: list[Record] = json.loads(text)
    return listed


def as_recorded(configuration: Record, session: Any) -> Any:
    seated = [list(seat) for seat in session]
    if configuration["mediator"]:
        return {"mediator": ["MED", configuration["profiles"][0]], "parties": seated}
    return seated


def test_golden_tournament_enumeration(golden: Path) -> None:
    for configuration in configurations(golden):
        lists = [configuration[key] for key in ("parties", "profiles")]
        sessions = genius_order(
            *lists,
            seats=configuration["parties_per_session"],
            repetition=configuration["repetition"],
            repeats=configuration["repeats"],
            parties_b=configuration["partiesB"],
            profiles_b=configuration["profilesB"],
        )
        if "error" in configuration:
            with pytest.raises(OptionError):
                list(sessions)
            continue
        told = [as_recorded(configuration, session) for session in sessions]
        assert told == configuration["sessions"]
        size = genius_size(
            *map(len, lists),
            seats=configuration["parties_per_session"],
            repetition=configuration["repetition"],
            repeats=configuration["repeats"],
            parties_b=len(configuration["partiesB"]),
            profiles_b=len(configuration["profilesB"]),
        )
        assert size == configuration["size"]


def test_golden_tournament_columns_of_the_log(golden: Path) -> None:
    told = json.loads((golden / "csv_header.json").read_text(encoding="utf-8"))
    assert (told["delimiter"], told["first_line"]) == (DELIMITER, FIRST_LINE)
    for header in told["headers"]:
        assert columns(header["num_agents"]) == header["columns"]


@lru_cache(maxsize=64)
def profiles_of(inputs: Path, domain: str, files: tuple[str, ...]) -> tuple[UtilitySpace, ...]:
    return tuple(_profile(inputs / domain, inputs / file) for file in files)


def row_of(golden: Path, record: Record) -> dict[str, Any]:
    spec, result = record["spec"], record["result"]
    has_failed = result["status"] == "failed"
    # A failed session's row has the mediator left out.
    seated = [p for p in spec["parties"] if not (has_failed and p["id"] == "M")]
    inputs = golden / "inputs"
    profiles = profiles_of(inputs, spec["domain"], tuple(p["profile"] for p in seated))
    index = result.get("agreement_index")
    domain = _domain(inputs / spec["domain"]).domain
    unit = "rounds" if spec["deadline"]["type"] == "ROUND" else "s"
    return row(
        GeniusSession(
            agents=[party["id"] for party in seated],
            profiles=profiles,
            profile_names=[party["profile"] for party in seated],
            deadline=f"{spec['deadline']['value']}{unit}",
            rounds=result["rounds"],
            time=result["t_end"] or 0.0,
            agreement=None if has_failed or index is None else domain.bid_at(index),
            agreeing_parties=result.get("agreeing_all") or 0,
            failure="failed" if has_failed else None,
            seconds=0.0,
            analysis=lambda time: analysis_of(profiles, time),
        )
    )


def require_same_row(golden: Path, record: Record) -> None:
    logged = record["result"].get("log_values")
    if logged is None:
        return
    told = row_of(golden, record)
    for column, value in logged.items():
        if column in NOT_OURS:
            continue
        if isinstance(value, list):
            assert told[column] == list(map(repr, value)), column
        else:
            assert told[column] == str(value), column


@recorded("saop")
def test_golden_tournament_row_of_saop(golden: Path, record: Record) -> None:
    require_same_row(golden, record)


@recorded("saop_strategies")
def test_golden_tournament_row_of_strategies(golden: Path, record: Record) -> None:
    require_same_row(golden, record)


@recorded("saop_boa")
def test_golden_tournament_row_of_boa(golden: Path, record: Record) -> None:
    require_same_row(golden, record)


@recorded("amop")
def test_golden_tournament_row_of_amop(golden: Path, record: Record) -> None:
    require_same_row(golden, record)


@recorded("amcp")
def test_golden_tournament_row_of_amcp(golden: Path, record: Record) -> None:
    require_same_row(golden, record)


@recorded("simplemediator")
def test_golden_tournament_row_of_simplemediator(golden: Path, record: Record) -> None:
    require_same_row(golden, record)


@recorded("feedbackmediator")
def test_golden_tournament_row_of_feedbackmediator(golden: Path, record: Record) -> None:
    require_same_row(golden, record)
