"""Sessions, their logs and frontiers as tables: pandas frames, CSV and Parquet.

Numbers stay numbers, what is not known is missing, and bids, details and lists are JSON texts.
pandas, an extra, is imported when a table is made, and pyarrow when Parquet is written.
"""

from __future__ import annotations

import enum
import importlib.util
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from genius_py.analysis.of_outcome import OutcomeAnalysis, OutcomeSpace, analyze_outcome
from genius_py.bid import Bid
from genius_py.errors import OptionError, ProfileError
from genius_py.log import Event
from genius_py.outcome import Outcome
from genius_py.utility import UtilitySpace

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["frontier_frame", "log_frame", "outcome_frame", "require_table", "write_frame"]

_SUFFIXES = (".csv", ".parquet")
_LARGEST = 1 << 63
_KINDS: Mapping[str, str] = {
    "bool": "boolean",
    "bool | None": "boolean",
    "float": "float64",
    "float | None": "float64",
    "int": "Int64",
}
"""The columns' types, by the annotations of what is in them; all else is text."""


def outcome_frame(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """One row a session: how it ended, who got what, and how good that is.

    The columns `party_<id>`, `utility_<id>`, `discounted_<id>`, `reservation_<id>` and
    `surplus_share_<id>` are those of each seat; of a seat that a session does not have they are
    missing. The others have the names of `Outcome`, of its plan and of `OutcomeAnalysis`. A seed
    of more than 63 bits, which no integer column holds, is missing too.

    Raises:
        OptionError: pandas is not installed.
        LogError: a session has not ended.
    """
    rows = [_session(outcome) for outcome in outcomes]
    kinds = {
        "seed": "Int64",
        "rounds": "Int64",
        "turns": "Int64",
        "agreeing_parties": "Int64",
        "faults": "Int64",
        "time": "float64",
    }
    kinds |= {field.name: _KINDS.get(str(field.type), "string") for field in _judged()}
    for row in rows:
        for name in row:
            if name.startswith(("utility_", "discounted_", "reservation_", "surplus_share_")):
                kinds[name] = "float64"
    return _frame(rows, kinds)


def log_frame(outcome: Outcome) -> pd.DataFrame:
    """One row an event, in order: what was done or went wrong, and what a bid in it is worth.

    `action` is the class of an action, `bid` and `message` are what it carries, and `more` is a
    JSON object of all else. `utility_<id>` is what each party's own profile says of the bid,
    missing where there is none. `audience` lists who may know of the event besides `party`;
    `detail` is what an event that is no action holds.

    Raises:
        OptionError: pandas is not installed.
    """
    plan = outcome.plan
    profiles = {seat.id: plan.profile(seat) for seat in plan.parties}
    kinds = {"round": "Int64", "turn": "Int64", "time": "float64"}
    kinds |= {f"utility_{party}": "float64" for party in profiles}
    columns = ["kind", *list(kinds)[:3], "party", "action", "bid", "message", "more"]
    columns += [*list(kinds)[3:], "audience", "detail"]
    return _frame([_event(event, profiles) for event in outcome.log], kinds, columns)


def frontier_frame(space: OutcomeSpace) -> pd.DataFrame:
    """One row a point of the Pareto frontier: its bid, everybody's utility, and what it solves.

    A column for each bargaining solution tells which point it is.

    Raises:
        OptionError: pandas is not installed.
    """
    solutions = space.analysis.solutions
    rows = [
        {
            "bid": _json(space.bid_at(row)),
            **{
                f"utility_{party}": worth for party, worth in zip(space.parties, point, strict=True)
            },
            **{name: solved == row for name, solved in solutions.items()},
        }
        for row, point in enumerate(space.frontier.tolist())
    ]
    kinds = {f"utility_{party}": "float64" for party in space.parties}
    return _frame(rows, kinds | dict.fromkeys(solutions, "boolean"))


def write_frame(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table as CSV or Parquet, as the file's name says; numbers keep all their digits.

    Raises:
        OptionError: the name ends otherwise, or pyarrow, which writes Parquet, is not installed.
    """
    require_table(path)
    if Path(path).suffix.lower() == ".csv":
        frame.to_csv(path, index=False, lineterminator="\n", encoding="utf-8")
    else:
        frame.to_parquet(path, index=False)


def require_table(path: str | Path) -> None:
    """Raise `OptionError` unless a table can be written to a file of this name."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise OptionError(f"Cannot write {str(path)!r}; end its name in {' or '.join(_SUFFIXES)}.")
    _require("pandas", "A table")
    if suffix == ".parquet":
        _require("pyarrow", "Parquet")


def _require(package: str, what: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise OptionError(
            f"{what} needs {package}; install it: pip install 'genius-py[tournament]'."
        )


def _session(outcome: Outcome) -> dict[str, object]:
    plan = outcome.plan
    told: dict[str, object] = {
        "protocol": plan.protocol,
        "domain": plan.scenario.name,
        "seed": plan.seed if plan.seed < _LARGEST else None,
        "deadline": str(plan.deadline),
        "reason": outcome.reason.value,
        "detail": outcome.detail,
        "agreement": None if outcome.agreement is None else _json(outcome.agreement),
        "agreeing_parties": outcome.agreeing_parties,
        "rounds": outcome.rounds,
        "turns": outcome.turns,
        "time": outcome.time,
        "faults": len(outcome.faults),
        **{f"party_{seat.id}": seat.party for seat in plan.seats},
    }
    for what, numbers in (
        ("utility", outcome.utilities),
        ("discounted", outcome.discounted_utilities),
        ("reservation", outcome.reservation_values),
    ):
        told |= {f"{what}_{party}": number for party, number in numbers.items()}
    analysis = analyze_outcome(outcome)
    for field in _judged():
        found = None if analysis is None else getattr(analysis, field.name)
        told[field.name] = _json(found) if isinstance(found, Bid) else found
    shares = (None if analysis is None else analysis.surplus_shares) or {}
    return told | {f"surplus_share_{party}": share for party, share in shares.items()}


def _judged() -> list[attrs.Attribute[Any]]:
    """What is said of an outcome but for what is said of each party."""
    return [field for field in attrs.fields(OutcomeAnalysis) if "Mapping" not in str(field.type)]


def _event(event: Event, profiles: Mapping[str, UtilitySpace]) -> dict[str, object]:
    carried = {} if event.action is None else attrs.asdict(event.action, recurse=False)
    bid = carried.pop("bid", None)
    message = carried.pop("message", "")
    carried.pop("party", None)
    return {
        "kind": event.kind,
        "round": event.round,
        "turn": event.turn,
        "time": event.time,
        "party": event.party,
        "action": None if event.action is None else type(event.action).__name__,
        "bid": None if bid is None else _json(bid),
        "message": message or None,
        "more": _json(carried) if carried else None,
        **{f"utility_{party}": _worth(space, bid) for party, space in profiles.items()},
        "audience": _json(event.audience),
        "detail": None if event.detail is None else _json(event.detail),
    }


def _worth(space: UtilitySpace, bid: object) -> float | None:
    try:
        return space.utility(bid) if isinstance(bid, Bid) else None
    except ProfileError:
        return None


def _frame(
    rows: list[dict[str, object]], kinds: Mapping[str, str], columns: Iterable[str] = ()
) -> pd.DataFrame:
    """The rows as a frame; columns of no named kind are text."""
    _require("pandas", "A table")
    import pandas as pd

    names = dict.fromkeys([*columns, *(name for row in rows for name in row)])
    frame = {}
    for name in names:
        kind = kinds.get(name, "string")
        values = [row.get(name) for row in rows]
        if kind == "string":
            values = [_utf8(text) for text in values]
        frame[name] = pd.Series(values, dtype=kind)
    return pd.DataFrame(frame)


def _utf8(text: object) -> object:
    """Half a surrogate pair, which UTF-8 cannot hold, becomes the escape that means it."""
    return text.encode(errors="backslashreplace").decode() if isinstance(text, str) else text


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    """What JSON has no word for, as something for which it has."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, enum.Enum):
        return value.value
    if attrs.has(type(value)):
        return attrs.asdict(value, recurse=False)  # type: ignore[arg-type]
    return str(value)
