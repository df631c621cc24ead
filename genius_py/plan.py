"""The plan of a session: everything that decides how it will go, as one value."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
import numpy as np

from genius_py.deadline import Deadline
from genius_py.errors import OptionError
from genius_py.fault import FaultPolicy
from genius_py.scenario import Scenario
from genius_py.utility import UtilitySpace

__all__ = ["SeatPlan", "SessionPlan"]


@attrs.frozen
class SeatPlan:
    """Who sits where: the seat's id, its profile's role, and the party's spec as text."""

    id: str
    role: str
    party: str
    is_mediator: bool = False

    def __attrs_post_init__(self) -> None:
        if not all(isinstance(text, str) for text in (self.id, self.role, self.party)):
            raise OptionError(f"A seat's id, role and party are texts; {self!r} has another.")
        if not isinstance(self.is_mediator, bool):
            raise OptionError(f"Seat {self.id!r} is a mediator's or not, true or false.")

    def __str__(self) -> str:
        return f"{self.id}: {self.party}"


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


def _as_tuple(given: Iterable[SeatPlan]) -> tuple[SeatPlan, ...]:
    return tuple(given)


@attrs.frozen
class SessionPlan:
    """What a log's header holds: the same plan gives the same log, byte for byte.

    `protocol` is a spec (name and options). `seats` stand in turn order, a mediator first.

    Raises:
        OptionError: a setting is impossible, or there are no profiles.
        UnknownName: a seat has a role that the scenario does not have.
    """

    protocol: str
    scenario: Scenario
    seats: tuple[SeatPlan, ...] = attrs.field(converter=_as_tuple)
    deadline: Deadline
    seed: int = attrs.field(default=0)
    retries: int = 0
    on_fault: FaultPolicy = "fail"
    faithful: bool = False

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.protocol, str):
            raise OptionError(f"A plan names its protocol by a text, not by {self.protocol!r}.")
        if not _is_count(self.seed):
            raise OptionError(f"A seed is a whole number from 0 on, not {self.seed!r}.")
        if not _is_count(self.retries):
            raise OptionError(f"The number of retries must be 0 or more, not {self.retries!r}.")
        if not isinstance(self.faithful, bool):
            raise OptionError(f"A session is faithful or not, true or false: {self.faithful!r}.")
        if self.on_fault not in ("fail", "forfeit"):
            raise OptionError(f"on_fault is 'fail' or 'forfeit', not {self.on_fault!r}.")
        ids = [seat.id for seat in self.seats]
        if len(set(ids)) < len(ids):
            raise OptionError(f"Two seats have the same id: {', '.join(ids)}.")
        if not self.scenario.roles:
            raise OptionError(f"{self.scenario.name!r} has no profiles to seat anybody at.")
        for seat in self.seats:
            self.profile(seat)

    @property
    def parties(self) -> tuple[SeatPlan, ...]:
        """The seats of those who negotiate, without the mediator."""
        return tuple(seat for seat in self.seats if not seat.is_mediator)

    @property
    def absent(self) -> tuple[str, ...]:
        """The roles of the scenario that nobody has: they have no say in what is agreed."""
        seated = {seat.role for seat in self.seats}
        return tuple(role for role in self.scenario.roles if role not in seated)

    def profile(self, seat: SeatPlan) -> UtilitySpace:
        """The utility space of who sits there; a mediator is lent the first one, as in Genius."""
        return self.scenario.profile(seat.role or self.scenario.roles[0])

    def stream(self, purpose: int) -> np.random.SeedSequence:
        """The random stream of a purpose: 0 the scenario, 1 the protocol, 2 + i the i-th seat.

        Each depends on the seed and its purpose only, so that another party's draws change none.
        """
        return np.random.SeedSequence(self.seed, spawn_key=(purpose,))
