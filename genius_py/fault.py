"""What can go wrong with a party, and what is done about it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

__all__ = ["Fault", "FaultPolicy", "Moment"]

FaultPolicy: TypeAlias = Literal["fail", "forfeit"]
Moment: TypeAlias = Literal["init", "receive_message", "choose_action", "negotiation_ended"]


@attrs.frozen
class Fault:
    """A party's failure: it raised, was too slow, or its action was refused.

    `fatal` faults (a party that cannot be made, an unreachable model server) end the session
    whatever the policy. `delivered` is how many messages of `Step.tell`, counted per listener,
    had been heard before the one that failed.
    """

    party: str
    reason: str
    during: Moment = "choose_action"
    round: int = 0
    fatal: bool = False
    delivered: int = attrs.field(default=0, eq=False, repr=False)

    def __str__(self) -> str:
        return f"Round {self.round}: {self.party} {self.reason}"
