"""Where the sessions of a report come from: a results file, or outcomes that are at hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import genius_py
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.errors import LogError, OptionError
from genius_py.log import Reason
from genius_py.outcome import Outcome
from genius_py.scenario import Scenario
from genius_py.tournament.played import played_of
from genius_py.tournament.ranking import Ranking, rank
from genius_py.tournament.store import Results, StoredSession
from genius_py.trace import read_log

__all__ = ["Reported", "SessionSource", "opened"]

Reported: TypeAlias = Results | Outcome | str | Path | Iterable[Outcome | str | Path]
"""What can be reported on: a results file, or outcomes and session logs, one or several."""


class SessionSource(Protocol):
    """Finished sessions, with as much as is known of each."""

    @property
    def about(self) -> Mapping[str, object]:
        """What they were played with, by its name."""
        ...

    def sessions(self) -> Iterator[StoredSession]:
        """Every session, one at a time, each time in the same order."""
        ...

    def outcome(self, session: StoredSession) -> Outcome | None:
        """The session with its log, None where no log was kept."""
        ...

    def scenario(self, session: StoredSession) -> Scenario | None:
        """What all sessions of the same domain are about, None where each has its own."""
        ...

    def ranking(self) -> Ranking | None:
        """The leaderboard with its intervals, None where there can be none."""
        ...


@contextmanager
def opened(reported: Reported) -> Iterator[SessionSource]:
    """The sessions of a results file, or of outcomes and session logs.

    Raises:
        LogError: a file is neither, or is broken.
        OptionError: there is no session, or there is more than one results file.
    """
    if isinstance(reported, Results):
        yield _of_results(reported)
        return
    several = [reported] if isinstance(reported, (Outcome, str, Path)) else list(reported)
    files = [one for one in several if isinstance(one, (str, Path)) and _is_database(Path(one))]
    if files and len(several) > 1:
        raise OptionError(f"{str(files[0])!r} is a results file; it is reported on alone.")
    if files:
        with Results(files[0]) as results:
            yield _of_results(results)
        return
    outcomes = [one if isinstance(one, Outcome) else read_log(one) for one in several]
    if not outcomes:
        raise OptionError("There is no session to report on; give at least one.")
    yield _Outcomes(outcomes)


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError as error:
        raise LogError(f"Cannot read {str(path)!r}: {error.strerror}.") from error


def _of_results(results: Results) -> SessionSource:
    if not len(results):
        raise OptionError(f"{str(results.path)!r} holds no finished session yet; play some first.")
    return _Stored(results)


class _Stored:
    """The sessions of a results file."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._scenarios: dict[str, Scenario | None] = {}

    @property
    def about(self) -> Mapping[str, object]:
        # As it was stored, for making it anew would need everybody's party at hand.
        configured = dict(self._results.select("SELECT key, value FROM about")).get("tournament")
        told: dict[str, Any] = {} if configured is None else json.loads(configured)
        return {**told, "played with": "; ".join(self._results.versions)}

    def sessions(self) -> Iterator[StoredSession]:
        return self._results.sessions()

    def outcome(self, session: StoredSession) -> Outcome | None:
        return self._results.outcome(session.key)

    def scenario(self, session: StoredSession) -> Scenario | None:
        domain = session.domain
        if domain not in self._scenarios:
            try:
                self._scenarios[domain] = self._results.scenario(domain)
            except LogError:  # drawn anew for each repetition
                self._scenarios[domain] = None
        return self._scenarios[domain]

    def ranking(self) -> Ranking | None:
        return rank(self._results)


class _Outcomes:
    """Outcomes that are in memory; those of equal scenarios share a domain's name."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self._outcomes = outcomes
        self._names: list[tuple[Scenario, str]] = []
        self._spaces: dict[tuple[str, tuple[str, ...]], OutcomeSpace | None] = {}

    @property
    def about(self) -> Mapping[str, object]:
        seeds = [outcome.plan.seed for outcome in self._outcomes]
        span = str(seeds[0]) if len(set(seeds)) == 1 else f"{min(seeds)} to {max(seeds)}"
        return {"seed": span, "reported with": f"genius-py {genius_py.__version__}"}

    def sessions(self) -> Iterator[StoredSession]:
        played: Counter[object] = Counter()
        for number, outcome in enumerate(self._outcomes):
            yield self._stored(number, outcome, played)

    def outcome(self, session: StoredSession) -> Outcome | None:
        return self._outcomes[session.key[2]]

    def scenario(self, session: StoredSession) -> Scenario | None:
        return self._outcomes[session.key[2]].plan.scenario

    def ranking(self) -> Ranking | None:
        return None

    def _name(self, scenario: Scenario) -> str:
        for known, name in self._names:
            if known is scenario or known == scenario:
                return name
        same = sum(known.name == scenario.name for known, _ in self._names)
        name = f"{scenario.name} ({same + 1})" if same else scenario.name
        self._names.append((scenario, name))
        return name

    def _stored(self, number: int, outcome: Outcome, played: Counter[object]) -> StoredSession:
        plan = outcome.plan
        seats = plan.parties
        domain, roles = self._name(plan.scenario), tuple(seat.role or seat.id for seat in seats)
        parties = tuple(seat.party for seat in seats)
        coordinates = domain, plan.protocol, plan.deadline, roles, parties
        played[coordinates] += 1
        kept = played_of(outcome, (0, 0, number), self._distances(domain, outcome))._asdict()
        del kept["log"], kept["seconds"]
        return StoredSession(
            protocol=plan.protocol,
            domain=domain,
            roles=roles,
            deadline=str(plan.deadline),
            repetition=played[coordinates] - 1,
            parties=parties,
            **kept,
        )

    def _distances(self, domain: str, outcome: Outcome) -> tuple[float | None, float | None]:
        if outcome.reason is Reason.FAULT or outcome.ending.payoffs is not None:
            return None, None
        seats = outcome.plan.parties
        key = domain, tuple(seat.id for seat in seats)
        if key not in self._spaces:
            profiles = {seat.id: outcome.plan.profile(seat) for seat in seats}
            self._spaces[key] = OutcomeSpace.of(profiles)
        space = self._spaces[key]
        found = None if space is None else space.analyze(outcome.utilities)
        return (None, None) if found is None else (found.distance_to_pareto, found.distance_to_nash)
