"""Does a protocol keep its contract? No party is needed: legal answers are fed to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, TypeAlias, cast, get_type_hints

import attrs
import numpy as np

from genius_py import formats, registry
from genius_py.action import Accept, Action, Forfeit, Offer
from genius_py.allowed import Allowed, OneOf
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import LogError, UnknownName
from genius_py.fault import Fault
from genius_py.issue import DiscreteIssue
from genius_py.log import Ending, Reason
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.session import Seat, Session, Turn
from genius_py.testing.chance import disturbed_chance
from genius_py.testing.driven import Driven
from genius_py.testing.homes import home_scenarios
from genius_py.testing.legal import Temper, legal_action
from genius_py.testing.report import Complaint, NotApplicable, Report, examine
from genius_py.testing.scenarios import mixed_scenario
from genius_py.testing.specs import spec_of
from genius_py.trace import dump_log, parse_log, replay

__all__ = ["check_protocol"]

_TEMPERS: tuple[Temper, ...] = ("any", "agreeable", "stubborn")

_MOST_TURNS = 1000
"""No round of a real protocol has as many turns with so few seats."""

_TRIES = 25
"""How often a turn is asked again before the protocol is blamed that nothing suits it."""

_FOREIGN = Domain("foreign", [DiscreteIssue("foreign", ("one", "two"))]).bid_at(0)

Answers: TypeAlias = Callable[[Turn], Action | Fault]


def check_protocol(
    protocol: str | type[MultilateralProtocol], scenario: Scenario | str | None = None
) -> Report:
    """Play many sessions under a protocol and look whether it keeps its contract.

    `protocol` is a spec, or a class that stands at the top of its module. Without a scenario it
    is played on a small domain, with the fewest seats that it takes and with 2, 3 and 5; where
    it cannot play that domain, on the bundled domains that name it.

    Raises:
        ConformanceError: it breaks the contract; the text says what to mend, claim by claim.
        UnknownName: nothing has that name.
    """
    spec = spec_of("protocol", protocol)
    rules = registry.find("protocol", registry.Spec.parse(spec).target)
    given = formats.load(scenario) if isinstance(scenario, str) else scenario
    return examine(
        spec, _Subject(spec, rules, tuple(_plans(spec, rules, given))), _CLAIMS
    ).require()


@attrs.frozen
class _Subject:
    """A protocol, and the sessions that are played with it."""

    spec: str
    rules: type[MultilateralProtocol]
    plans: tuple[SessionPlan, ...]

    def trials(self) -> Iterator[tuple[SessionPlan, Temper]]:
        for plan in self.plans:
            for temper in _TEMPERS:
                yield plan, temper

    @property
    def has_offers(self) -> bool:
        return any(issubclass(kind, Offer) for kind in self.rules.actions)


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
        retries=_TRIES,
    )


class _Watched:
    """A protocol of which some methods are replaced; everything else is its own."""

    def __init__(self, protocol: MultilateralProtocol, **instead: Callable[..., object]) -> None:
        self._protocol = protocol
        self._instead = instead

    def __getattr__(self, name: str) -> object:
        return self._instead.get(name) or getattr(self._protocol, name)


def _table(
    plan: SessionPlan,
    clock: Callable[[], float] = lambda: 0.0,
    watch: Callable[[MultilateralProtocol], Mapping[str, Callable[..., object]]] | None = None,
) -> Driven:
    """A session that has not been played, with a protocol object of its own."""
    protocol: MultilateralProtocol = registry.make("protocol", plan.protocol)
    if watch is not None:
        protocol = cast(MultilateralProtocol, _Watched(protocol, **watch(protocol)))
    return Driven(plan, protocol, clock)


def _legal(plan: SessionPlan, temper: Temper) -> Answers:
    rng = np.random.default_rng(plan.seed)
    return lambda turn: legal_action(turn, rng, temper)


def _step(table: Driven, answers: Answers) -> None:
    table.feed(*[answers(turn) for turn in table.asked])


def _goes_on(table: Driven) -> bool:
    """Whether somebody is asked, and the round still looks like one that ends."""
    return bool(table.asked) and table.session.turn_number < _MOST_TURNS


def _play(
    table: Driven, answers: Answers | Temper, look: Callable[[Driven], None] | None = None
) -> Driven:
    """Play on to the end, looking before each turn; give up in a round without end."""
    if not callable(answers):
        answers = _legal(table.plan, answers)
    while _goes_on(table):
        if look is not None:
            look(table)
        _step(table, answers)
    return table


def _ending(table: Driven) -> Ending:
    if table.ending is None:
        raise NotApplicable("a session does not end; see what is said of deadlines")
    return table.ending


def _place(table: Driven) -> str:
    session = table.session
    return (
        f"Round {session.round_number}, after {session.turn_number} of its turns "
        f"({len(table.seats)} seats)"
    )


def _ends_make_sense(subject: _Subject) -> None:
    if not getattr(subject.rules, "name", ""):
        raise Complaint(f"{subject.rules.__name__} has no name; give it the class attribute name.")
    for plan, temper in subject.trials():
        ending = _ending(_play(_table(plan), temper))
        if ending.agreement is not None and ending.agreement not in plan.scenario.domain:
            raise Complaint(f"The agreement {ending.agreement!r} is not a bid of the domain.")
        if not 0 <= ending.agreeing_parties <= len(plan.seats):
            raise Complaint(
                f"get_number_of_agreeing_parties says {ending.agreeing_parties} where there are "
                f"{len(plan.seats)} seats; count each seat once."
            )
        ids = {seat.id for seat in plan.parties}
        if ending.payoffs is not None and set(ending.payoffs) != ids:
            raise Complaint(
                f"payoffs gives numbers to {_listed(ending.payoffs)}; give one to each of "
                f"{_listed(ids)}."
            )


def _seats_can_be_filled(subject: _Subject) -> None:
    rules = subject.rules
    fewest, most = rules.parties_range
    if fewest < 1 or (most is not None and most < fewest):
        raise Complaint(f"parties_range is {rules.parties_range}; give the fewest and the most.")
    if not rules.default_parties:
        raise Complaint("default_parties is empty; name who sits where nobody is named.")
    mediators = [] if rules.default_mediator is None else [rules.default_mediator]
    for spec in (*rules.default_parties, *mediators):
        try:
            cls = registry.find("party", registry.Spec.parse(spec).target)
        except UnknownName as error:
            raise Complaint(f"Its default seats cannot be filled. {error}") from error
        if cls.is_mediator != (spec in mediators):
            raise Complaint(
                f"{spec!r} sits by default where it cannot: name mediators as default_mediator "
                f"and others as default_parties."
            )


def _deadlines_stop_it(subject: _Subject) -> None:
    deadlines = (Deadline(rounds=3), Deadline(seconds=20), Deadline(rounds=2, seconds=1000))
    for plan in subject.plans:
        for deadline in deadlines:
            ticks = map(float, count())
            table = _table(attrs.evolve(plan, deadline=deadline), ticks.__next__)
            _play(table, "stubborn")
            if not table.is_over:
                raise Complaint(
                    f"Deadline {deadline}: round {table.session.round_number} has {_MOST_TURNS} "
                    f"turns and more. A deadline in rounds cannot end a round; let its turns run "
                    f"out."
                )


def _rounds_are_stable(subject: _Subject) -> None:
    for plan, temper in subject.trials():
        first = _turns(plan, temper)
        with disturbed_chance():
            second = _turns(plan, temper)
        for one, other in zip(first, second, strict=False):
            if one != other:
                raise Complaint(
                    f"The same session was played twice with the same answers, but once it asked "
                    f"'{one}' and then '{other}'. Make rounds from the actions so far and from "
                    f"session.rng alone: no clock, no module random, no order of a set, nothing "
                    f"kept outside the object."
                )
        if len(first) != len(second):
            raise Complaint(
                f"The same session was played twice with the same answers, but had {len(first)} "
                f"turns and then {len(second)}."
            )


def _turns(plan: SessionPlan, temper: Temper) -> list[str]:
    turns: list[str] = []

    def look(table: Driven) -> None:
        turns.extend(
            f"round {table.session.round_number}: {seat} may {_spelt_out(allowed)}"
            for seat, allowed in table.asked
        )

    _play(_table(plan), temper, look)
    return turns


def _spelt_out(allowed: Allowed) -> str:
    return "; ".join(
        f"{kind.__name__}({', '.join(f'{field}: {rule}' for field, rule in rules.items())})"
        for kind, rules in allowed.items()
    )


def _turns_can_be_played(subject: _Subject) -> None:
    for plan, temper in subject.trials():
        table = _play(_table(plan), _insistent(plan, temper), _require_sound_turns)
        if table.is_over and table.outcome.reason is Reason.FAULT:
            raise Complaint(
                f"A turn allowed what apply_action then refused, {_TRIES + 1} times out of "
                f"{_TRIES + 1}. The last refusal: {table.outcome.faults[-1]}. Whoever takes a turn "
                f"knows nothing but its Allowed: leave the class out, or narrow its fields' rules."
            )


def _insistent(plan: SessionPlan, temper: Temper) -> Answers:
    """Legal answers that try the same class again when one was refused."""
    legal = _legal(plan, temper)
    chosen: dict[Seat, type[Action]] = {}

    def answers(turn: Turn) -> Action | Fault:
        seat, allowed = turn
        if allowed.refusal:
            turn = Turn(seat, Allowed({chosen[seat]: allowed[chosen[seat]]}))
        action = legal(turn)
        if isinstance(action, Action):
            chosen[seat] = type(action)
        return action

    return answers


def _require_sound_turns(table: Driven) -> None:
    for seat, allowed in table.asked:
        where, rules = _place(table), type(table.protocol).__name__
        if not any(seat is known for known in table.seats):
            raise Complaint(
                f"{where}: a turn is {seat!r}'s, who does not sit here; make turns for the seats "
                f"that get_round_structure is given."
            )
        if not allowed:
            raise Complaint(f"{where}: {seat} is asked but may do nothing; leave the turn out.")
        for kind in allowed:
            if kind not in table.protocol.actions:
                raise Complaint(
                    f"{where}: {seat} may {kind.__name__}, which is not among the actions of "
                    f"{rules}; name it there, or no log can be read."
                )
            for field in _bid_fields(kind):
                if field not in allowed[kind]:
                    raise Complaint(
                        f"{where}: {seat} may {kind.__name__} with anything as {field}; give the "
                        f"field a rule: Allowed({{{kind.__name__}: "
                        f"{{{field!r}: BidOf(session.domain)}}}})."
                    )


def _bid_fields(kind: type[Action]) -> list[str]:
    return [name for name, hint in get_type_hints(kind).items() if hint is Bid]


def _limits_are_enforced(subject: _Subject) -> None:
    for plan, temper in subject.trials():
        undisturbed = _play(_table(plan), temper)
        table = _table(plan)
        offender = _Offender(table, _legal(plan, temper))
        _play(table, offender)
        for action in table.log.actions:
            misdeed = offender.tried.get(id(action))
            if misdeed is not None:
                raise Complaint(
                    f"{misdeed}: '{action}' was taken. Give the field a rule in Turn.allowed "
                    f"(BidOf, OneOf), or raise ActionError in apply_action."
                )
        if table.log.actions != undisturbed.log.actions or table.ending != undisturbed.ending:
            raise Complaint(_CHANGED)


_CHANGED = (
    "an action that was refused changed something all the same; raise ActionError before anything "
    "is changed."
)


class _Offender:
    """In every turn it first tries what must be refused, then does what is legal.

    `tried` says what was wrong with each misdeed, by the id of the action.
    """

    def __init__(self, table: Driven, legal: Answers) -> None:
        self.tried: dict[int, str] = {}
        self._table = table
        self._legal = legal
        self._misdeeds: dict[Seat, Iterator[Action]] = {}
        self._said_before: dict[str, str] = {}
        self._kept: list[Action] = []  # an id is only good as long as its object lives

    def __call__(self, turn: Turn) -> Action | Fault:
        if not turn.refusal:
            self._misdeeds[turn.party] = self._against(turn)
            self._said_before = _said(self._table)
        elif not self._table.session.rounds[-1].sealed and _said(self._table) != self._said_before:
            raise Complaint(f"{_place(self._table)}: {_CHANGED}")
        misdeed = next(self._misdeeds[turn.party], None)
        if misdeed is None:
            return self._legal(turn)
        self._kept.append(misdeed)
        return misdeed

    def _against(self, turn: Turn) -> Iterator[Action]:
        who, table = turn.party.id, self._table
        for kind in turn.allowed:
            fields: dict[str, Any] = {
                name: rule.values[0] if isinstance(rule, OneOf) and rule.values else ""
                for name, rule in turn.allowed.choices(kind).items()
            }
            for field in _bid_fields(kind):
                yield self._wrong(
                    "a bid of another domain", kind(who, **{**fields, field: _FOREIGN})
                )
        if Accept in turn.allowed and any(issubclass(k, Offer) for k in table.protocol.actions):
            offered = _offered(table)
            bids = map(table.plan.scenario.domain.bid_at, range(table.plan.scenario.domain.size))
            unheard_of = next((bid for bid in bids if bid not in offered), None)
            if unheard_of is not None:
                yield self._wrong("a bid that nobody has offered", Accept(who, unheard_of))

    def _wrong(self, what: str, action: Action) -> Action:
        self.tried[id(action)] = f"{_place(self._table)}, {what}"
        return action


def _offered(table: Driven) -> set[Bid]:
    return {action.bid for action in table.log.actions if isinstance(action, Offer)}


def _queries_are_pure(subject: _Subject) -> None:
    for plan, temper in subject.trials():
        asked = _play(_table(plan), temper, _require_same_answers)
        _require_same_answers(asked)
        if asked.log != _play(_table(plan), temper).log:
            raise Complaint(
                "Asking for the agreement after each turn changed the session: without the "
                "questions it went another way. Keep what you need in apply_action, and let "
                "queries change nothing."
            )


def _require_same_answers(table: Driven) -> None:
    first = _said(table)
    if table.ending is not None:  # the loop has asked before
        first["get_current_agreement"] = str(table.ending.agreement)
        first["get_number_of_agreeing_parties"] = str(table.ending.agreeing_parties)
    for query, ask in _QUERIES.items():
        # Twice in a row, after all have been asked: one question may change another's answer.
        for answer in (ask(table), ask(table)):
            if answer != first[query]:
                raise Complaint(
                    f"{_place(table)}: asked twice in a row, {query} said {first[query]} and then "
                    f"{answer}. Work it out from the actions without changing anything."
                )


def _said(table: Driven) -> dict[str, str]:
    """What the protocol answers to every query, as text."""
    return {query: ask(table) for query, ask in _QUERIES.items()}


def _listeners(table: Driven) -> str:
    listeners = table.protocol.get_action_listeners(table.seats)
    return "; ".join(f"{seat}: {', '.join(map(str, heard))}" for seat, heard in listeners.items())


_QUERIES: Mapping[str, Callable[[Driven], str]] = {
    "get_current_agreement": lambda t: str(t.protocol.get_current_agreement(t.session, t.seats)),
    "get_number_of_agreeing_parties": lambda t: str(
        t.protocol.get_number_of_agreeing_parties(t.session, t.seats)
    ),
    "is_finished": lambda t: str(t.protocol.is_finished(t.session, t.seats)),
    "payoffs": lambda t: str(t.protocol.payoffs(t.session, t.seats)),
    "detail": lambda t: t.protocol.detail,
    "get_action_listeners": _listeners,
}


def _agreements_were_offered(subject: _Subject) -> None:
    if not subject.has_offers:
        raise NotApplicable("nobody makes offers under this protocol")
    for plan, temper in subject.trials():
        said = _Answered("get_current_agreement")
        table = _play(_table(plan, watch=said.watch), temper)
        final = _ending(table).agreement
        for agreement in (*said.answers, final):
            if agreement is not None and agreement not in _offered(table):
                raise Complaint(
                    f"{agreement} was agreed, but nobody has offered it; an agreement is one of "
                    f"the offers, bid for bid."
                )
        if final is None and said.answers and said.answers[-1] is not None:
            raise Complaint(
                f"{said.answers[-1]} was agreed after the last turn, but not at the end. At a "
                f"deadline get_round_structure is called once more than rounds are played, and "
                f"then after_session; neither may undo an agreement."
            )


class _Answered:
    """What a query says after each turn, asked when the loop looks whether to go on."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._turns = 0
        self.answers: list[Any] = []

    def watch(self, protocol: MultilateralProtocol) -> Mapping[str, Callable[..., object]]:
        query = getattr(protocol, self._query)

        def is_finished(session: Session, parties: Sequence[Seat]) -> bool:
            turns = sum(len(round_.actions) for round_ in session.rounds)
            if turns > self._turns:  # it is looked at once more when the session is over
                self._turns = turns
                self.answers.append(query(session, parties))
            return protocol.is_finished(session, parties)

        return {"is_finished": is_finished}


def _replays_agree(subject: _Subject) -> None:
    for plan, temper in subject.trials():
        table = _play(_table(plan), temper)
        _ending(table)
        try:
            replay(table.outcome)
            lines = list(dump_log(table.outcome))
            if list(dump_log(replay(parse_log(lines)))) != lines:
                raise Complaint("The log was another one after it was written, read and replayed.")
        except LogError as error:
            raise Complaint(
                f"{error} The state of a protocol must follow from the actions alone, and the "
                f"fields of its actions must be typed, so that JSON can hold them."
            ) from error


def _sessions_are_separate(subject: _Subject) -> None:
    advice = (
        "Keep state in attributes of the object, set in __init__ or before_session; nothing on the "
        "class or in the module."
    )
    for plan in subject.plans:
        alone = {temper: _play(_table(plan), temper).log for temper in _TEMPERS}
        for temper in _TEMPERS:
            if _play(_table(plan), temper).log != alone[temper]:
                raise Complaint(
                    f"A session went another way because others had been played before. {advice}"
                )
        interleaved = [(_table(plan), _legal(plan, temper)) for temper in _TEMPERS]
        while any(_goes_on(table) for table, _ in interleaved):
            for table, answers in interleaved:
                if _goes_on(table):
                    _step(table, answers)
        for temper, (table, _) in zip(_TEMPERS, interleaved, strict=True):
            if table.log != alone[temper]:
                raise Complaint(
                    f"Sessions that were played turn by turn at the same time disturbed each "
                    f"other. {advice}"
                )


def _can_be_ended(subject: _Subject) -> None:
    for plan in subject.plans:
        for moment in (0, 1, len(_turns(plan, "stubborn")) // 2):
            table, answers = _table(plan), _legal(plan, "stubborn")
            while _goes_on(table) and len(table.log.actions) < moment:
                _step(table, answers)
            if _goes_on(table):
                _require_end(table, answers)


def _require_end(table: Driven, answers: Answers) -> None:
    last_round = table.session.round_number
    table.protocol.end_negotiation("enough")
    _step(table, answers)  # this turn had been asked already
    while _goes_on(table) and (
        any(turn.refusal for turn in table.asked)
        or (table.protocol.finish_round and table.session.round_number == last_round)
    ):
        _step(table, answers)
    if not table.is_over:
        raise Complaint(
            f"{_place(table)}: another turn is asked after end_negotiation; let is_finished be "
            f"true from then on."
        )
    ending = _ending(table)
    if ending.agreement is None and "enough" not in ending.detail:
        raise Complaint(
            f"end_negotiation was told the reason 'enough', but detail says {ending.detail!r}; "
            f"let it tell the reason."
        )


def _listeners_are_seated(subject: _Subject) -> None:
    for plan, temper in subject.trials():
        table = _play(_table(plan, watch=_require_seated), temper)
        for seat in table.seats:
            spoken = [e.action for e in table.log if e.action and seat.id in e.audience]
            heard = [action for _, action in table.heard[seat.id]]
            if table.is_over and heard != spoken:
                raise Complaint(
                    f"{seat} heard {len(heard)} actions, but {len(spoken)} were for its ears."
                )


def _require_seated(protocol: MultilateralProtocol) -> Mapping[str, Callable[..., object]]:
    def get_agreement_listeners(parties: Sequence[Seat]) -> Sequence[Seat]:
        told = protocol.get_agreement_listeners(parties)
        _require_sitting("get_agreement_listeners", told, parties)
        return told

    def get_action_listeners(parties: Sequence[Seat]) -> object:
        listeners = protocol.get_action_listeners(parties)
        if not isinstance(listeners, Mapping):
            raise Complaint(
                f"get_action_listeners gave {listeners!r}; give a mapping from each seat to "
                f"the seats that hear it, empty when nobody hears anybody."
            )
        for actor, heard_by in listeners.items():
            _require_sitting("get_action_listeners", (actor, *heard_by), parties)
            if actor in heard_by:
                raise Complaint(
                    f"get_action_listeners lets {actor} listen to itself; leave it out."
                )
            if len(set(heard_by)) < len(heard_by):
                raise Complaint(f"get_action_listeners lets somebody hear {actor} twice.")
        return listeners

    return {
        "get_action_listeners": get_action_listeners,
        "get_agreement_listeners": get_agreement_listeners,
    }


def _require_sitting(query: str, named: Sequence[Seat], parties: Sequence[Seat]) -> None:
    for seat in named:
        if not any(seat is known for known in parties):
            raise Complaint(
                f"{query} names {seat!r}, who does not sit here; use the seats that it is given."
            )


def _forfeits_consent_to_nothing(subject: _Subject) -> None:
    for plan in subject.plans:
        for silent in plan.seats:
            _require_no_consent(attrs.evolve(plan, retries=0, on_fault="forfeit"), silent)


def _require_no_consent(plan: SessionPlan, silent: SeatPlan) -> None:
    legal = _legal(plan, "agreeable")

    def answers(turn: Turn) -> Action | Fault:
        is_silent = turn.party.id == silent.id
        return Fault(silent.id, "says nothing") if is_silent else legal(turn)

    backing = _Answered("get_number_of_agreeing_parties")
    table = _play(_table(plan, watch=backing.watch), answers)
    if not any(isinstance(action, Forfeit) for action in table.log.actions):
        return
    others = sum(seat is not silent for seat in plan.parties)
    if max(backing.answers, default=0) > others:
        raise Complaint(
            f"{silent.id} forfeited every turn, and yet {max(backing.answers)} of "
            f"{len(plan.parties)} parties are counted as agreeing. A Forfeit refuses everything "
            f"on the table; see to it in apply_action."
        )


def _listed(ids: Mapping[str, float] | set[str]) -> str:
    return ", ".join(sorted(ids)) or "nobody"


_CLAIMS: Mapping[str, Callable[[_Subject], None]] = {
    "its seats can be filled": _seats_can_be_filled,
    "every deadline stops it": _deadlines_stop_it,
    "sessions end in a way that makes sense": _ends_make_sense,
    "the round structure is stable": _rounds_are_stable,
    "what a turn allows can be done": _turns_can_be_played,
    "what a turn does not allow is refused": _limits_are_enforced,
    "agreement queries are pure": _queries_are_pure,
    "what is agreed has been offered": _agreements_were_offered,
    "a replay rebuilds the outcome": _replays_agree,
    "no state leaks into another session": _sessions_are_separate,
    "end_negotiation ends it": _can_be_ended,
    "listeners hear what was declared": _listeners_are_seated,
    "a forfeited turn consents to nothing": _forfeits_consent_to_nothing,
}
