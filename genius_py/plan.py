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


def _as_tuple(given: Iterable[SeatPlan]) -> tuple[SeatPlan, ...]:
    return tuple(given)


@attrs.frozen
class SessionPlan:
    """What a log's header holds: the same plan gives the same log, byte for byte.

    `protocol` is a spec (name and options). `seats` stand in turn order, a mediator first.
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
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise OptionError(f"A seed is a whole number from 0 on, not {self.seed!r}.")
        if isinstance(self.retries, bool) or self.retries < 0:
            raise OptionError(f"The number of retries must be 0 or more, not {self.retries!r}.")
        if self.on_fault not in ("fail", "forfeit"):
            raise OptionError(f"on_fault is 'fail' or 'forfeit', not {self.on_fault!r}.")
        ids = [seat.id for seat in self.seats]
        if len(set(ids)) < len(ids):
            raise OptionError(f"Two seats have the same id: {', '.join(ids)}.")

    @property
    def parties(self) -> tuple[SeatPlan, ...]:
        """The seats of those who negotiate, without the mediator."""
        return tuple(seat for seat in self.seats if not seat.is_mediator)

    def profile(self, seat: SeatPlan) -> UtilitySpace:
        """The utility space of who sits there; a mediator is lent the first one, as in Genius."""
        return self.scenario.profile(seat.role or self.scenario.roles[0])

    def stream(self, purpose: int) -> np.random.SeedSequence:
        """The random stream of a purpose: 0 the scenario, 1 the protocol, 2 + i the i-th seat.

        Each depends on the seed and its purpose only, so that another party's draws change none.
        """
        return np.random.SeedSequence(self.seed, spawn_key=(purpose,))
