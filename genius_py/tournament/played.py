"""What is kept of a session: plain values, which travel between processes and into files."""

from __future__ import annotations

import json
import zlib
from typing import NamedTuple

from genius_py.log import Reason
from genius_py.model_counts import ModelCounts, model_counts
from genius_py.outcome import Outcome
from genius_py.trace import dump_log

__all__ = ["Played", "PlayedFault", "SeatCounts", "compressed_log", "log_lines", "played_of"]


class PlayedFault(NamedTuple):
    """A fault of a session; `seat` counts from 1, and 0 is the mediator's."""

    seat: int
    round: int
    during: str
    reason: str
    is_fatal: bool


class SeatCounts(NamedTuple):
    """What asking a language model came to at a seat, which counts from 1."""

    seat: int
    counts: ModelCounts


class Played(NamedTuple):
    """What a results file keeps of a session; utilities stand in seat order, without a mediator.

    `agreement` is a JSON object. Distances are None where utilities depend on free text, where the
    rules of the game and not the profiles decide, and for sessions that failed. A session that
    ended by a fatal fault (a party that cannot be made, a model that cannot be reached) is not
    `is_scored`: it says nothing about how well anybody negotiates. `fairness` is 1 minus the
    difference between the largest and the smallest utility. `log` is compressed. `models` has the
    seats that asked a language model.
    """

    key: tuple[int, int, int]
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
    log: bytes | None
    seconds: float
    models: tuple[SeatCounts, ...] = ()


def played_of(
    outcome: Outcome,
    key: tuple[int, int, int],
    distances: tuple[float | None, float | None],
    *,
    models: bool = True,
    log: bytes | None = None,
    seconds: float = 0.0,
) -> Played:
    """What is kept of an outcome; `distances` are those to the Pareto frontier and to Nash.

    Without `models` nothing is looked for that asking language models came to.
    """
    utilities = tuple(outcome.utilities.values())
    agreement = outcome.agreement
    numbers = {seat.id: number for number, seat in enumerate(outcome.plan.parties, start=1)}
    faults = tuple(
        PlayedFault(numbers.get(f.party, 0), f.round, f.during, _storable(f.reason), f.fatal)
        for f in outcome.faults
    )
    has_failed = outcome.reason is Reason.FAULT
    counts = model_counts(outcome.log) if models else {}
    return Played(
        key=key,
        reason=outcome.reason.value,
        detail=_storable(outcome.detail),
        is_scored=not (has_failed and any(fault.is_fatal for fault in faults)),
        agreement=None
        if agreement is None
        else _storable(json.dumps(dict(agreement), ensure_ascii=False)),
        agreeing_parties=outcome.agreeing_parties,
        rounds=outcome.rounds,
        turns=outcome.turns,
        time=outcome.time,
        utilities=utilities,
        discounted=tuple(outcome.discounted_utilities.values()),
        social_welfare=sum(utilities),
        fairness=1 - (max(utilities) - min(utilities)),
        distance_to_pareto=distances[0],
        distance_to_nash=distances[1],
        faults=faults,
        log=log,
        seconds=seconds,
        models=tuple(
            SeatCounts(numbers[party], asked) for party, asked in counts.items() if party in numbers
        ),
    )


def compressed_log(outcome: Outcome) -> bytes:
    """The log of a session as it is kept."""
    return zlib.compress("\n".join(dump_log(outcome)).encode("utf-8", "surrogatepass"))


def log_lines(log: bytes) -> list[str]:
    """The lines of a session's log that was kept."""
    return zlib.decompress(log).decode("utf-8", "surrogatepass").split("\n")


def _storable(text: str) -> str:
    """The text with halves of surrogate pairs, which no database holds, escaped as in JSON."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
