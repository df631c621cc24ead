"""Does a party keep its contract? It plays all kinds of games against all kinds of opponents."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.machinery import PathFinder

from genius_py import registry
from genius_py.action import EndNegotiation, Offer
from genius_py.isolation import IsolatedParty
from genius_py.lockstep import lockstep
from genius_py.log import Event
from genius_py.party_source import PartySource, make_party
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.testing.chance import disturbed_chance
from genius_py.testing.party_trials import (
    Claim,
    Subject,
    require_no_fault,
    subject_of,
    where,
)
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

__all__ = ["check_party"]

_ODD_SCENARIOS: Mapping[str, Callable[[int], Scenario]] = {
    "a domain of one bid": one_bid_scenario,
    "a domain of 10^40 bids": huge_scenario,
    "utilities outside [0, 1]": price_scenario,
    "utilities from a table": table_scenario,
    "nothing worth agreeing to": hopeless_scenario,
}


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
    subject = subject_of(party, protocols, faithful)
    claims = _CLAIMS if isolated else {k: v for k, v in _CLAIMS.items() if v is not _isolated}
    return examine(subject.name, subject, claims).require()


def _fails_never(during: str, advice: str) -> Claim:
    def look(subject: Subject) -> None:
        for outcome in subject.outcomes:
            require_no_fault(subject, outcome, during, advice)

    return look


def _plays(scenario_of: Callable[[int], Scenario]) -> Claim:
    def look(subject: Subject) -> None:
        protocols = [p for p in subject.protocols if not subject.homes(p)]
        if not protocols:
            raise NotApplicable("it plays about the domains of its protocols alone")
        for protocol in protocols:
            plan = subject.plan(protocol, subject.scenario(protocol, scenario_of))
            require_no_fault(subject, subject.manager(plan).run())

    return look


def _repeats_itself(subject: Subject) -> None:
    for first, (plan, temper) in zip(subject.outcomes, subject.sessions(), strict=True):
        with disturbed_chance():
            again = subject.manager(plan, temper).run()
        if again.log != first.log:
            one, other = _first_difference(first.log, again.log)
            raise Complaint(
                f"{where(first)}: the same seed gave {_said(one)}, and at another time "
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


def _is_told_nothing(subject: Subject) -> None:
    if subject.is_mediator:
        raise NotApplicable("a mediator hears everybody")
    played = [registry.class_of("protocol", protocol) for protocol in subject.protocols]
    if not any(Offer in rules.actions for rules in played):
        raise NotApplicable("it plays no protocol with plain offers")
    silence = spec_of("protocol", Silence)
    for scenario in subject.scenarios(silence):
        outcome = subject.manager(subject.plan(silence, scenario)).run()
        require_no_fault(
            subject, outcome, advice=" Do not count on having heard of an offer, or of anything."
        )


def _keeps_step(subject: Subject) -> None:
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
                f"{where(one)}: alone it came to {_said(a)}, and in lockstep with other sessions "
                f"to {_said(b)}. Let choose_actions give one answer a turn, in the order asked, "
                f"and let parties share no state."
            )


def _isolated(subject: Subject) -> None:
    if not _can_travel(subject.source):
        raise NotApplicable(
            "another process cannot find it; name it by a spec, as path/to/file.py:Class"
        )
    protocol = subject.protocols[0]
    plan = subject.plan(protocol, subject.scenario(protocol, discrete_scenario))
    here = subject.manager(plan).run()
    there = subject.manager(plan, source=partial(IsolatedParty, subject.source)).run()
    require_no_fault(subject, there)
    if here.log != there.log:
        one, other = _first_difference(here.log, there.log)
        raise Complaint(
            f"{where(here)}: in this process it came to {_said(one)}, in one of its own to "
            f"{_said(other)}. Depend on what it is told alone, not on the order of a set, "
            f"on this process, or on objects being the same."
        )


def _can_travel(source: PartySource) -> bool:
    """Whether another process finds it: by its spec, or in a package that is on the path."""
    if isinstance(source, str):
        return True
    package = source.__module__.partition(".")[0]
    return isinstance(source, type) and PathFinder.find_spec(package) is not None


def _leaves_profile_alone(subject: Subject) -> None:
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


def _stays(subject: Subject) -> None:
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


def _describes_itself(subject: Subject) -> None:
    said = make_party(subject.source).get_description()
    if not isinstance(said, str) or not said.strip() or "\n" in said:
        raise Complaint(
            f"get_description gave {said!r}; give one line of text, by default the first of the "
            f"class's docstring."
        )


_CLAIMS: Mapping[str, Claim] = {
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
