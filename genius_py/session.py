"""The state of one negotiation: seats, rounds, turns, and what passes between loop and driver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import attrs
import numpy as np

from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.fault import Fault, FaultPolicy
from genius_py.log import Ending, Event, Log

if TYPE_CHECKING:
    from genius_py.deadline import Deadline, Timeline
    from genius_py.domain import Domain
    from genius_py.plan import SessionPlan
    from genius_py.utility import UtilitySpace

__all__ = [
    "Answer",
    "Notes",
    "Reply",
    "Round",
    "Seat",
    "Session",
    "Step",
    "Turn",
    "seats_of",
]


@attrs.frozen(eq=False)
class Seat:
    """A place at the table, as protocols see it: who sits there is none of their business.

    Compared by identity, because protocols look seats up in dictionaries at every turn.
    """

    id: str
    role: str = ""
    is_mediator: bool = False

    def __str__(self) -> str:
        return self.id


class Turn(NamedTuple):
    """The right of one seat to act once, with what it may do. A tuple, for speed."""

    party: Seat
    allowed: Allowed

    @property
    def refusal(self) -> str:
        """Why the last answer to this turn was refused; empty when it is asked first."""
        return self.allowed.refusal


class Round:
    """The turns of one round, in order, and the actions done so far.

    `turns` may be lazy: the next is then drawn after the one before has been applied, so that it
    can depend on it. With `sealed`, all turns are asked at once and nobody hears anything before
    the last answer is in.
    """

    __slots__ = ("actions", "sealed", "turns")

    def __init__(self, turns: Iterable[Turn] = (), *, sealed: bool = False) -> None:
        self.turns = turns
        self.sealed = sealed
        self.actions: list[Action] = []

    @property
    def most_recent_action(self) -> Action | None:
        """The action of the last done turn, None at the round's start."""
        return self.actions[-1] if self.actions else None

    def __iter__(self) -> Iterator[Turn]:
        return iter(self.turns)


def _copied(given: Mapping[str, object]) -> Mapping[str, object]:
    return dict(given)


@attrs.frozen
class Reply:
    """An action with a message for its audience and notes that only the party itself keeps."""

    action: Action
    message: str = ""
    notes: Mapping[str, object] = attrs.field(factory=dict, converter=_copied)


Answer: TypeAlias = Action | Reply | Fault
"""What a driver sends for one turn."""


class Notes(NamedTuple):
    """What a party wrote down for itself; logged, shown to nobody else."""

    party: str
    notes: Mapping[str, object]


class Step(NamedTuple):
    """What the loop wants from its driver: deliver `tell` in order, then ask `ask`.

    Each event of `tell` is delivered to every id of its audience, in order, as
    ``receive_message(event.sender, event.action)``. Then it is `round` and `time` for the parties:
    the last thing done in a round is heard before the clock moves on. The driver then sends a
    sequence with one `Answer` per turn asked. When a delivery fails it stops delivering and sends
    one `Fault` with ``during="receive_message"`` instead. When `ended` is set, the driver tells
    every party the agreement and sends the `Fault`s and `Notes` that came of it.
    """

    tell: tuple[Event, ...]
    ask: tuple[Turn, ...]
    round: int
    time: float
    ended: Ending | None = None


class Session:
    """Everything a protocol may look at while it decides.

    `rng` is the only source of chance for rules (a random turn order, a seeded tie-break).
    `profiles` (by seat id) are there for `payoffs` alone, for games that pay more than once.
    `is_over` turns true when the last turn has been played, before the final agreement is asked.
    """

    def __init__(
        self,
        domain: Domain,
        deadline: Deadline,
        timeline: Timeline,
        *,
        seed: np.random.SeedSequence | int = 0,
        retries: int = 0,
        on_fault: FaultPolicy = "fail",
        faithful: bool = False,
        profiles: Mapping[str, UtilitySpace] | None = None,
    ) -> None:
        self.domain = domain
        self.deadline = deadline
        self.timeline = timeline
        self.retries = retries
        self.on_fault: FaultPolicy = on_fault
        self.faithful = faithful
        self.profiles = profiles or {}
        self.rounds: list[Round] = []
        self.log = Log()
        self.is_over = False
        self._seed = seed
        self._rng: np.random.Generator | None = None

    @classmethod
    def of(cls, plan: SessionPlan, timeline: Timeline) -> Session:
        """The session that a plan describes, in which nothing has happened yet."""
        return cls(
            plan.scenario.domain,
            plan.deadline,
            timeline,
            seed=plan.stream(1),
            retries=plan.retries,
            on_fault=plan.on_fault,
            faithful=plan.faithful,
            profiles={seat.id: plan.profile(seat) for seat in plan.parties},
        )

    @property
    def rng(self) -> np.random.Generator:
        """The protocol's own random stream, the same whenever the session is run again."""
        if self._rng is None:
            self._rng = np.random.default_rng(self._seed)
        return self._rng

    @property
    def round_number(self) -> int:
        """Rounds started so far: 0 while the first round is being built, then 1."""
        return len(self.rounds)

    @property
    def turn_number(self) -> int:
        """Turns done in the current round."""
        return len(self.rounds[-1].actions) if self.rounds else 0

    @property
    def most_recent_round(self) -> Round | None:
        """The current round, None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def most_recent_action(self) -> Action | None:
        """The last action of the *current* round, None at its start (as in Genius)."""
        return self.rounds[-1].most_recent_action if self.rounds else None


def seats_of(plan: SessionPlan) -> tuple[Seat, ...]:
    """The seats that a plan describes, new ones each time."""
    return tuple(Seat(seat.id, seat.role, seat.is_mediator) for seat in plan.seats)
