"""Sessions that a party is tried in: all kinds of games, against all kinds of opponents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TypeAlias

import attrs

from genius_py import registry
from genius_py.bidding import BiddingParty
from genius_py.deadline import Deadline
from genius_py.errors import UnknownName
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.party_source import PartySource
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.testing.homes import home_scenarios
from genius_py.testing.legal import TEMPERS, Temper
from genius_py.testing.opponents import LegalParty
from genius_py.testing.report import Complaint
from genius_py.testing.scenarios import discrete_scenario, mixed_scenario
from genius_py.testing.specs import spec_of

__all__ = ["Claim", "Subject", "require_no_fault", "subject_of", "where"]

_ROUNDS = 10


@attrs.frozen(slots=False)
class Subject:
    """A party, and the protocols that it is to play."""

    source: PartySource
    name: str
    is_mediator: bool
    protocols: tuple[str, ...]
    faithful: bool = False
    _made: dict[tuple[str, int], Scenario] = attrs.field(factory=dict, init=False)
    _homes: dict[str, tuple[Scenario, ...]] = attrs.field(factory=dict, init=False)

    def homes(self, protocol: str) -> tuple[Scenario, ...]:
        """Where a protocol plays that cannot play on the kit's scenarios; else none."""
        if protocol not in self._homes:
            self._homes[protocol] = home_scenarios(protocol)
        return self._homes[protocol]

    def scenario(
        self, protocol: str, make: Callable[[int], Scenario], parties: int = 2
    ) -> Scenario:
        """A scenario with so many roles, as far as the protocol takes them.

        One object each, so that what is kept with a profile is reused. A protocol with domains of
        its own plays one of them instead.
        """
        if homes := self.homes(protocol):
            return min(homes, key=lambda home: abs(len(home.roles) - parties))
        fewest, most = registry.class_of("protocol", protocol).parties_range
        size = max(2, fewest, parties if most is None else min(parties, most))
        key = make.__name__, size
        if key not in self._made:
            self._made[key] = make(size)
        return self._made[key]

    def plan(
        self, protocol: str, scenario: Scenario, seed: int = 11, place: int = 0
    ) -> SessionPlan:
        """A session in which the party has the profile at a place, or mediates."""
        rules = registry.class_of("protocol", protocol)
        if protocol == rules.name and scenario.protocol is not None:
            protocol = scenario.protocol  # which may know options that the domain needs
        seats = [SeatPlan(role, role, "opponent") for role in scenario.roles]
        if not self.is_mediator:
            seats[place] = attrs.evolve(seats[place], party=self.name)
        if rules.needs_mediator:
            mediator = self.name if self.is_mediator else str(rules.default_mediator)
            seats.insert(0, SeatPlan("mediator", "", mediator, True))
        return SessionPlan(
            protocol=protocol,
            scenario=scenario,
            seats=seats,
            deadline=Deadline(rounds=_ROUNDS),
            seed=seed,
            faithful=self.faithful,
        )

    def seat(self, plan: SessionPlan) -> SeatPlan:
        """Where the party sits."""
        return next(seat for seat in plan.seats if seat.party == self.name)

    def manager(
        self, plan: SessionPlan, temper: Temper = "any", source: PartySource | None = None
    ) -> SessionManager:
        """A session with opponents of a temper; `source` makes the party in another way."""
        makers: dict[str, PartySource] = {
            seat.id: partial(LegalParty, temper) for seat in plan.parties
        }
        makers[self.seat(plan).id] = source or self.source
        return SessionManager(plan, makers)

    def scenarios(self, protocol: str) -> list[Scenario]:
        """About discrete values and about numbers, with as many seats as the protocol takes."""
        return [
            self.scenario(protocol, discrete_scenario),
            self.scenario(protocol, mixed_scenario, 3),
        ]

    def sessions(self) -> Iterator[tuple[SessionPlan, Temper]]:
        """For each protocol: few and more seats, first and second, all kinds of opponents."""
        for protocol in self.protocols:
            for scenario in self.scenarios(protocol):
                for temper in TEMPERS:
                    yield self.plan(protocol, scenario), temper
                yield self.plan(protocol, scenario, place=1), "any"

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Those sessions, played."""
        return tuple(self.manager(plan, temper).run() for plan, temper in self.sessions())


Claim: TypeAlias = Callable[[Subject], None]
"""Raises `Complaint` where a party breaks it; see `genius_py.testing.report.examine`."""


def subject_of(
    party: PartySource,
    protocols: Sequence[str | type[MultilateralProtocol]],
    faithful: bool = False,
) -> Subject:
    """A party, with the protocols named or else those that it plays.

    Raises:
        UnknownName: nothing has that name.
    """
    if isinstance(party, str):
        cls = registry.class_of("party", party)
    else:
        cls = party if isinstance(party, type) else type(party())
    name = party if isinstance(party, str) else cls.__qualname__
    chosen = tuple(spec_of("protocol", protocol) for protocol in protocols) or _playable(cls)
    return Subject(party, name, cls.is_mediator, chosen, faithful)


def _playable(cls: type[NegotiationParty]) -> tuple[str, ...]:
    if cls.plays:
        return cls.plays
    registered: Mapping[str, type[MultilateralProtocol]] = registry.names("protocol")
    if cls.is_mediator:
        return tuple(name for name, rules in registered.items() if rules.needs_mediator)
    if not issubclass(cls, BiddingParty):
        return ("alternating_offers",)
    return tuple(name for name, rules in registered.items() if _is_for_bidding(rules))


def _is_for_bidding(rules: type[MultilateralProtocol]) -> bool:
    """Whether bidding parties are seated when nobody is named: it is about any domain."""
    try:
        return issubclass(registry.class_of("party", rules.default_parties[0]), BiddingParty)
    except UnknownName:  # a fault of the protocol, which its own check finds
        return False


def require_no_fault(
    subject: Subject, outcome: Outcome, during: str = "", advice: str = ""
) -> None:
    """Complain of a fault of the party; `during` one of its methods, where that matters."""
    own = subject.seat(outcome.plan).id
    for fault in outcome.faults:
        if fault.party == own and during in fault.during:
            said = str(fault).rstrip(".")
            if during == "choose_action" and fault.reason.startswith("raised "):
                advice = ""  # which is about actions that are refused
            raise Complaint(f"{where(outcome)}, in {fault.during}: {said}.{advice}")


def where(outcome: Outcome) -> str:
    """Which session it was, for a complaint."""
    plan = outcome.plan
    return f"Under {plan.protocol} about {plan.scenario.domain} with {len(plan.parties)} parties"
