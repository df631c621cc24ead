"""The loop: one negotiation as a generator that never touches a party.

Everyone who lets parties negotiate drives this generator: in process, in lockstep with other
sessions, from a recorded log, at a terminal, or through a pipe. What may go wrong is decided
here, so that a replay decides it in the same way.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from genius_py.action import Action, EndNegotiation, Forfeit, Say
from genius_py.errors import ActionError
from genius_py.fault import Fault
from genius_py.log import Ending, Event, Kind, Reason, Standing
from genius_py.plain import plain
from genius_py.protocol import MultilateralProtocol
from genius_py.session import Answer, Notes, Reply, Round, Seat, Session, Step, Turn

__all__ = ["Negotiation", "negotiate"]

Negotiation: TypeAlias = Generator[Step, Sequence[Answer | Notes], Ending]

# A NamedTuple's own constructor costs twice as much, at every turn.
_new: Any = tuple.__new__


def negotiate(
    protocol: MultilateralProtocol, session: Session, seats: Sequence[Seat]
) -> Negotiation:
    """Play one session; yields what its driver is to do, and returns how it ended.

    The order is that of Genius 10.4 (its SessionManager): `before_session`; then rounds, until
    the protocol is finished or the deadline reached, which are looked at after and before every
    turn; then `after_session`, the agreement, and everybody is told. Every action, fault and
    note becomes one event of ``session.log``.

    A fault is asked again ``session.retries`` times. Then ``session.on_fault`` decides: "fail"
    ends the session, keeping an agreement that stands already; "forfeit" plays `Forfeit` for the
    party. In a ``faithful`` session a fault always destroys the agreement, a deadline in seconds
    removes rounds, and the agreement is asked after every turn, as the original does.
    """
    return _Table(protocol, session, tuple(seats)).play()


class _SessionFailed(Exception):
    """A fault that ends the session; it is in the log already."""


class _Table:
    def __init__(
        self, protocol: MultilateralProtocol, session: Session, seats: tuple[Seat, ...]
    ) -> None:
        self.protocol = protocol
        self.session = session
        self.seats = seats
        self.tell: tuple[Event, ...] = ()
        self.audiences: dict[tuple[Seat, ...], tuple[str, ...]] = {(): ()}

    def play(self) -> Negotiation:
        protocol, session, seats = self.protocol, self.session, self.seats
        timeline, rounds, append = session.timeline, session.rounds, session.log.append
        faithful, audiences, kind = session.faithful, self.audiences, Kind.ACTION
        # In a deadline of rounds alone no time passes within a round.
        clocked = session.deadline.seconds is not None
        failed = False
        try:
            yield from self.open()
            while True:
                round_ = protocol.get_round_structure(seats, session)
                rounds.append(round_)
                number = len(rounds)
                before = timeline.round, timeline.time
                if timeline.reached(number):
                    rounds.pop()
                    yield from self.told()
                    break
                finished = is_late = False
                if round_.sealed:
                    yield from self.sealed_round(round_)
                    finished = protocol.is_finished(session, seats)
                else:
                    time, done = timeline.time, round_.actions
                    for turn in round_.turns:
                        if clocked:
                            is_late = timeline.reached(number)
                            if is_late:
                                self.cut_off(round_)
                                break
                            time = timeline.time
                        answers = yield _new(Step, (self.tell, (turn,), number, time, None))
                        action = answers[0]
                        seat, allowed = turn
                        # The common case is spelt out here; everything odd goes the long way.
                        if allowed.complaint(action) or action.party != seat.id:  # type: ignore[union-attr]
                            action = yield from self.contested(turn, answers)
                        else:
                            try:
                                protocol.apply_action(action, session)  # type: ignore[arg-type]
                            except ActionError as refusal:
                                action = yield from self.contested(turn, answers, refusal)
                        done.append(action)  # type: ignore[arg-type]
                        hearers = protocol.get_action_listeners(seats).get(seat, ())
                        # tuple() of a tuple would cost a call; some protocols keep lists.
                        listeners = hearers if isinstance(hearers, tuple) else tuple(hearers)
                        audience = audiences.get(listeners)
                        if audience is None or action.__class__ is Say:
                            audience = self.audience(listeners, action)
                        event = _new(
                            Event,
                            (kind, number, len(done), time, seat.id, action, audience, None),
                        )
                        append(event)
                        self.tell = (event,)
                        if faithful:
                            self.note_standing()
                        finished = protocol.is_finished(session, seats)
                        if finished and not protocol.finish_round:
                            break
                if is_late:
                    break
                # What was done last is told with the next question, which saves a step; but at once
                # where the clock is looked at first, and where the round asked nobody.
                if faithful or clocked or not round_.actions:
                    yield from self.told()
                if faithful and timeline.reached(number):
                    self.drop_round()
                    break
                if faithful and not (round_.actions or clocked):
                    timeline.show(*before)  # Genius moves its clock at turns, not at rounds.
                if finished or (not round_.actions and protocol.is_finished(session, seats)):
                    yield from self.told()
                    break
        except _SessionFailed:
            failed = True
        return (yield from self.close(failed))

    def open(self) -> Generator[Step, Sequence[Answer | Notes], None]:
        told = self.protocol.before_session(self.session, self.seats)
        timeline = self.session.timeline
        self.tell = tuple(
            Event(Kind.INFORM, 0, 0, timeline.time, "", action, (seat.id,))
            for seat in self.seats
            for action in told.get(seat, ())
        )
        for event in self.tell:
            self.session.log.append(event)
        # A step even when there is nothing to tell: whoever could not be prepared is named here.
        while answers := (yield Step(self.tell, (), timeline.round, timeline.time)):
            self.unheard(answers[0])
        self.tell = ()

    def told(self) -> Generator[Step, Sequence[Answer | Notes], None]:
        """Have everybody told what is due, where nobody is asked along with it."""
        while self.tell:
            last = self.tell[-1]
            answers = yield Step(self.tell, (), last.round, last.time)
            if answers:
                self.unheard(answers[0])
            else:
                self.tell = ()

    def sealed_round(self, round_: Round) -> Generator[Step, Sequence[Answer | Notes], None]:
        """All turns are asked at once; nothing is logged or told before the last is in."""
        session, protocol, seats = self.session, self.protocol, self.seats
        yield from self.told()
        turns, number = tuple(round_.turns), session.round_number
        answers = yield Step((), turns, number, session.timeline.time)
        events = []
        try:
            for turn, answer in zip(turns, answers, strict=True):
                action = yield from self.settle(turn, answer)
                round_.actions.append(action)
                listeners = tuple(protocol.get_action_listeners(seats).get(turn.party, ()))
                events.append(
                    Event(
                        Kind.ACTION,
                        number,
                        len(round_.actions),
                        session.timeline.time,
                        turn.party.id,
                        action,
                        self.audience(listeners, action),
                    )
                )
        finally:  # what was done before another one failed is done, and a replay needs it
            for event in events:
                session.log.append(event)
        self.tell = tuple(events)
        if session.faithful:
            self.note_standing()

    def step(
        self, tell: tuple[Event, ...], ask: tuple[Turn, ...], ended: Ending | None = None
    ) -> Step:
        session = self.session
        return Step(tell, ask, session.round_number, session.timeline.time, ended)

    def contested(
        self,
        turn: Turn,
        answers: Sequence[Answer | Notes],
        refusal: ActionError | None = None,
    ) -> Generator[Step, Sequence[Answer | Notes], Action]:
        """A single turn whose first answer was not a plain, legal action."""
        answer = answers[0]
        while _is_deaf(answer):
            self.unheard(answer)
            answer = (yield self.step(self.tell, (turn,)))[0]
        self.tell = ()
        return (yield from self.settle(turn, answer, refusal))

    def settle(
        self, turn: Turn, answer: object, refusal: ActionError | None = None
    ) -> Generator[Step, Sequence[Answer | Notes], Action]:
        """The action that comes of a turn, asking again and applying policy where needed."""
        session, party = self.session, turn.party.id
        allowed = turn.allowed
        for attempts_left in range(session.retries, -1, -1):
            action, message, notes = _opened(answer)
            try:
                self.note(party, notes)
            except ActionError as error:
                action = Fault(party, str(error))
            if isinstance(action, Fault):
                fault = attrs.evolve(action, party=party, round=session.round_number)
            else:
                try:
                    if refusal is not None:
                        raise refusal
                    return self.applied(turn, action, message)
                except ActionError as error:
                    fault = Fault(party, str(error), round=session.round_number)
                    refusal = None
            self.log(Kind.FAULT, party, fault)
            if fault.fatal:
                raise _SessionFailed
            if attempts_left:
                again = Turn(turn.party, allowed.refused(fault.reason))
                answer = (yield self.step((), (again,)))[0]
        if session.on_fault == "fail":
            raise _SessionFailed
        forfeit = Forfeit(party)
        self.protocol.apply_action(forfeit, session)
        return forfeit

    def applied(self, turn: Turn, action: object, message: object) -> Action:
        # Before the message is put in, since only then it is known to be an action.
        if complaint := turn.allowed.complaint(action):
            raise ActionError(complaint)
        assert isinstance(action, Action)
        if message:
            action = attrs.evolve(action, message=message)  # type: ignore[arg-type]
            if complaint := turn.allowed.complaint(action):
                raise ActionError(complaint)
        if action.party != turn.party.id:
            raise ActionError(f"acted in the name of {action.party!r}; use the own id")
        self.protocol.apply_action(action, self.session)
        return action

    def note(self, party: str, notes: Mapping[str, object] | None) -> None:
        """Log a party's notes as plain data, which it cannot change later."""
        if not notes:
            return
        try:
            kept = plain(notes)
        except Exception as error:  # a mapping of its own may raise anything
            raise ActionError(
                f"took notes that hold {error}; use text, numbers, lists and mappings"
            ) from error
        self.log(Kind.NOTE, party, kept)

    def unheard(self, fault: object) -> None:
        """A listener failed: end the session, or go on with the listeners behind it."""
        assert isinstance(fault, Fault)
        session = self.session
        number, turn, time = session.round_number, session.turn_number + 1, session.timeline.time
        is_begun = False
        if self.tell and (last := self.tell[-1]).round < number:
            # What was done last in a round is heard as part of it, but told when the next begins.
            number, turn, time, is_begun = last.round, last.turn + 1, last.time, True
        fault = attrs.evolve(fault, round=number)
        session.log.append(Event(Kind.FAULT, number, turn, time, fault.party, None, (), fault))
        if fault.fatal or session.on_fault == "fail":
            self.tell = ()
            if is_begun:
                self.drop_round()
            raise _SessionFailed
        skip, rest = fault.delivered + 1, []
        for event in self.tell:
            heard = min(skip, len(event.audience))
            skip -= heard
            if heard < len(event.audience):
                rest.append(event._replace(audience=event.audience[heard:]))
        self.tell = tuple(rest)

    def close(self, failed: bool) -> Negotiation:
        protocol, session, seats = self.protocol, self.session, self.seats
        if not failed:
            session.is_over = True
            protocol.after_session(session, seats)
        agreement = None
        if not (failed and session.faithful):
            agreement = protocol.get_current_agreement(session, seats)
        ending = Ending(
            agreement=agreement,
            reason=self.reason(failed, agreement is not None),
            detail=protocol.detail,
            agreeing_parties=protocol.get_number_of_agreeing_parties(session, seats),
            rounds=session.round_number,
            payoffs=protocol.payoffs(session, seats),
        )
        told = tuple(seat.id for seat in protocol.get_agreement_listeners(seats))
        session.log.append(
            Event(
                Kind.END,
                session.round_number,
                session.turn_number,
                session.timeline.time,
                "",
                None,
                told,
                ending,
            )
        )
        for came_of_it in (yield self.step(self.tell, (), ending)):
            if isinstance(came_of_it, Notes):
                try:
                    self.note(*came_of_it)
                    continue
                except ActionError as error:
                    came_of_it = Fault(came_of_it.party, str(error), during="negotiation_ended")
            assert isinstance(came_of_it, Fault)
            fault = attrs.evolve(came_of_it, round=session.round_number)
            self.log(Kind.FAULT, fault.party, fault)
        return ending

    def reason(self, failed: bool, agreed: bool) -> Reason:
        if agreed:
            return Reason.AGREEMENT
        if failed:
            return Reason.FAULT
        last = next((e.action for e in reversed(self.session.log) if e.action is not None), None)
        if isinstance(last, EndNegotiation):
            return Reason.WALKAWAY
        if self.protocol.is_finished(self.session, self.seats):
            return Reason.ENDED
        return Reason.DEADLINE

    def audience(self, listeners: tuple[Seat, ...], action: object) -> tuple[str, ...]:
        """The ids of those who hear an action; kept, since most actions have the same."""
        audience = self.audiences.setdefault(listeners, tuple(seat.id for seat in listeners))
        if isinstance(action, Say) and action.to:
            return tuple(party for party in audience if party in action.to)
        return audience

    def note_standing(self) -> None:
        protocol, session = self.protocol, self.session
        standing = Standing(
            protocol.get_current_agreement(session, self.seats),
            protocol.get_number_of_agreeing_parties(session, self.seats),
        )
        self.log(Kind.STANDING, "", standing)

    def cut_off(self, round_: Round) -> None:
        """Time is up before a turn. Done turns stay done; Genius removes them and more."""
        if self.session.faithful:
            self.drop_round()
            self.drop_round()
        elif not round_.actions:
            self.drop_round()

    def drop_round(self) -> None:
        if self.session.rounds:
            self.session.rounds.pop()

    def log(self, kind: str, party: str, detail: object) -> None:
        session = self.session
        session.log.append(
            Event(
                kind,
                session.round_number,
                session.turn_number + 1,
                session.timeline.time,
                party,
                None,
                (),
                detail,
            )
        )


def _opened(answer: object) -> tuple[object, object, Mapping[str, object] | None]:
    """The action of an answer, with the message and notes that a `Reply` adds to it."""
    if type(answer) is not Reply:
        return answer, "", None
    try:
        return answer.action, answer.message, answer.notes
    except AttributeError:  # made without its __init__
        return answer, "", None


def _is_deaf(answer: object) -> bool:
    return isinstance(answer, Fault) and answer.during in ("init", "receive_message")
