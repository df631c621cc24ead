"""What the page knows: one JSON object, small enough to be mailed.

Keys; a number after "->" is a place in the list of that name, and rows are lists to save room::

    title, about            text; [[name, text], ...]
    parties, domains, protocols, deadlines, verbs   names
    totals                  sessions, agreements, unscored, faults
    standings               {"": rows, "domain's place": rows}; columns as in `STANDING`
    meetings                the same; [party, other, sessions, utility, agreements, welfare, rounds]
                            with sums
    comparisons             [party, other, difference, low, high, blocks, p, effect]
    equilibria              [[[party, share], ...], payoff]
    intervals               over what intervals are, in words; "" where there are none
    concessions             {"": ..., "domain's place": ...}; [party, [[time, mean, n], ...]]
    spaces                  objects: name, roles, issues, size, points, is_listed, frontier,
                            is_exact, solutions, reservation, bids; points are flat lists, a bid is
                            its values and then what it is worth to each role
    sessions                rows as in `SESSION`
    replays                 objects: seats, -> spaces, steps; steps as in `STEP`
    faults                  [-> sessions, -> parties or -1, seat, round, during, reason, is_fatal]
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

import attrs
import numpy as np

from genius_py.outcome import Outcome
from genius_py.report.concessions import CurvePoint, concession_curves
from genius_py.report.overview import ALL, Meeting, Overview, overview
from genius_py.report.page_replays import STEP, Verbs, replay_data
from genius_py.report.page_spaces import PageSpaces
from genius_py.report.source import SessionSource
from genius_py.tournament.ranking import Ranking, Standing
from genius_py.tournament.store import StoredSession

__all__ = ["MOST_REPLAYS", "SESSION", "STANDING", "page_data"]

STANDING = (
    "party",
    "sessions",
    "utility",
    "low",
    "high",
    "discounted_utility",
    "agreements",
    "agreement_rate",
    "agreed_utility",
    "distance_to_pareto",
    "distance_to_nash",
    "social_welfare",
    "fairness",
    "rounds",
    "elo",
    "rank_low",
    "rank_high",
    "first",
    "faults",
    "unscored",
    "turns",
    "replies",
    "refused",
    "retries",
    "fallbacks",
    "leaks",
    "tokens",
    "unaided",
    "unaided_utility",
)
"""Those from "turns" to "tokens" are about asking a language model, and null for who asks none."""

SESSION = (
    "domain",
    "protocol",
    "deadline",
    "repetition",
    "roles",
    "parties",
    "reason",
    "detail",
    "is_scored",
    "rounds",
    "turns",
    "time",
    "utilities",
    "discounted",
    "social_welfare",
    "distance_to_pareto",
    "distance_to_nash",
    "faults",
    "space",
    "bid",
    "replay",
)

MOST_REPLAYS = 500
"""Sessions that can be stepped through, unless told otherwise."""

_MOST_BYTES = 8_000_000
"""What the steps of all of them may take."""

_T = TypeVar("_T")


def page_data(
    source: SessionSource, title: str = "", *, most_replays: int = MOST_REPLAYS
) -> dict[str, object]:
    """What the page shows of the sessions of a source."""
    seen = overview(source.sessions())
    ranking = source.ranking()
    sessions = _Sessions(source, seen)
    replays = sessions.replays(most_replays)
    standings: dict[str, Sequence[Standing]] = {**seen.standings}
    if ranking is not None:
        standings[ALL] = ranking.standings
    return {
        "title": title or _title(seen),
        "about": [[name, _text(value)] for name, value in source.about.items()],
        "parties": seen.parties,
        "domains": seen.domains,
        "protocols": sessions.protocols,
        "deadlines": sessions.deadlines,
        "verbs": sessions.verbs.names,
        "columns": {"standing": STANDING, "session": SESSION, "step": STEP},
        "totals": {
            "sessions": seen.sessions,
            "agreements": seen.agreements,
            "unscored": seen.unscored,
            "faults": seen.faults,
        },
        "standings": _by_domain(
            seen, {where: [_standing(seen, own) for own in of] for where, of in standings.items()}
        ),
        "meetings": _by_domain(
            seen, {where: _meetings(seen, met) for where, met in seen.meetings.items()}
        ),
        "comparisons": [] if ranking is None else _comparisons(seen, ranking),
        "equilibria": [] if ranking is None else _equilibria(seen, ranking),
        "intervals": "" if ranking is None else ranking.evidence,
        "concessions": _by_domain(
            seen, {where: _curves(seen, curves) for where, curves in sessions.curves().items()}
        ),
        "sessions": sessions.rows,
        "replays": replays,
        "spaces": sessions.spaces.data(),
        "faults": sessions.faults(),
    }


def _title(seen: Overview) -> str:
    domains = seen.domains
    about = domains[0] if len(domains) == 1 else f"{len(domains)} domains"
    if len(seen.parties) <= 2:
        return f"{' and '.join(seen.parties)} on {about}"
    return f"{len(seen.parties)} parties on {about}"


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _by_domain(seen: Overview, named: Mapping[str, _T]) -> dict[str, _T]:
    """The same, by the places of the domains."""
    places = {ALL: ALL, **{domain: str(place) for place, domain in enumerate(seen.domains)}}
    return {places[where]: value for where, value in named.items()}


def _standing(seen: Overview, standing: Standing) -> list[object]:
    told = attrs.asdict(standing, recurse=False)
    asked = standing.models
    if asked is not None:
        tokens = asked.prompt_tokens + asked.new_tokens
        told |= {**attrs.asdict(asked), "refused": asked.refused, "tokens": tokens}
    return [seen.parties.index(standing.party), *(told.get(name) for name in STANDING[1:])]


def _meetings(seen: Overview, meetings: Mapping[tuple[str, str], Meeting]) -> list[list[object]]:
    return [
        [seen.parties.index(one), seen.parties.index(other), *attrs.astuple(meeting)]
        for (one, other), meeting in meetings.items()
    ]


def _comparisons(seen: Overview, ranking: Ranking) -> list[list[object]]:
    return [
        [
            seen.parties.index(pair.one),
            seen.parties.index(pair.other),
            pair.difference,
            pair.low,
            pair.high,
            pair.blocks,
            pair.p_adjusted,
            pair.effect,
        ]
        for pair in ranking.pairs
    ]


def _equilibria(seen: Overview, ranking: Ranking) -> list[list[object]]:
    if ranking.game is None:
        return []
    places = [seen.parties.index(party) for party in ranking.game.parties]
    return [
        [
            [[place, share] for place, share in zip(places, mixed.shares, strict=True) if share],
            mixed.payoff,
        ]
        for mixed in ranking.game.equilibria
    ]


def _curves(seen: Overview, curves: Mapping[str, Sequence[CurvePoint]]) -> list[list[object]]:
    return [[seen.parties.index(party), curve] for party, curve in curves.items()]


class _Sessions:
    """The sessions that are shown one by one, with those names and spaces that they need."""

    def __init__(self, source: SessionSource, seen: Overview) -> None:
        self._source = source
        self._seen = seen
        self.spaces, self.verbs = PageSpaces(), Verbs()
        self.protocols = list(dict.fromkeys(session.protocol for session in seen.listed))
        self.deadlines = list(dict.fromkeys(session.deadline for session in seen.listed))
        self._parties = {party: place for place, party in enumerate(seen.parties)}
        self._outcomes: list[tuple[StoredSession, Outcome]] = []
        self.rows = [self._row(session) for session in seen.listed]

    def _row(self, session: StoredSession) -> list[Any]:
        space, bid = -1, -1
        scenario = self._source.scenario(session)
        if scenario is not None:
            space = self.spaces.place((session.domain, session.roles), scenario, session.roles)
            if session.agreement is not None:
                agreed = scenario.domain.bid(json.loads(session.agreement))
                bid = self.spaces.bid(space, agreed)
                if session.distance_to_pareto is None and session.reason == "agreement":
                    self.spaces.hide_points(space)
        return [
            self._seen.domains.index(session.domain),
            self.protocols.index(session.protocol),
            self.deadlines.index(session.deadline),
            session.repetition,
            session.roles,
            [self._parties[party] for party in session.parties],
            session.reason,
            session.detail,
            int(session.is_scored),
            session.rounds,
            session.turns,
            session.time,
            session.utilities,
            None if session.discounted == session.utilities else session.discounted,
            session.social_welfare,
            session.distance_to_pareto,
            session.distance_to_nash,
            len(session.faults),
            space,
            bid,
            -1,
        ]

    def replays(self, most: int) -> list[object]:
        """The steps of those that have a log, up to a number and a size.

        Those with faults come first, then one repetition after the other, so that everybody is
        seen against everybody as far as there is room. Rows learn where theirs are.
        """
        listed = self._seen.listed
        shuffled = np.random.default_rng(0).permutation(len(listed)).tolist()
        order = sorted(shuffled, key=lambda n: (not listed[n].faults, listed[n].repetition))
        found: list[object] = []
        left = _MOST_BYTES
        for number in order:
            if len(found) >= most or left <= 0:
                break
            session = listed[number]
            outcome = self._source.outcome(session)
            if outcome is None:
                continue
            space = self.rows[number][SESSION.index("space")]
            if space < 0:
                space = self.spaces.place(session.key, outcome.plan.scenario, session.roles)
                self.rows[number][SESSION.index("space")] = space
                if outcome.agreement is not None:
                    agreed = self.spaces.bid(space, outcome.agreement)
                    self.rows[number][SESSION.index("bid")] = agreed
            replay = replay_data(outcome, self.spaces, space, self.verbs)
            left -= len(json.dumps(replay, ensure_ascii=False).encode("utf-8", "replace"))
            self.rows[number][SESSION.index("replay")] = len(found)
            found.append(replay)
            self._outcomes.append((session, outcome))
        return found

    def curves(self) -> dict[str, Mapping[str, Sequence[CurvePoint]]]:
        """The concession curves of what can be replayed, by domain and for all."""
        found: dict[str, Mapping[str, Sequence[CurvePoint]]] = {
            ALL: concession_curves(outcome for _, outcome in self._outcomes)
        }
        for domain in self._seen.domains:
            own = [outcome for session, outcome in self._outcomes if session.domain == domain]
            found[domain] = concession_curves(own)
        return found

    def faults(self) -> list[list[object]]:
        """Every fault of the listed sessions."""
        return list(chain.from_iterable(map(self._faults, range(len(self.rows)))))

    def _faults(self, number: int) -> Iterator[list[object]]:
        session = self._seen.listed[number]
        for seat, round_number, during, reason, is_fatal in session.faults:
            party = self._parties[session.parties[seat - 1]] if seat else -1
            yield [number, party, seat, round_number, during, reason, int(is_fatal)]
