"""The figures of a report: sums over sessions, read once, for each domain and for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from operator import add
from typing import TypeVar

import attrs
import numpy as np

from genius_py.model_counts import ModelCounts
from genius_py.tournament.ranking import Standing, best_first
from genius_py.tournament.store import StoredSession

__all__ = ["ALL", "Meeting", "Overview", "overview"]

ALL = ""
"""Stands for all domains together, where one is named."""

MOST_LISTED = 5_000
"""Sessions that are kept one by one; of more, a sample is."""

MOST_FAULTY = 500
"""Sessions with faults that are kept one by one before any other."""


@attrs.define
class Meeting:
    """Sums over the scored sessions of one party against another (or with itself).

    `utility` is the first one's. Where more than two sit at a table, each of the others is met.
    """

    sessions: int = 0
    utility: float = 0.0
    agreements: int = 0
    welfare: float = 0.0
    rounds: int = 0


@attrs.define
class _Sums:
    """Sums over the sessions of one party; where no number is known, nothing is added."""

    sessions: int = 0
    utility: float = 0.0
    discounted: float = 0.0
    agreements: int = 0
    agreed_utility: float = 0.0
    to_pareto: float = 0.0
    pareto_known: int = 0
    to_nash: float = 0.0
    nash_known: int = 0
    welfare: float = 0.0
    fairness: float = 0.0
    rounds: int = 0
    faults: int = 0
    unscored: int = 0
    unaided: int = 0
    unaided_utility: float = 0.0
    models: ModelCounts = attrs.field(factory=ModelCounts)

    def add(self, session: StoredSession, seat: int) -> None:
        for asking, counts in session.models:
            if asking == seat + 1:
                self.models += counts
        if not session.is_scored:
            self.unscored += 1
            return
        self.sessions += 1
        self.utility += session.utilities[seat]
        self.discounted += session.discounted[seat]
        if session.agreement is not None:
            self.agreements += 1
            self.agreed_utility += session.utilities[seat]
        if session.distance_to_pareto is not None:
            self.to_pareto += session.distance_to_pareto
            self.pareto_known += 1
        if session.distance_to_nash is not None:
            self.to_nash += session.distance_to_nash
            self.nash_known += 1
        self.welfare += session.social_welfare
        self.fairness += session.fairness
        self.rounds += session.rounds
        if not any(counts.fallbacks for _, counts in session.models):
            self.unaided += 1
            self.unaided_utility += session.utilities[seat]

    def standing(self, party: str) -> Standing:
        return Standing(
            party=party,
            sessions=self.sessions,
            utility=_mean(self.utility, self.sessions),
            low=None,
            high=None,
            discounted_utility=_mean(self.discounted, self.sessions),
            agreements=self.agreements,
            agreement_rate=_mean(self.agreements, self.sessions),
            agreed_utility=_mean(self.agreed_utility, self.agreements),
            distance_to_pareto=_mean(self.to_pareto, self.pareto_known),
            distance_to_nash=_mean(self.to_nash, self.nash_known),
            social_welfare=_mean(self.welfare, self.sessions),
            fairness=_mean(self.fairness, self.sessions),
            rounds=_mean(self.rounds, self.sessions),
            faults=self.faults,
            unscored=self.unscored,
            elo=float("nan"),
            rank_low=None,
            rank_high=None,
            first=None,
            models=self.models if self.models != ModelCounts() else None,
            unaided=self.unaided,
            unaided_utility=_mean(self.unaided_utility, self.unaided),
        )


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None


@attrs.frozen(eq=False)
class Overview:
    """What a report says of its sessions as a whole.

    `standings` and `meetings` are by domain, and `ALL` has those of all domains; standings are
    best mean utility first and ties by name, and have no intervals. `listed` are the sessions
    that are shown one by one, in their order: all, or those with faults first and of the others a
    sample in which each is as likely as another. It is the same each time.
    """

    sessions: int
    agreements: int
    unscored: int
    faults: int
    standings: Mapping[str, tuple[Standing, ...]]
    meetings: Mapping[str, Mapping[tuple[str, str], Meeting]]
    listed: tuple[StoredSession, ...]

    @property
    def domains(self) -> tuple[str, ...]:
        """The names of all domains, in the order in which they come up."""
        return tuple(name for name in self.standings if name != ALL)

    @property
    def parties(self) -> tuple[str, ...]:
        """The specs of all parties, best first."""
        return tuple(standing.party for standing in self.standings[ALL])


def overview(sessions: Iterable[StoredSession], *, most_listed: int = MOST_LISTED) -> Overview:
    """Read the sessions once; what it takes does not grow with their number."""
    sums: dict[str, dict[str, _Sums]] = {}
    meetings: dict[str, dict[tuple[str, str], Meeting]] = {}
    faulty: list[StoredSession] = []
    sample: list[StoredSession] = []
    rng = np.random.default_rng(0)
    count = agreements = unscored = faults = others = 0
    for session in sessions:
        count += 1
        agreements += session.agreement is not None
        unscored += not session.is_scored
        faults += len(session.faults)
        if session.domain not in sums:
            sums[session.domain], meetings[session.domain] = {}, {}
        own = sums[session.domain]
        for seat, party in enumerate(session.parties):
            if party not in own:
                own[party] = _Sums()
            own[party].add(session, seat)
        for fault in session.faults:
            if fault.seat:
                own[session.parties[fault.seat - 1]].faults += 1
        if session.is_scored:
            _meet(meetings[session.domain], session)
        if session.faults and len(faulty) < min(MOST_FAULTY, most_listed):
            faulty.append(session)
            continue
        # Vitter (1985), "Random sampling with a reservoir", algorithm R.
        others += 1
        if len(sample) < most_listed:
            sample.append(session)
        elif (place := int(rng.integers(others))) < most_listed:
            sample[place] = session
    # Shuffled before it is cut, for the first places of a reservoir hold what came first.
    kept = [sample[place] for place in rng.permutation(len(sample))[: most_listed - len(faulty)]]
    return Overview(
        sessions=count,
        agreements=agreements,
        unscored=unscored,
        faults=faults,
        standings={
            where: best_first(own.standing(party) for party, own in of.items())
            for where, of in {ALL: _total(sums.values(), _Sums), **sums}.items()
        },
        meetings={ALL: _total(meetings.values(), Meeting), **meetings},
        listed=tuple(sorted([*faulty, *kept], key=lambda session: session.key)),
    )


def _meet(meetings: dict[tuple[str, str], Meeting], session: StoredSession) -> None:
    for seat, other in permutations(range(len(session.parties)), 2):
        pair = session.parties[seat], session.parties[other]
        meeting = meetings.get(pair)
        if meeting is None:
            meeting = meetings[pair] = Meeting()
        meeting.sessions += 1
        meeting.utility += session.utilities[seat]
        meeting.agreements += session.agreement is not None
        meeting.welfare += session.social_welfare
        meeting.rounds += session.rounds


_Key = TypeVar("_Key")
_Summed = TypeVar("_Summed", _Sums, Meeting)


def _total(
    parts: Iterable[Mapping[_Key, _Summed]], nothing: Callable[[], _Summed]
) -> dict[_Key, _Summed]:
    """The sums of several domains together."""
    total: dict[_Key, _Summed] = {}
    for part in parts:
        for key, sums in part.items():
            before = total.setdefault(key, nothing())
            both = attrs.astuple(before, recurse=False), attrs.astuple(sums, recurse=False)
            total[key] = type(sums)(*map(add, *both))
    return total
