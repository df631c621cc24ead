"""Sessions in the columns of Java Genius's tournament log.

What was agreed counts discounted at the session's end; no agreement counts the reservation values,
discounted too, in the utilities and (0, ..., 0) in the analysis; a session that failed counts the
undiscounted reservation values. "Round" is one more than the rounds that were played.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache, partial
from pathlib import Path
from typing import IO

import attrs
import numpy as np

from genius_py.analysis.genius import GeniusAnalysis, genius_session_analysis
from genius_py.bid import Bid
from genius_py.errors import OutcomeSpaceTooLarge, ProfileError
from genius_py.formats.files import write_whole
from genius_py.tournament.plan import Setting
from genius_py.tournament.store import Results, StoredSession
from genius_py.utility import UtilitySpace

__all__ = [
    "DELIMITER",
    "FIRST_LINE",
    "GeniusSession",
    "analysis_of",
    "columns",
    "row",
    "to_genius_csv",
]

DELIMITER = ";"
FIRST_LINE = "sep=;"

_SINGLE = (
    "Run time (s)",
    "Round",
    "Exception",
    "deadline",
    "Agreement",
    "Discounted",
    "#agreeing",
    "min.util.",
    "max.util.",
    "Dist. to Pareto",
    "Dist. to Nash",
    "Social Welfare",
)
_OF_AGENTS = (
    "Agent",
    "Utility",
    "Disc. Util.",
    "Perceived. Util.",
    "User Bother",
    "User Util.",
    "Profile",
)


@attrs.frozen(kw_only=True)
class GeniusSession:
    """What Genius's log tells of a session; one profile, agent and name for everybody there.

    A mediator comes first and has the first profile. `failure` is the text of the exception that
    ended the session, empty when none did. `analysis` gives the analysis of the outcome space at a
    time, or None.
    """

    agents: Sequence[str]
    profiles: Sequence[UtilitySpace]
    profile_names: Sequence[str]
    deadline: str
    rounds: int
    time: float
    agreement: Bid | None
    agreeing_parties: int
    failure: str | None
    seconds: float
    analysis: Callable[[float], GeniusAnalysis | None]


def columns(agents: int) -> list[str]:
    """The names of the columns for so many agents."""
    numbers = range(1, agents + 1)
    return [*_SINGLE, *(f"{what} {number}" for what in _OF_AGENTS for number in numbers)]


def row(session: GeniusSession) -> dict[str, str | list[str]]:
    """Column -> text, or for those of agents, without their number, a list; no empty ones."""
    told: dict[str, str | list[str]] = {
        "Run time (s)": f"{session.seconds:.3f}",
        "Round": str(session.rounds + 1),
        "deadline": session.deadline,
        "Agreement": "No" if session.agreement is None else "Yes",
        "Agent": list(session.agents),
        "Profile": list(session.profile_names),
    }
    reservation = [profile.reservation_value for profile in session.profiles]
    if session.failure is not None:
        values = list(map(repr, reservation))
        return told | {
            "Exception": session.failure,
            "#agreeing": "0",
            "Utility": values,
            "Disc. Util.": values,
        }
    agreement, time = session.agreement, session.time
    utilities = (
        reservation
        if agreement is None
        else [profile.utility(agreement) for profile in session.profiles]
    )
    discounted = [
        profile.discounted(utility, time)
        for profile, utility in zip(session.profiles, utilities, strict=True)
    ]
    is_discounted = any(profile.discounted(1.0, 1.0) != 1.0 for profile in session.profiles)
    told |= {
        "Discounted": "Yes" if is_discounted else "No",
        "#agreeing": str(session.agreeing_parties),
        "min.util.": _rounded(min(discounted)),
        "max.util.": _rounded(max(discounted)),
        "Utility": list(map(repr, utilities)),
        "Disc. Util.": list(map(repr, discounted)),
        "Perceived. Util.": [repr(0.0 if agreement is None else each) for each in discounted],
        "User Bother": [repr(0.0)] * len(discounted),
        "User Util.": [repr(max(0.0, each)) for each in discounted],
    }
    analysis = session.analysis(time)
    if analysis is not None:
        point = None if agreement is None else discounted
        told |= {
            "Dist. to Pareto": _rounded(analysis.distance_to_pareto(point)),
            "Dist. to Nash": _rounded(analysis.distance_to_nash(point)),
            "Social Welfare": _rounded(0.0 if point is None else sum(point)),
        }
    return told


def analysis_of(profiles: Sequence[UtilitySpace], time: float) -> GeniusAnalysis | None:
    """Genius's analysis of the first bids, discounted at a time.

    None where there are no bids, or none that everybody's profile says the utility of.
    """
    if not profiles[0].domain.size:
        return None
    try:
        return genius_session_analysis(profiles, time)
    except (OutcomeSpaceTooLarge, ProfileError):
        return None


def to_genius_csv(results: Results, path: str | Path) -> None:
    """Write all sessions as Genius's tournament log; an agent is told as its party's spec.

    Of more than 100,000 bids the first are analysed, as there. Distances are empty where a profile
    says of none what they are worth. Unlike in Genius, the last agent of a mediated session is not
    cut off.
    """
    settings = results.settings()
    agents = max((len(s.roles) + (s.mediator is not None) for s in settings.values()), default=0)

    @lru_cache(maxsize=16)
    def table(setting: int, repetition: int) -> _Table:
        return _Table.of(settings[setting], repetition)

    def lines() -> Iterator[list[str]]:
        for session in results.sessions():
            setting = settings[session.key[1]]
            drawn = session.repetition if setting.scenario is None else 0
            told = row(_told(session, setting, table(session.key[1], drawn), results))
            cells = [str(told.get(head, "")) for head in _SINGLE]
            for head in _OF_AGENTS:
                values = told.get(head, [])
                cells += [*values, *[""] * (agents - len(values))]
            yield cells

    def write(file: IO[str]) -> None:
        file.write(f"{FIRST_LINE}\n")
        writer = csv.writer(file, delimiter=DELIMITER, lineterminator="\n")
        writer.writerow(columns(agents))
        writer.writerows(lines())

    write_whole(Path(path), write)


@attrs.frozen(eq=False)
class _Table:
    """The profiles of everybody at a setting, and the analysis of what they could agree on."""

    names: tuple[str, ...]
    profiles: tuple[UtilitySpace, ...]
    analysis: Callable[[float], GeniusAnalysis | None]

    @classmethod
    def of(cls, setting: Setting, repetition: int) -> _Table:
        scenario = setting.scenario_at(repetition)
        lent = () if setting.mediator is None else (scenario.roles[0],)
        names = (*lent, *setting.roles)
        profiles = tuple(scenario.profile(name) for name in names)
        is_discounted = any(profile.discounted(1.0, 1.0) != 1.0 for profile in profiles)
        at_time = lru_cache(maxsize=128)(partial(analysis_of, profiles))
        return cls(names, profiles, lambda time: at_time(time if is_discounted else 0.0))


def _told(
    session: StoredSession, setting: Setting, table: _Table, results: Results
) -> GeniusSession:
    mediator = () if setting.mediator is None else (setting.mediator,)
    agreement = None
    if session.agreement is not None:
        agreement = table.profiles[0].domain.bid(json.loads(session.agreement))
    reasons = [fault.reason for fault in session.faults if fault.during != "negotiation_ended"]
    return GeniusSession(
        agents=(*mediator, *session.parties),
        profiles=table.profiles,
        profile_names=table.names,
        deadline=session.deadline,
        rounds=session.rounds,
        time=session.time,
        agreement=agreement,
        agreeing_parties=session.agreeing_parties,
        failure=(reasons or [session.detail])[-1] if session.reason == "fault" else None,
        seconds=results.seconds_of(session.key),
        analysis=table.analysis,
    )


def _rounded(number: float) -> str:
    """Five decimals, halves away from zero, as Java's formatter rounds the shortest decimals."""
    if not np.isfinite(number):
        return str(number)
    return str(Decimal(repr(float(number))).quantize(Decimal("1.00000"), ROUND_HALF_UP))
