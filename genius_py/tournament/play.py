"""Playing matches, in whatever process: plain values go in, plain values come out."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import attrs

from genius_py import registry
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.errors import OptionError, SessionFailure, UnknownName
from genius_py.isolation import IsolatedParty
from genius_py.lockstep import answers_alone, lockstep
from genius_py.log import Reason
from genius_py.manager import SessionManager, rarer_collections
from genius_py.outcome import Outcome
from genius_py.party_source import PartySource
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.scenario import Scenario
from genius_py.tournament.plan import Match, session_plan
from genius_py.tournament.played import Played, compressed_log, played_of

__all__ = ["answers_together", "play"]

_SCENARIOS_KEPT = 32
"""Scenarios that a process remembers, with all that has been derived from them."""

_POINTS_KEPT = 10_000


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
        return played_of(
            outcome,
            match.key,
            self._distances_of(outcome),
            models=any(map(answers_together, match.lineup)),
            log=compressed_log(outcome) if logs else None,
            seconds=seconds,
        )

    def _distances_of(self, outcome: Outcome) -> tuple[float | None, float | None]:
        if (
            self.space is None
            or outcome.reason is Reason.FAULT
            or outcome.ending.payoffs is not None
        ):
            return None, None
        known, utilities = self._distances, tuple(outcome.utilities.values())
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
