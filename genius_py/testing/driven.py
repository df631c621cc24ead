"""A session without parties: whatever they would answer is fed in by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from genius_py import registry
from genius_py.action import Action
from genius_py.bid import Bid
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.errors import ActionError
from genius_py.fault import FaultPolicy
from genius_py.log import Ending, Log
from genius_py.negotiation import negotiate
from genius_py.outcome import Outcome
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.session import Answer, Notes, Session, Step, Turn, seats_of
from genius_py.utility import LinearUtilitySpace

__all__ = ["Driven", "drive"]


def drive(
    protocol: str | type[MultilateralProtocol] | MultilateralProtocol,
    answers: Iterable[Answer] = (),
    *,
    domain: Domain,
    parties: Sequence[str] = ("ann", "bob"),
    mediator: str | None = None,
    deadline: Deadline | str | int = 10,
    seed: int = 0,
    retries: int = 0,
    on_fault: FaultPolicy = "fail",
    faithful: bool = False,
    clock: Callable[[], float] = lambda: 0.0,
) -> Driven:
    """Feed answers to a protocol, one for each turn it asks, and see where that leads.

    The session stands still when the answers are used up; feed more, or look at it.

    >>> from genius_py.action import Accept, Offer
    >>> from genius_py.issue import IntegerIssue
    >>> sale = Domain("sale", [IntegerIssue("price", 1, 9)])
    >>> table = drive("SAOP", [Offer("ann", sale.bid(price=7))], domain=sale)
    >>> table.agreement, table.asked[0].party.id
    (None, 'bob')
    >>> table.feed(Accept("bob", sale.bid(price=7))).agreement
    <Bid price: 7>

    `protocol` is a spec, a class or a fresh object; `parties` are ids, in turn order, a
    `mediator`'s stands before them. `clock` gives seconds, and only deadlines in seconds read it.

    Raises:
        ActionError: there are answers left when the session is over.
    """
    ids = [*([mediator] if mediator is not None else []), *parties]
    rules = _made(protocol)
    worthless = LinearUtilitySpace(domain=domain, coefficients=[0.0] * len(domain.issues))
    plan = SessionPlan(
        protocol=protocol if isinstance(protocol, str) else rules.name,
        scenario=Scenario(domain, dict.fromkeys(parties, worthless)),
        seats=[SeatPlan(i, "" if i == mediator else i, "by hand", i == mediator) for i in ids],
        deadline=Deadline.parse(deadline),
        seed=seed,
        retries=retries,
        on_fault=on_fault,
        faithful=faithful,
    )
    return Driven(plan, rules, clock).feed(*answers)


def _made(
    protocol: str | type[MultilateralProtocol] | MultilateralProtocol,
) -> MultilateralProtocol:
    if isinstance(protocol, MultilateralProtocol):
        return protocol
    made: MultilateralProtocol = (
        registry.make("protocol", protocol) if isinstance(protocol, str) else protocol()
    )
    return made


class Driven:
    """A session that is driven by `feed`.

    `asked` are the turns that wait for an answer, empty when the session is over; `heard` is, for
    each id, what was delivered to it, in order, with its sender.
    """

    def __init__(
        self,
        plan: SessionPlan,
        protocol: MultilateralProtocol,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.plan = plan
        self.protocol = protocol
        self.seats = seats_of(plan)
        self.session = Session.of(plan, Timeline(plan.deadline, clock))
        self.asked: tuple[Turn, ...] = ()
        self.heard: dict[str, list[tuple[str | None, Action]]] = {s.id: [] for s in self.seats}
        self.ending: Ending | None = None
        self._answers: list[Answer | Notes] = []
        self._play = negotiate(protocol, self.session, self.seats)
        self._go_on(next(self._play))

    def feed(self, *answers: Answer) -> Driven:
        """Answer the turns that are asked, in order; a sealed round waits for its last answer.

        Raises:
            ActionError: the session is over.
        """
        for answer in answers:
            if not self.asked:
                raise ActionError(f"The session is over; there is no turn left for: {answer}.")
            self._answers.append(answer)
            if len(self._answers) == len(self.asked):
                self._send()
        return self

    def _send(self) -> None:
        answers, self._answers = self._answers, []
        self._go_on(self._play.send(answers))

    def _go_on(self, step: Step) -> None:
        """Deliver until somebody is asked or the session is over."""
        while True:
            for event in step.tell:
                assert event.action is not None
                for listener in event.audience:
                    self.heard[listener].append((event.sender, event.action))
            self.asked = step.ask
            if step.ask:
                return
            try:
                step = self._play.send(())
            except StopIteration as end:
                self.ending = end.value
                return

    @property
    def log(self) -> Log:
        """Everything that has happened."""
        return self.session.log

    @property
    def outcome(self) -> Outcome:
        """What came of the session, once it is over."""
        return Outcome(self.plan, self.session.log)

    @property
    def agreement(self) -> Bid | None:
        """What the protocol calls the agreement at present."""
        return self.protocol.get_current_agreement(self.session, self.seats)

    @property
    def agreeing_parties(self) -> int:
        """How many back the best supported offer, according to the protocol."""
        return self.protocol.get_number_of_agreeing_parties(self.session, self.seats)

    @property
    def is_over(self) -> bool:
        """Whether the session has ended."""
        return self.ending is not None

    @property
    def faults(self) -> tuple[str, ...]:
        """What was refused or failed, as sentences."""
        return tuple(str(event.detail) for event in self.log if event.kind == "fault")

    def may(self, *kinds: type[Action]) -> bool:
        """Whether the one turn that is asked allows exactly these classes, in this order."""
        return len(self.asked) == 1 and tuple(self.asked[0].allowed) == kinds

    def __repr__(self) -> str:
        waits = ", ".join(turn.party.id for turn in self.asked) or "nobody"
        return f"<Driven {self.plan.protocol}: round {self.session.round_number}, asks {waits}>"
