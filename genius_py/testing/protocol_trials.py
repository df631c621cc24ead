"""Sessions that a protocol is tried with: no party is needed, legal answers are fed to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, cast

import attrs
import numpy as np

from genius_py import registry
from genius_py.action import Action, Offer
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.fault import Fault
from genius_py.log import Ending
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.session import Turn
from genius_py.testing.driven import Driven
from genius_py.testing.homes import home_scenarios
from genius_py.testing.legal import TEMPERS, Temper, legal_action
from genius_py.testing.report import NotApplicable
from genius_py.testing.scenarios import mixed_scenario

__all__ = [
    "MOST_TURNS",
    "TRIES",
    "Answers",
    "Claim",
    "Subject",
    "ending_of",
    "goes_on",
    "legal_answers",
    "offered_at",
    "place_in",
    "play",
    "step",
    "subject_of",
    "table_of",
]

MOST_TURNS = 1000
"""No round of a real protocol has as many turns with so few seats."""

TRIES = 25
"""How often a turn is asked again before the protocol is blamed that nothing suits it."""

Answers: TypeAlias = Callable[[Turn], Action | Fault]
"""Who answers every turn."""


@attrs.frozen
class Subject:
    """A protocol, and the sessions that are played with it."""

    rules: type[MultilateralProtocol]
    plans: tuple[SessionPlan, ...]

    def trials(self) -> Iterator[tuple[SessionPlan, Temper]]:
        """Every plan, with parties of every temper."""
        for plan in self.plans:
            for temper in TEMPERS:
                yield plan, temper

    @property
    def has_offers(self) -> bool:
        """Whether somebody makes offers under it."""
        return any(issubclass(kind, Offer) for kind in self.rules.actions)


Claim: TypeAlias = Callable[[Subject], None]
"""Raises `Complaint` where a protocol breaks it; see `genius_py.testing.report.examine`."""


def subject_of(
    spec: str, rules: type[MultilateralProtocol], given: Scenario | None = None
) -> Subject:
    """A protocol on a scenario, or on as many as are needed to see it with few seats and more."""
    return Subject(rules, tuple(_plans(spec, rules, given)))


def _plans(
    spec: str, rules: type[MultilateralProtocol], given: Scenario | None
) -> Iterator[SessionPlan]:
    if given is not None:
        yield _plan(spec, rules, given)
        return
    fewest, most = rules.parties_range
    sizes = [n for n in sorted({fewest, 2, 3, 5}) if n >= fewest and (most is None or n <= most)]
    for scenario in home_scenarios(spec) or map(mixed_scenario, sizes):
        yield _plan(spec, rules, scenario)


def _plan(spec: str, rules: type[MultilateralProtocol], scenario: Scenario) -> SessionPlan:
    seats = [SeatPlan(role, role, "legal answers") for role in scenario.roles]
    if rules.needs_mediator:
        seats.insert(0, SeatPlan("mediator", "", "legal answers", True))
    return SessionPlan(
        protocol=spec,
        scenario=scenario,
        seats=seats,
        deadline=Deadline(rounds=6),
        seed=7,
        retries=TRIES,
    )


class _Watched:
    """A protocol of which some methods are replaced; everything else is its own."""

    def __init__(self, protocol: MultilateralProtocol, **instead: Callable[..., object]) -> None:
        self._protocol = protocol
        self._instead = instead

    def __getattr__(self, name: str) -> object:
        return self._instead.get(name) or getattr(self._protocol, name)


def table_of(
    plan: SessionPlan,
    clock: Callable[[], float] = lambda: 0.0,
    watch: Callable[[MultilateralProtocol], Mapping[str, Callable[..., object]]] | None = None,
) -> Driven:
    """A session that has not been played, with a protocol object of its own."""
    protocol: MultilateralProtocol = registry.make("protocol", plan.protocol)
    if watch is not None:
        protocol = cast(MultilateralProtocol, _Watched(protocol, **watch(protocol)))
    return Driven(plan, protocol, clock)


def legal_answers(plan: SessionPlan, temper: Temper) -> Answers:
    """Answers that a turn allows, drawn with the plan's seed."""
    rng = np.random.default_rng(plan.seed)
    return lambda turn: legal_action(turn, rng, temper)


def step(table: Driven, answers: Answers) -> None:
    """Have every turn that is asked answered."""
    table.feed(*[answers(turn) for turn in table.asked])


def goes_on(table: Driven) -> bool:
    """Whether somebody is asked, and the round still looks like one that ends."""
    return bool(table.asked) and table.session.turn_number < MOST_TURNS


def play(
    table: Driven, answers: Answers | Temper, look: Callable[[Driven], None] | None = None
) -> Driven:
    """Play on to the end, looking before each turn; give up in a round without end."""
    if not callable(answers):
        answers = legal_answers(table.plan, answers)
    while goes_on(table):
        if look is not None:
            look(table)
        step(table, answers)
    return table


def ending_of(table: Driven) -> Ending:
    """How a session ended; what goes on without end is another claim's business."""
    if table.ending is None:
        raise NotApplicable("a session does not end; see what is said of deadlines")
    return table.ending


def place_in(table: Driven) -> str:
    """Where a session stands, for a complaint."""
    session = table.session
    return (
        f"Round {session.round_number}, after {session.turn_number} of its turns "
        f"({len(table.seats)} seats)"
    )


def offered_at(table: Driven) -> set[Bid]:
    """The bids that have been offered."""
    return {action.bid for action in table.log.actions if isinstance(action, Offer)}
