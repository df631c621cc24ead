"""A party with all that it is told before a session, and no session around it."""

from typing import TypeVar

import numpy as np

from genius_py.deadline import Deadline, Timeline
from genius_py.log import Log
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.utility import UtilitySpace

Party = TypeVar("Party", bound=NegotiationParty)


class Clock(Timeline):
    """A timeline that a test moves."""

    __slots__ = ()

    def show(self, round_number: int, time: float) -> None:
        self.round, self.time = round_number, time


def informed(
    party: Party,
    space: UtilitySpace,
    *,
    clock: Clock | None = None,
    seats: tuple[str, ...] = ("ann", "bob"),
    seed: int = 1,
    faithful: bool = False,
) -> Party:
    """The party, seated first."""
    timeline = clock or Clock(Deadline(rounds=99), lambda: 0.0)
    party.init(
        NegotiationInfo(
            agent_id=seats[0],
            role="",
            utility_space=space,
            seats=seats,
            protocol="",
            deadline=timeline.deadline,
            timeline=timeline,
            history=Log().seen_by(seats[0]),
            seed=seed,
            seed_sequence=np.random.SeedSequence(seed),
            faithful=faithful,
        )
    )
    return party
