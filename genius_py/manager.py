"""The session manager: makes the parties and drives one session in this process."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from genius_py import registry
from genius_py.bid import Bid
from genius_py.deadline import Deadline, Timeline, TimelineView
from genius_py.errors import OptionError, UnknownName
from genius_py.fault import Fault, FaultPolicy
from genius_py.log import Event
from genius_py.negotiation import Negotiation, negotiate
from genius_py.outcome import Outcome
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.party_source import PartySource, class_of, make_party
from genius_py.plan import SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.seating import plan_session
from genius_py.session import Answer, Notes, Session, Step, Turn, seats_of

__all__ = ["SessionManager", "own_answer", "run"]

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
        self.seats = seats_of(plan)
        self._stopwatch = _Stopwatch(clock)
        self.session = Session.of(plan, Timeline(plan.deadline, self._stopwatch.seconds))
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
                party = make_party(source)
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
                return Fault.thrown(seat.id, error, class_of(source), "init")
            self.parties[seat.id] = party
        return None

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
