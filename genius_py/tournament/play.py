"""Playing matches, in whatever process: plain values go in, plain values come out."""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import attrs

from genius_py import registry
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.errors import OptionError, SessionFailure, UnknownName
from genius_py.isolation import IsolatedParty
from genius_py.lockstep import answers_alone, lockstep
from genius_py.log import Reason
from genius_py.manager import SessionManager, rarer_collections
from genius_py.model_counts import ModelCounts, model_counts
from genius_py.outcome import Outcome
from genius_py.party_source import PartySource
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.scenario import Scenario
from genius_py.tournament.plan import Match, session_plan
from genius_py.trace import dump_log

__all__ = ["Played", "PlayedFault", "SeatCounts", "answers_together", "log_lines", "play"]

_SCENARIOS_KEPT = 32
"""Scenarios that a process remembers, with all that has been derived from them."""

_POINTS_KEPT = 10_000


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


def play(matches: Sequence[Match], *, logs: bool = False) -> list[Played]:
    """Play each match; those with a mind that answers many turns at once go in lockstep.

    Raises:
        SessionFailure: a protocol of somebody's own let an error out; the text names the place,
            which would be lost on the way to another process.
    """
    try:
        with rarer_collections():
            return _play(matches, logs)
    except (OptionError, UnknownName):
        raise
    except Exception as error:
        if place := registry.plug_in_place(error):
            raise SessionFailure(f"{place} raised {type(error).__name__}: {error}") from error
        raise


def _play(matches: Sequence[Match], logs: bool) -> list[Played]:
    process = os.getpid()
    played: dict[int, Played] = {}
    together: list[tuple[int, SessionManager]] = []
    for place, match in enumerate(matches):
        table = _table(match)
        manager = SessionManager(table.plan_of(match), _makers(match, table))
        if any(map(answers_together, match.lineup)):
            together.append((place, manager))
            continue
        began = time.perf_counter()
        outcome = manager.run()
        _end_unless(process)
        played[place] = table.told(match, outcome, logs, time.perf_counter() - began)
    if together:
        began = time.perf_counter()
        outcomes = lockstep(manager for _, manager in together)
        _end_unless(process)
        each = (time.perf_counter() - began) / len(together)
        for (place, _), outcome in zip(together, outcomes, strict=True):
            match = matches[place]
            played[place] = _table(match).told(match, outcome, logs, each)
    return [played[place] for place in range(len(matches))]


def _end_unless(process: int) -> None:
    """End a process that a party has forked off and that goes on: its session is played twice."""
    if os.getpid() != process:
        os._exit(0)


def log_lines(log: bytes) -> list[str]:
    """The lines of a session's log that was kept."""
    return zlib.decompress(log).decode("utf-8", "surrogatepass").split("\n")


@attrs.frozen(eq=False)
class _Table:
    """A setting with its scenario: what its matches share, found out once a process."""

    plan: SessionPlan
    space: OutcomeSpace | None
    _distances: dict[tuple[float, ...], tuple[float | None, float | None]] = attrs.field(
        factory=dict, init=False
    )

    def plan_of(self, match: Match) -> SessionPlan:
        """The plan of a match; only its parties and its seed are its own."""
        specs = iter(match.lineup)
        return attrs.evolve(
            self.plan,
            seed=match.seed,
            seats=[
                seat if seat.is_mediator else SeatPlan(seat.id, seat.role, next(specs))
                for seat in self.plan.seats
            ],
        )

    def told(self, match: Match, outcome: Outcome, logs: bool, seconds: float) -> Played:
        """The outcome of a match as it is kept."""
        utilities = tuple(outcome.utilities.values())
        agreement = outcome.agreement
        to_pareto, to_nash = self._distances_of(outcome, utilities)
        numbers = {seat.id: number for number, seat in enumerate(self.plan.parties, start=1)}
        faults = tuple(
            PlayedFault(numbers.get(f.party, 0), f.round, f.during, _storable(f.reason), f.fatal)
            for f in outcome.faults
        )
        has_failed = outcome.reason is Reason.FAULT
        return Played(
            key=match.key,
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
            distance_to_pareto=to_pareto,
            distance_to_nash=to_nash,
            faults=faults,
            log=_compressed(outcome) if logs else None,
            seconds=seconds,
            models=tuple(
                SeatCounts(numbers[party], counts)
                for party, counts in model_counts(outcome.log).items()
                if party in numbers
            )
            if any(map(answers_together, match.lineup))
            else (),
        )

    def _distances_of(
        self, outcome: Outcome, utilities: tuple[float, ...]
    ) -> tuple[float | None, float | None]:
        if (
            self.space is None
            or outcome.reason is Reason.FAULT
            or outcome.ending.payoffs is not None
        ):
            return None, None
        known = self._distances
        if utilities not in known:
            if len(known) >= _POINTS_KEPT:
                known.clear()
            analysis = self.space.analyze(outcome.utilities)
            known[utilities] = (
                (None, None)
                if analysis is None
                else (analysis.distance_to_pareto, analysis.distance_to_nash)
            )
        return known[utilities]


_tables: dict[tuple[str, int], _Table] = {}


def _table(match: Match) -> _Table:
    """The table of a match; the last few are remembered, and the one used longest ago goes."""
    setting = match.setting
    key = setting.digest, match.repetition if setting.scenario is None else 0
    table = _tables.pop(key, None)
    if table is None:
        scenario = _scenario(match)
        plan = session_plan(setting, scenario, match.lineup)
        table = _Table(plan, OutcomeSpace.of({s.id: plan.profile(s) for s in plan.parties}))
        if len(_tables) >= _SCENARIOS_KEPT:
            del _tables[next(iter(_tables))]
    _tables[key] = table
    return table


def _scenario(match: Match) -> Scenario:
    """The match's scenario: one object for all tables that have the same."""
    setting = match.setting
    scenario = setting.scenario_at(match.repetition)
    for table in _tables.values():
        if table.plan.scenario == scenario:
            return table.plan.scenario
    return scenario


def _makers(match: Match, table: _Table) -> Mapping[str, PartySource]:
    limit = match.setting.party_timeout
    specs = iter(match.lineup)
    makers: dict[str, PartySource] = {}
    for seat in table.plan.seats:
        spec = seat.party if seat.is_mediator else next(specs)
        makers[seat.id] = _maker(spec) if limit is None else partial(IsolatedParty, spec, limit)
    return makers


@lru_cache(maxsize=1024)
def _maker(spec: str) -> PartySource:
    """What makes a party: found once, for looking its class up takes longer than making it."""
    read = registry.Spec.parse(spec)
    if not all(isinstance(v, (str, int, float, bool, type(None))) for v in read.options.values()):
        return spec  # read anew each time: what can be changed is not shared
    cls: Any = registry.find("party", read.target)
    return partial(cls, **read.options)


@lru_cache(maxsize=1024)
def answers_together(spec: str) -> bool:
    """Whether a party of this spec answers the turns of many sessions at once."""
    return not answers_alone(registry.class_of("party", spec))


def _storable(text: str) -> str:
    """The text with halves of surrogate pairs, which no database holds, escaped as in JSON."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _compressed(outcome: Outcome) -> bytes:
    return zlib.compress("\n".join(dump_log(outcome)).encode("utf-8", "surrogatepass"))
