"""Does a party keep its contract? It plays all kinds of games against all kinds of opponents."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib.machinery import PathFinder

import attrs

from genius_py import registry
from genius_py.action import Accept, Action, EndNegotiation, Offer, Vote, VoteForOfferAcceptance
from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.deadline import Deadline
from genius_py.errors import UnknownName
from genius_py.isolation import IsolatedParty
from genius_py.lockstep import lockstep
from genius_py.log import Event
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.party_source import PartySource
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.testing.chance import disturbed_chance
from genius_py.testing.homes import home_scenarios
from genius_py.testing.legal import Temper
from genius_py.testing.opponents import LegalParty
from genius_py.testing.protocols import Silence
from genius_py.testing.report import Complaint, NotApplicable, Remark, Report, examine
from genius_py.testing.scenarios import (
    discrete_scenario,
    hopeless_scenario,
    huge_scenario,
    mixed_scenario,
    one_bid_scenario,
    price_scenario,
    table_scenario,
)
from genius_py.testing.specs import spec_of

__all__ = ["check_party", "check_rational"]

_ROUNDS = 10

_TEMPERS: tuple[Temper, ...] = ("any", "agreeable", "stubborn")

_ODD_SCENARIOS: Mapping[str, Callable[[int], Scenario]] = {
    "a domain of one bid": one_bid_scenario,
    "a domain of 10^40 bids": huge_scenario,
    "utilities outside [0, 1]": price_scenario,
    "utilities from a table": table_scenario,
    "nothing worth agreeing to": hopeless_scenario,
}

_NOISE = 1e-9
"""Utilities that differ by less are the same; they are sums of floating-point numbers."""


def check_party(
    party: PartySource,
    protocols: Sequence[str | type[MultilateralProtocol]] = (),
    *,
    faithful: bool = False,
    isolated: bool = True,
) -> Report:
    """Let a party play many short sessions and look whether it keeps its contract.

    `party` is a spec, a class or a factory. It plays the `protocols`; when none are named,
    those that it says it plays, else a `BiddingParty` all that seat such parties, a mediator all
    that have one, and any other party alternating offers. With `faithful` the sessions are those
    of Java Genius; with `isolated` it also plays in a process of its own, which takes longest.

    Raises:
        ConformanceError: it breaks the contract; the text says what to mend, claim by claim.
        UnknownName: nothing has that name.
    """
    subject = _subject(party, protocols, faithful)
    claims = _CLAIMS if isolated else {k: v for k, v in _CLAIMS.items() if v is not _isolated}
    return examine(subject.name, subject, claims).require()


def check_rational(
    party: PartySource, protocols: Sequence[str | type[MultilateralProtocol]] = ()
) -> Report:
    """Look whether a party never offers, accepts or votes for less than its reservation value.

    Parameters and exceptions as of `check_party`.
    """
    subject = _subject(party, protocols)
    return examine(subject.name, subject, _RATIONAL_CLAIMS).require()


@attrs.frozen(slots=False)
class _Subject:
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
        fewest, most = _rules(protocol).parties_range
        size = max(2, fewest, parties if most is None else min(parties, most))
        key = make.__name__, size
        if key not in self._made:
            self._made[key] = make(size)
        return self._made[key]

    def plan(
        self, protocol: str, scenario: Scenario, seed: int = 11, place: int = 0
    ) -> SessionPlan:
        """A session in which the party has the profile at a place, or mediates."""
        rules = _rules(protocol)
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
                for temper in _TEMPERS:
                    yield self.plan(protocol, scenario), temper
                yield self.plan(protocol, scenario, place=1), "any"

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Those sessions, played."""
        return tuple(self.manager(plan, temper).run() for plan, temper in self.sessions())


def _rules(protocol: str) -> type[MultilateralProtocol]:
    return registry.class_of("protocol", protocol)


def _subject(
    party: PartySource,
    protocols: Sequence[str | type[MultilateralProtocol]],
    faithful: bool = False,
) -> _Subject:
    if isinstance(party, str):
        cls = registry.class_of("party", party)
    else:
        cls = party if isinstance(party, type) else type(party())
    name = party if isinstance(party, str) else cls.__qualname__
    chosen = tuple(spec_of("protocol", protocol) for protocol in protocols) or _playable(cls)
    return _Subject(party, name, cls.is_mediator, chosen, faithful)


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


def _fails_never(during: str, advice: str) -> Callable[[_Subject], None]:
    def look(subject: _Subject) -> None:
        for outcome in subject.outcomes:
            _require_no_fault(subject, outcome, during, advice)

    return look


def _require_no_fault(
    subject: _Subject, outcome: Outcome, during: str = "", advice: str = ""
) -> None:
    own = subject.seat(outcome.plan).id
    for fault in outcome.faults:
        if fault.party == own and during in fault.during:
            said = str(fault).rstrip(".")
            if during == "choose_action" and fault.reason.startswith("raised "):
                advice = ""  # which is about actions that are refused
            raise Complaint(f"{_where(outcome)}, in {fault.during}: {said}.{advice}")


def _where(outcome: Outcome) -> str:
    plan = outcome.plan
    return f"Under {plan.protocol} about {plan.scenario.domain} with {len(plan.parties)} parties"


def _plays(scenario_of: Callable[[int], Scenario]) -> Callable[[_Subject], None]:
    def look(subject: _Subject) -> None:
        protocols = [p for p in subject.protocols if not subject.homes(p)]
        if not protocols:
            raise NotApplicable("it plays about the domains of its protocols alone")
        for protocol in protocols:
            plan = subject.plan(protocol, subject.scenario(protocol, scenario_of))
            _require_no_fault(subject, subject.manager(plan).run())

    return look


def _repeats_itself(subject: _Subject) -> None:
    for first, (plan, temper) in zip(subject.outcomes, subject.sessions(), strict=True):
        with disturbed_chance():
            again = subject.manager(plan, temper).run()
        if again.log != first.log:
            one, other = _first_difference(first.log, again.log)
            raise Complaint(
                f"{_where(first)}: the same seed gave {_said(one)}, and at another time "
                f"{_said(other)}. Draw from self.rng (or seed with self.info.seed) only, look at "
                f"no clock but self.time, and keep nothing on the class or in the module."
            )


def _first_difference(
    one: Sequence[Event], other: Sequence[Event]
) -> tuple[Event | None, Event | None]:
    for a, b in zip(one, other, strict=False):
        if a != b:
            return a, b
    shorter = min(len(one), len(other))
    return (
        one[shorter] if len(one) > shorter else None,
        other[shorter] if len(other) > shorter else None,
    )


def _said(event: Event | None) -> str:
    if event is None:
        return "nothing more"
    return f"'{event.action or event.detail}' in round {event.round}"


def _is_told_nothing(subject: _Subject) -> None:
    if subject.is_mediator:
        raise NotApplicable("a mediator hears everybody")
    if not any(Offer in _rules(protocol).actions for protocol in subject.protocols):
        raise NotApplicable("it plays no protocol with plain offers")
    silence = spec_of("protocol", Silence)
    for scenario in subject.scenarios(silence):
        outcome = subject.manager(subject.plan(silence, scenario)).run()
        _require_no_fault(
            subject, outcome, advice=" Do not count on having heard of an offer, or of anything."
        )


def _keeps_step(subject: _Subject) -> None:
    plans = [
        subject.plan(protocol, subject.scenario(protocol, discrete_scenario), seed=seed)
        for protocol in subject.protocols
        for seed in (1, 2, 3)
    ]
    alone = [subject.manager(plan).run() for plan in plans]
    together = lockstep([subject.manager(plan) for plan in plans])
    for one, other in zip(alone, together, strict=True):
        if one.log != other.log:
            a, b = _first_difference(one.log, other.log)
            raise Complaint(
                f"{_where(one)}: alone it came to {_said(a)}, and in lockstep with other sessions "
                f"to {_said(b)}. Let choose_actions give one answer a turn, in the order asked, "
                f"and let parties share no state."
            )


def _isolated(subject: _Subject) -> None:
    if not _can_travel(subject.source):
        raise NotApplicable(
            "another process cannot find it; name it by a spec, as path/to/file.py:Class"
        )
    protocol = subject.protocols[0]
    plan = subject.plan(protocol, subject.scenario(protocol, discrete_scenario))
    here = subject.manager(plan).run()
    there = subject.manager(plan, source=partial(IsolatedParty, subject.source)).run()
    _require_no_fault(subject, there)
    if here.log != there.log:
        one, other = _first_difference(here.log, there.log)
        raise Complaint(
            f"{_where(here)}: in this process it came to {_said(one)}, in one of its own to "
            f"{_said(other)}. Depend on what it is told alone, not on the order of a set, "
            f"on this process, or on objects being the same."
        )


def _can_travel(source: PartySource) -> bool:
    """Whether another process finds it: by its spec, or in a package that is on the path."""
    if isinstance(source, str):
        return True
    package = source.__module__.partition(".")[0]
    return isinstance(source, type) and PathFinder.find_spec(package) is not None


def _leaves_profile_alone(subject: _Subject) -> None:
    for make in (discrete_scenario, mixed_scenario, price_scenario):
        for protocol in subject.protocols:
            scenario = subject.scenario(protocol, make)
            before = copy.deepcopy(dict(scenario.profiles))
            subject.manager(subject.plan(protocol, scenario), "agreeable").run()
            for role, profile in scenario.profiles.items():
                if profile != before[role]:
                    raise Complaint(
                        f"The profile of {role} about {scenario.domain} was another one after "
                        f"the session; profiles are shared by many sessions and must not change."
                    )


def _stays(subject: _Subject) -> None:
    walks: dict[str, bool] = {}
    for outcome in subject.outcomes:
        protocol, own = outcome.plan.protocol, subject.seat(outcome.plan).id
        first = next((action for action in outcome.log.actions if action.party == own), None)
        walks[protocol] = walks.get(protocol, True) and isinstance(first, EndNegotiation)
    if at_once := [protocol for protocol, always in walks.items() if always]:
        raise Remark(
            f"under {' and '.join(at_once)} it always walks away in its first turn. If that is not "
            f"meant, see that `propose` returns a bid; None walks away."
        )


def _describes_itself(subject: _Subject) -> None:
    source = subject.source
    party = registry.make("party", source) if isinstance(source, str) else source()
    said = party.get_description()
    if not isinstance(said, str) or not said.strip() or "\n" in said:
        raise Complaint(
            f"get_description gave {said!r}; give one line of text, by default the first of the "
            f"class's docstring."
        )


_CLAIMS: Mapping[str, Callable[[_Subject], None]] = {
    "it can be prepared": _fails_never(
        "init", " Do in init only what every domain and deadline allows."
    ),
    "it only does what is allowed": _fails_never(
        "choose_action",
        " Choose one of the classes in `allowed`; the bid that may be accepted stands in"
        " allowed[Accept]['bid'].",
    ),
    "it hears everything": _fails_never(
        "receive_message", " Expect any action of the protocol from any sender, None included."
    ),
    "it bears every end": _fails_never(
        "negotiation_ended", " Expect None where there is no agreement; give None or a mapping."
    ),
    "it stays at the table": _stays,
    **{f"it plays {name}": _plays(scenario) for name, scenario in _ODD_SCENARIOS.items()},
    "it bears being told nothing": _is_told_nothing,
    "the same seed gives the same session": _repeats_itself,
    "it leaves its profile as it is": _leaves_profile_alone,
    "it plays many sessions in lockstep": _keeps_step,
    "it plays in a process of its own": _isolated,
    "it describes itself": _describes_itself,
}


def _never_below(kinds: str) -> Callable[[_Subject], None]:
    def look(subject: _Subject) -> None:
        if subject.is_mediator:
            raise NotApplicable("a mediator has no reservation value")
        for outcome in _rational_outcomes(subject, with_hopeless=kinds != "offers"):
            seat = subject.seat(outcome.plan)
            space = outcome.plan.profile(seat)
            for event, bid in _backed(outcome, seat.id, kinds):
                worth = space.discounted(space.utility(bid), event.time)
                floor = space.reservation_at(event.round, event.time)
                if worth < floor - _NOISE:
                    raise Complaint(
                        f"{_where(outcome)}, round {event.round}: '{event.action}', worth "
                        f"{worth:.4f} to it, although no agreement is worth {floor:.4f}. Compare "
                        f"every bid with the reservation value first."
                    )

    return look


def _rational_outcomes(subject: _Subject, *, with_hopeless: bool) -> Iterator[Outcome]:
    yield from subject.outcomes
    scenarios = [price_scenario, table_scenario, huge_scenario]
    if with_hopeless:  # where every offer is below it, but some protocols want one all the same
        scenarios.append(hopeless_scenario)
    for protocol in subject.protocols:
        for scenario in scenarios:
            for place in (0, 1):
                plan = subject.plan(protocol, subject.scenario(protocol, scenario), place=place)
                yield subject.manager(plan, "any").run()


def _backed(outcome: Outcome, party: str, kinds: str) -> Iterator[tuple[Event, Bid]]:
    """The bids that a party stands behind by its offers, or by its consent."""
    proposed: Bid | None = None
    for event in outcome.log:
        action = event.action
        if isinstance(action, Offer):
            if event.party == party and kinds == "offers":
                yield event, action.bid
            proposed = action.bid
        elif event.party == party and kinds == "consent":
            if isinstance(action, Accept):
                yield event, action.bid
            elif _is_vote_in_favour(action) and proposed is not None:
                yield event, proposed


def _is_vote_in_favour(action: Action | None) -> bool:
    return isinstance(action, VoteForOfferAcceptance) and action.vote is Vote.ACCEPT


_RATIONAL_CLAIMS: Mapping[str, Callable[[_Subject], None]] = {
    "it never offers less than its reservation value": _never_below("offers"),
    "it never consents to less than its reservation value": _never_below("consent"),
}
