"""Every session of a tournament before it is played, addressed by what decides its outcome."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import combinations
from math import perm
from pathlib import Path
from typing import TypeAlias

import attrs
import numpy as np

from genius_py import formats, registry
from genius_py.deadline import Deadline
from genius_py.errors import OptionError, UnknownName
from genius_py.fault import FaultPolicy
from genius_py.formats import scenario_to_dict
from genius_py.plan import SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.seating import DEFAULT_ROUNDS, default_deadline, plan_session
from genius_py.tournament.genius_order import (
    MOST_SESSIONS,
    genius_lineups,
    genius_profiles,
    genius_size,
)
from genius_py.tournament.lineups import Lineup, all_against_one, round_robin
from genius_py.tournament.tournament import DomainSource, Tournament

__all__ = ["Match", "Plan", "Setting", "plan_tournament", "source_digest"]

Load: TypeAlias = Callable[[DomainSource], Scenario]


@attrs.frozen(slots=False)
class Setting:
    """All that the matches of a table have in common, but for who sits there.

    `domain` is the label under which it was named. `scenario` is None where each repetition draws
    one of its own, from a stream that depends on the experiment's seed, the domain and the
    repetition alone: no party can change it.
    """

    seed: int
    protocol: str
    domain: str
    scenario: Scenario | None
    roles: tuple[str, ...]
    deadline: Deadline
    mediator: str | None = None
    faithful: bool = False
    retries: int = 0
    on_fault: FaultPolicy = "fail"
    party_timeout: float | None = None

    @cached_property
    def digest(self) -> str:
        """The hash of everything that can change an outcome, as hexadecimal digits."""
        content: dict[str, object] = attrs.asdict(
            self, recurse=False, filter=lambda field, value: value != field.default
        )
        content["deadline"] = str(self.deadline)
        content["scenario"] = None if self.scenario is None else self.scenario_digest
        if self.scenario is not None:
            del content["domain"]  # the same scenario under another path is the same
        return _digest(content)

    @cached_property
    def scenario_digest(self) -> str:
        """The hash of the scenario's issues and profiles; for a drawn one that of its spec."""
        if self.scenario is None:
            return _digest(self.domain)
        content = scenario_to_dict(self.scenario)
        # What is said of a game, and what it would be played with by default, changes nothing.
        return _digest({key: content[key] for key in ("name", "issues", "profiles")})

    def scenario_spec(self, repetition: int) -> str:
        """The spec of the random scenario of a repetition, where each has its own."""
        spec = self.domain.strip().rstrip(":")
        joint = "," if ":" in spec else ":"
        return f"{spec}{joint}seed={_seed(self.seed, self.domain, repetition) >> 32}"

    def scenario_at(self, repetition: int) -> Scenario:
        """The scenario of a repetition (from 0)."""
        if self.scenario is not None:
            return self.scenario
        return formats.load(self.scenario_spec(repetition))


@attrs.frozen
class Match:
    """One session to play: a lineup at a setting, for the `repetition`-th time, from 0.

    `key` is its place in a results file: repetition, setting and lineup, as numbered there.
    """

    setting: Setting
    repetition: int
    lineup: Lineup
    key: tuple[int, int, int]

    @property
    def seed(self) -> int:
        """The session's seed, below 2**63.

        It follows from the coordinates, never from an order or a process. Who sits where does not
        matter: the same parties with their roles swapped get the same seed.
        """
        return _seed(self.setting.digest, sorted(self.lineup), self.repetition)


@attrs.frozen
class Plan:
    """All matches of a tournament: repetitions x settings x lineups, in this order.

    `lineups` maps a number of seats to all who may sit at a table of that size, so that a plan
    takes no more memory when there are more repetitions, domains or deadlines.
    """

    tournament: Tournament
    settings: tuple[Setting, ...]
    lineups: Mapping[int, tuple[Lineup, ...]]

    def __len__(self) -> int:
        each = sum(len(self.lineups_at(setting)) for setting in self.settings)
        return self.tournament.repetitions * each

    def lineups_at(self, setting: Setting) -> tuple[Lineup, ...]:
        """Who may sit at a setting's table."""
        return self.lineups[len(setting.roles)]

    def __iter__(self) -> Iterator[Match]:
        for repetition in range(self.tournament.repetitions):
            for place, setting in enumerate(self.settings):
                for number, lineup in enumerate(self.lineups_at(setting)):
                    yield Match(setting, repetition, lineup, (repetition, place, number))

    @property
    def parties(self) -> tuple[str, ...]:
        """Every party's spec, in the order in which the tournament names them."""
        given = self.tournament
        return tuple(dict.fromkeys((*given.parties, *given.against, *given.parties_b)))


def plan_tournament(tournament: Tournament, load: Load | None = None) -> Plan:
    """Resolve every name, and find mistakes before anything is played.

    `load` gives the scenario of a source; unless given, it is read.

    Raises:
        UnknownName: a domain, profile or role is not known.
        DomainError: a domain cannot be read.
        OptionError: a setting is impossible, as too many seats for a domain's profiles.
    """
    settings = tuple(
        setting
        for source in tournament.domains
        for setting in _settings(tournament, source, load or _load)
    )
    sizes = sorted({len(setting.roles) for setting in settings})
    plan = Plan(tournament, settings, {seats: _lineups(tournament, seats) for seats in sizes})
    if len(plan) > MOST_SESSIONS:
        raise OptionError(f"{len(plan)} sessions are too many; {MOST_SESSIONS} can be planned.")
    for spec in plan.parties:
        _require_playable(spec)
    for setting in settings:
        session_plan(setting, setting.scenario_at(0), plan.lineups_at(setting)[0])
    return plan


def session_plan(setting: Setting, scenario: Scenario, lineup: Lineup) -> SessionPlan:
    """The plan of a session at a setting, but for its seed."""
    plan, _ = plan_session(
        setting.protocol,
        scenario,
        parties=[f"{spec}@{role}" for spec, role in zip(lineup, setting.roles, strict=True)],
        mediator=setting.mediator,
        deadline=setting.deadline,
        retries=setting.retries,
        on_fault=setting.on_fault,
        faithful=setting.faithful,
    )
    return plan


@lru_cache(maxsize=1024)
def source_digest(spec: str) -> str:
    """The hash of the file that a party's spec names; empty for one that names none.

    With it, what an edited file's party played before is not taken for what it would play now.
    """
    place, _, _ = registry.Spec.parse(spec).target.rpartition(":")
    if not place.endswith(".py"):
        return ""
    return hashlib.sha256(Path(place).read_bytes()).hexdigest()


def _load(source: DomainSource) -> Scenario:
    return formats.load(source.domain, profiles=source.profiles)


def _settings(tournament: Tournament, source: DomainSource, load: Load) -> Iterator[Setting]:
    if source.is_drawn:
        drawn = Setting(tournament.seed, "", str(source), None, (), Deadline(rounds=DEFAULT_ROUNDS))
        scenario = drawn.scenario_at(0)
    else:
        scenario = load(source)
    for protocol in tournament.protocols:
        rules = registry.class_of("protocol", protocol)
        for deadline in tournament.deadlines or (default_deadline(scenario, rules),):
            for roles in _roles(tournament, scenario):
                yield Setting(
                    seed=tournament.seed,
                    protocol=protocol,
                    domain=str(source),
                    scenario=None if source.is_drawn else scenario,
                    roles=roles,
                    deadline=deadline,
                    mediator=_mediator(tournament, rules),
                    faithful=tournament.faithful,
                    retries=tournament.retries,
                    on_fault=tournament.on_fault,
                    party_timeout=tournament.party_timeout,
                )


def _mediator(tournament: Tournament, rules: type[MultilateralProtocol]) -> str | None:
    """Who mediates, by a spec; None in protocols without that seat."""
    if not rules.needs_mediator and len(tournament.protocols) > 1:
        return None  # it is there for the other protocols
    return tournament.mediator or rules.default_mediator


def _roles(tournament: Tournament, scenario: Scenario) -> list[tuple[str, ...]]:
    roles = tournament.profiles or scenario.roles
    for role in (*roles, *tournament.profiles_b):
        scenario.profile(role)
    seats = tournament.seats or len(roles)
    if tournament.enumeration == "genius":
        if _has_two_sides(tournament, seats):
            return [
                (a, b)
                for (b,) in genius_profiles(tournament.profiles_b, 1)
                for (a,) in genius_profiles(roles, 1)
            ]
        return genius_profiles(roles, seats)
    if seats > len(roles):
        raise OptionError(
            f"Domain {scenario.name!r} has {len(roles)} profiles for {seats} seats; "
            f"leave the domain out, or set fewer seats."
        )
    return list(combinations(roles, seats))


def _has_two_sides(tournament: Tournament, seats: int) -> bool:
    return seats == 2 and bool(tournament.parties_b)


def _lineups(tournament: Tournament, seats: int) -> tuple[Lineup, ...]:
    parties = tournament.parties
    if tournament.enumeration == "genius":
        if _has_two_sides(tournament, seats):
            return tuple((a, b) for b in tournament.parties_b for a in parties)
        size = genius_size(len(parties), seats, seats=seats, repetition=tournament.self_play)
        if size > MOST_SESSIONS:
            raise OptionError(f"{size} sessions are more than Genius can count.")
        return tuple(genius_lineups(parties, seats, tournament.self_play))
    if perm(len(parties), seats) > MOST_SESSIONS:
        raise OptionError(f"{len(parties)} parties meet in too many ways at {seats} seats.")
    if tournament.against:
        lineups = all_against_one(
            parties,
            tournament.against,
            seats,
            self_play=tournament.self_play,
            seating=tournament.seating,
        )
    else:
        lineups = round_robin(
            parties, seats, self_play=tournament.self_play, seating=tournament.seating
        )
    return tuple(lineups)


def _require_playable(spec: str) -> None:
    cls = registry.class_of("party", spec)
    if cls.is_interactive:
        raise OptionError(f"{spec} asks a person; a tournament needs parties that play alone.")
    try:
        registry.make("party", spec)
    except (OptionError, UnknownName):
        raise
    except Exception:  # a party that cannot be made is a fault of its sessions
        pass


def _digest(content: object) -> str:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _seed(*coordinates: object) -> int:
    sequence = np.random.SeedSequence(int(_digest(coordinates), 16))
    return int(sequence.generate_state(1, np.uint64)[0]) >> 1
