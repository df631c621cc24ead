"""The session manager: seats parties at a table and drives one session in this process."""

from __future__ import annotations

import gc
import inspect
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from typing import Any, TypeAlias

import attrs

from genius_py import formats, registry
from genius_py.bid import Bid
from genius_py.deadline import Deadline, Timeline, TimelineView
from genius_py.errors import GeniusError, OptionError, PartyFailure, UnknownName
from genius_py.fault import Fault, FaultPolicy
from genius_py.log import Event
from genius_py.negotiation import Negotiation, negotiate
from genius_py.outcome import Outcome
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.session import Answer, Notes, Seat, Session, Step, Turn
from genius_py.utility import UtilitySpace

__all__ = [
    "DEFAULT_ROUNDS",
    "PartySource",
    "SessionManager",
    "own_answer",
    "plan_session",
    "run",
]

DEFAULT_ROUNDS = 60
"""The deadline of a scenario that names none."""

PartySource: TypeAlias = str | type[NegotiationParty] | Callable[[], NegotiationParty]
"""A spec, a class, or anything else that makes a fresh party when called."""

_COLLECT_AFTER = 20_000
"""New values between two looks for garbage, while a session runs: some megabytes at most."""


def run(
    protocol: str,
    domain: str | Scenario,
    *,
    parties: Sequence[PartySource] = (),
    mediator: PartySource | None = None,
    deadline: Deadline | str | int | None = None,
    seed: int = 0,
    retries: int = 0,
    on_fault: FaultPolicy = "fail",
    faithful: bool = False,
) -> Outcome:
    """Play one session and return its outcome.

    >>> import genius_py as gp
    >>> outcome = gp.run("SAOP", "company_car", parties=["boulware", "conceder"], seed=1)
    >>> outcome.reason.value
    'agreement'

    `protocol` is a spec; `domain` a bundled name, a path, a ``random:`` spec or a `Scenario`;
    each of `parties` a spec, a class or a factory. A spec that ends with ``@`` and one of the
    domain's roles is seated there; any other ``@`` is part of it. Where fewer than two are named,
    classical bots take the other seats. Two or more play among themselves: profiles that are left
    over take no part (``outcome.plan.absent``).

    Raises:
        UnknownName: a protocol, party, domain or role is not known.
        DomainError: the domain cannot be read.
        OptionError: a setting is impossible, such as more parties than profiles.
    """
    plan, makers = plan_session(
        protocol,
        domain,
        parties=parties,
        mediator=mediator,
        deadline=deadline,
        seed=seed,
        retries=retries,
        on_fault=on_fault,
        faithful=faithful,
    )
    return SessionManager(plan, makers).run()


def plan_session(
    protocol: str,
    domain: str | Scenario,
    *,
    parties: Sequence[PartySource] = (),
    mediator: PartySource | None = None,
    deadline: Deadline | str | int | None = None,
    seed: int = 0,
    retries: int = 0,
    on_fault: FaultPolicy = "fail",
    faithful: bool = False,
) -> tuple[SessionPlan, Mapping[str, PartySource]]:
    """Resolve every name; return the plan and, by seat id, what makes the parties.

    Raises: as `run`.
    """
    scenario = domain if isinstance(domain, Scenario) else formats.load(domain)
    rules = registry.find("protocol", registry.Spec.parse(protocol).target)
    seats, makers = _seats(scenario, rules, parties, mediator)
    plan = SessionPlan(
        protocol=_canonical(protocol, rules, scenario),
        scenario=_with_profiles_of(scenario, seats, makers),
        seats=seats,
        deadline=default_deadline(scenario, rules)
        if deadline is None
        else Deadline.parse(deadline),
        seed=seed,
        retries=retries,
        on_fault=on_fault,
        faithful=faithful,
    )
    return plan, makers


def default_deadline(scenario: Scenario, rules: type[MultilateralProtocol]) -> Deadline:
    """The deadline of a session that is given none: the scenario's, or else 60 rounds.

    A single round is that of the scenario's own protocol alone, such as a sealed auction; another
    game would be over before it had begun.
    """
    own = scenario.deadline
    if own is None or (own.rounds == 1 and not _is_made_for(scenario, rules)):
        return Deadline(rounds=DEFAULT_ROUNDS)
    return own


def _is_made_for(scenario: Scenario, rules: type[MultilateralProtocol]) -> bool:
    """Whether a scenario names this protocol, or none."""
    if scenario.protocol is None:
        return True
    return registry.find("protocol", registry.Spec.parse(scenario.protocol).target) is rules


def _canonical(protocol: str, rules: type[MultilateralProtocol], scenario: Scenario) -> str:
    """The spec under its registered name, so that SAOP and alternating_offers write the same log.

    A class from a file keeps its place, by which a replay finds it again. Options that are not
    given are those of the scenario, if it is made for this protocol: a reverse auction's are.
    """
    spec = registry.Spec.parse(protocol)
    if scenario.protocol is not None:
        own = registry.Spec.parse(scenario.protocol)
        if own.options and registry.find("protocol", own.target) is rules:
            spec = attrs.evolve(spec, options={**own.options, **spec.options})
    return str(spec if ":" in spec.target else attrs.evolve(spec, target=rules.name))


def _seats(
    scenario: Scenario,
    rules: type[MultilateralProtocol],
    parties: Sequence[PartySource],
    mediator: PartySource | None,
) -> tuple[list[SeatPlan], dict[str, PartySource]]:
    if not scenario.roles:
        raise OptionError(
            f"{scenario.name!r} has no profiles to seat parties at; add --profile FILE once for "
            f"each party (profiles= of load), or name the folder that holds them."
        )
    if isinstance(parties, str) or not isinstance(parties, Iterable):
        raise OptionError(
            f"Parties are a list, one for each seat; write parties=[{_text(parties)!r}, ...]."
        )
    for one in parties if mediator is None else (*parties, mediator):
        _require_party(one)
    wanted: list[tuple[PartySource, str | None]] = [_role_of(party, scenario) for party in parties]
    named = [role for _, role in wanted if role is not None]
    free = [role for role in scenario.roles if role not in named]
    if len(wanted) < 2:
        missing = len(free) - sum(role is None for _, role in wanted)
        default = rules.default_parties
        bots = cycle(default[::-1] if wanted else default)
        wanted += [(next(bots), None) for _ in range(max(0, missing))]
    seats: list[SeatPlan] = []
    makers: dict[str, PartySource] = {}

    def seat(source: PartySource, role: str, name: str, is_mediator: bool) -> None:
        ids = (name, *(f"{name}@{number}" for number in range(2, len(seats) + 2)))
        free_id = next(own for own in ids if own not in makers)
        place = SeatPlan(free_id, role, _text(source), is_mediator)
        seats.append(place)
        makers[place.id] = source

    if rules.needs_mediator:
        source = mediator or rules.default_mediator
        if source is None:
            raise OptionError(f"Protocol {rules.name} needs a mediator; name one with mediator=.")
        if not _class_of(source).is_mediator:
            raise OptionError(f"{_text(source)} is not a mediator; {rules.name} needs one.")
        seat(source, "", "mediator", True)
    elif mediator is not None:
        raise OptionError(f"Protocol {rules.name} has no mediator's seat; leave the mediator out.")
    for number, (source, named_role) in enumerate(wanted, start=1):
        if _class_of(source).is_mediator:
            raise OptionError(
                f"{_text(source)} is a mediator and cannot sit among the parties; "
                f"name it with mediator= (--mediator)."
            )
        role = named_role or ""
        if named_role is None:
            if not free:
                raise OptionError(
                    f"There are {len(wanted)} parties for the {len(scenario.profiles)} profiles "
                    f"of {scenario.name!r}; name fewer parties or seat two at one with @ROLE."
                )
            role = free.pop(0)
        seat(source, role, role or f"party{number}", False)
    fewest, most = rules.parties_range
    if len(wanted) < fewest or (most is not None and len(wanted) > most):
        bounds = f"{fewest} or more" if most is None else f"{fewest} to {most}"
        bounds = str(fewest) if fewest == most else bounds
        raise OptionError(
            f"Protocol {rules.name} needs {bounds} parties, not {len(wanted)}; name as many."
        )
    return seats, makers


def _with_profiles_of(
    scenario: Scenario, seats: Sequence[SeatPlan], makers: Mapping[str, PartySource]
) -> Scenario:
    """The scenario with the profiles that parties bring along."""
    brought = {}
    for seat in seats:
        source, role = makers[seat.id], seat.role
        if not role:
            continue
        space = scenario.profile(role)
        own = _profile_for(source, space)
        if own is not space:
            if sum(other.role == role for other in seats) > 1:
                raise OptionError(
                    f"{_text(source)} brings a profile of its own, but others sit at {role!r} "
                    f"too; seat it at a role that it has for itself."
                )
            brought[role] = own
    if not brought:
        return scenario
    return attrs.evolve(scenario, profiles={**scenario.profiles, **brought})


def _profile_for(source: PartySource, space: UtilitySpace) -> UtilitySpace:
    try:
        own = _class_of(source).profile_for(space, _options_of(source))
    except GeniusError:
        raise
    except Exception as error:
        raise OptionError(
            f"{_text(source)} cannot say what its profile is: {type(error).__name__}: {error}."
        ) from error
    if not isinstance(own, UtilitySpace):
        raise OptionError(
            f"{_text(source)} brings a {type(own).__name__} for a profile; profile_for must "
            f"return a utility space."
        )
    return own


def _role_of(party: PartySource, scenario: Scenario) -> tuple[PartySource, str | None]:
    """A spec and the role that it ends with, the longest one; any other ``@`` belongs to the spec.

    Raises:
        UnknownName: what follows the last ``@`` is no role, and only without it there is a party.
    """
    if not isinstance(party, str) or "@" not in party:
        return party, None
    ends = [role for role in scenario.roles if party.endswith(f"@{role}")]
    if ends:
        role = max(ends, key=len)
        return party.removesuffix(f"@{role}"), role
    spec, _, meant = party.rpartition("@")
    if not _is_party(party) and _is_party(spec):
        scenario.profile(meant)
    return party, None


def _is_party(spec: str) -> bool:
    try:
        _class_of(spec)
    except (UnknownName, OptionError):
        return False
    return True


def _require_party(source: object) -> None:
    """Refuse what can make no party; a class or factory is what can be called."""
    made = source.func if isinstance(source, partial) else source
    if inspect.isclass(made):
        if not issubclass(made, NegotiationParty):
            raise OptionError(
                f"{made.__qualname__} is no party; derive it from genius_py.NegotiationParty, or "
                f"from genius_py.bidding.BiddingParty, which asks for less."
            )
    elif isinstance(made, NegotiationParty):
        raise OptionError(
            f"{type(made).__qualname__}(...) is a party already; name the class, or a function "
            f"that makes one, for each session needs a fresh party."
        )
    elif not isinstance(made, str) and not callable(made):
        raise OptionError(
            f"{made!r} is no party; name a spec such as 'boulware', a class, or a function that "
            f"makes a party."
        )


def _text(source: PartySource) -> str:
    if isinstance(source, str):
        return source
    name = getattr(source, "name", "") or getattr(source, "__qualname__", type(source).__name__)
    return str(name)


def _class_of(source: PartySource) -> Any:
    if isinstance(source, str):
        return registry.find("party", registry.Spec.parse(source).target)
    made = source.func if isinstance(source, partial) else source
    return made if inspect.isclass(made) else NegotiationParty


def _options_of(source: PartySource) -> Mapping[str, object]:
    if isinstance(source, str):
        return registry.Spec.parse(source).options
    return source.keywords if isinstance(source, partial) else {}


@contextmanager
def rarer_collections() -> Iterator[None]:
    """Look for reference cycles less often while the block runs.

    A session makes thousands of small values, and all of them stay alive in its log. Python looks
    through them for garbage whenever 700 more have been made, a tenth of a session's time. Who
    plays many sessions does best to do so in one such block.
    """
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], _COLLECT_AFTER) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


class _Stopwatch:
    """Seconds since it was started.

    It knows nothing of its session: a cycle would keep thousands of values alive until Python
    looks for such.
    """

    __slots__ = ("_clock", "_started")

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = 0.0

    def start(self) -> None:
        self._started = self._clock()

    def seconds(self) -> float:
        return self._clock() - self._started


class SessionManager:
    """One session in this process: makes the parties, delivers, asks, and catches.

    `run` plays it through. `start`, `tell`, `ask` and `send` do the same step by step, for
    drivers that interleave many sessions. `clock` gives seconds and is read for deadlines in
    seconds only.
    """

    def __init__(
        self,
        plan: SessionPlan,
        makers: Mapping[str, PartySource] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        persistent: Mapping[str, object] | None = None,
    ) -> None:
        self.plan = plan
        self.protocol: MultilateralProtocol = registry.make("protocol", plan.protocol)
        self.seats = tuple(Seat(s.id, s.role, s.is_mediator) for s in plan.seats)
        self._stopwatch = _Stopwatch(clock)
        self.session = Session(
            plan.scenario.domain,
            plan.deadline,
            Timeline(plan.deadline, self._stopwatch.seconds),
            seed=plan.stream(1),
            retries=plan.retries,
            on_fault=plan.on_fault,
            faithful=plan.faithful,
            profiles={seat.id: plan.profile(seat) for seat in plan.parties},
        )
        self.parties: dict[str, NegotiationParty] = {}
        self._views = [TimelineView(plan.deadline) for _ in self.seats]
        self._round, self._time = 0, 0.0
        self._makers = makers or {}
        self._persistent = persistent or {}
        self._play: Negotiation | None = None

    def run(self) -> Outcome:
        """Play the session to its end."""
        step = self.start()
        if step is not None:
            assert self._play is not None
            send, answers = self._play.send, self.answers
            with rarer_collections():
                try:
                    while True:
                        step = send(answers(step))
                except StopIteration:
                    pass
        return self.outcome

    @property
    def outcome(self) -> Outcome:
        """What came of the session, once it has ended."""
        return Outcome(self.plan, self.session.log)

    def start(self) -> Step | None:
        """Make the parties and begin; the first step, None when there is none."""
        failed = self._make_parties()
        # Making the parties is not charged to their time.
        self._stopwatch.start()
        self._play = negotiate(self.protocol, self.session, self.seats)
        step: Step | None = next(self._play)
        if failed is not None:
            step = self.send([failed])
        return step

    def _make_parties(self) -> Fault | None:
        for number, seat in enumerate(self.plan.seats):
            source = self._makers.get(seat.id, seat.party)
            try:
                party = self._make(source)
                stream = self.plan.stream(2 + number)
                party.init(
                    NegotiationInfo(
                        agent_id=seat.id,
                        role=seat.role,
                        utility_space=self.plan.profile(seat),
                        seats=tuple(s.id for s in self.plan.seats),
                        protocol=self.protocol.name,
                        deadline=self.plan.deadline,
                        timeline=self._views[number],
                        history=self.session.log.seen_by(seat.id),
                        seed=int(stream.generate_state(1)[0]) >> 1,
                        seed_sequence=stream,
                        faithful=self.plan.faithful,
                        persistent=self._persistent.get(seat.id),
                    )
                )
            except (UnknownName, OptionError, KeyboardInterrupt):
                raise  # by or for whoever asked for the session
            except BaseException as error:
                return Fault.thrown(seat.id, error, _class_of(source), "init")
            self.parties[seat.id] = party
        return None

    def _make(self, source: PartySource) -> NegotiationParty:
        party = registry.make("party", source) if isinstance(source, str) else source()
        if not isinstance(party, NegotiationParty):
            raise PartyFailure(
                f"{_text(source)} made a {type(party).__name__}, which is no NegotiationParty"
            )
        return party

    def answers(self, step: Step) -> list[Answer | Notes]:
        """Everything one step asks for: deliver, then ask or bid farewell.

        Whatever a party throws is its own failure, leaving the interpreter included; only a person
        at the keyboard can end more than a session.
        """
        tell, ask, round_number, time, ended = step
        if ended is not None:
            late = [*self._last_words(tell)]
            self._move_clock(round_number, time)
            return [*late, *self._farewell(ended.agreement)]
        parties = self.parties
        listener, heard = "", 0
        try:
            for event in tell:
                for listener in event.audience:
                    parties[listener].receive_message(event.party or None, event.action)  # type: ignore[arg-type]
                    heard += 1
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            mind = type(parties[listener])
            return [Fault.thrown(listener, error, mind, "receive_message", delivered=heard)]
        if time != self._time or round_number != self._round:
            self._move_clock(round_number, time)
        if not ask:
            return []
        if len(ask) == 1:
            turn = ask[0]
            party = turn.party.id
            try:
                answer = parties[party].choose_action(turn.allowed)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                return [Fault.thrown(party, error, type(parties[party]))]
            return [own_answer(party, answer) if isinstance(answer, Fault) else answer]
        return [self.ask(turn) for turn in ask]

    def _move_clock(self, round_number: int, time: float) -> None:
        """Have everybody see the clock at which they are asked now."""
        self._round, self._time = round_number, time
        for view in self._views:
            view.show(round_number, time)

    def ask(self, turn: Turn) -> Answer:
        """One party's answer to one turn; whatever it throws becomes a `Fault`."""
        party = self.parties[turn.party.id]
        try:
            return own_answer(turn.party.id, party.choose_action(turn.allowed))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Fault.thrown(turn.party.id, error, type(party))

    def _last_words(self, tell: Sequence[Event]) -> Iterator[Fault]:
        """Deliver what was done before time ran out; nobody can hold up the end any more."""
        for event in tell:
            for listener in event.audience:
                try:
                    self.parties[listener].receive_message(event.sender, event.action)  # type: ignore[arg-type]
                except KeyboardInterrupt:
                    raise
                except BaseException as error:
                    mind = type(self.parties[listener])
                    yield Fault.thrown(listener, error, mind, "receive_message")

    def _farewell(self, agreement: Bid | None) -> Iterator[Fault | Notes]:
        told = self.session.log[-1].audience
        for seat_id, party in self.parties.items():
            try:
                heard = agreement if seat_id in told else None
                notes = dict(party.negotiation_ended(heard) or {})
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                yield Fault.thrown(seat_id, error, type(party), "negotiation_ended")
            else:
                if notes:
                    yield Notes(seat_id, notes)

    def send(self, answers: Sequence[Answer | Notes]) -> Step | None:
        """Hand the answers in; the next step, None when the session is over."""
        assert self._play is not None, "start() comes first"
        try:
            return self._play.send(answers)
        except StopIteration:
            return None


def own_answer(party: str, answer: Answer) -> Answer:
    """What a party answers; a `Fault` among its answers is one of its own choosing.

    Nobody can accuse another, or of anything but not having chosen.
    """
    if isinstance(answer, Fault):
        return Fault(party, answer.reason, fatal=answer.fatal, place=answer.place)
    return answer
