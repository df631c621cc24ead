"""The contract between the loop's drivers and whoever sits at the table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import attrs
import numpy as np

from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.session import Answer, Reply, Turn

if TYPE_CHECKING:
    from genius_py.deadline import Deadline, TimelineView
    from genius_py.domain import Domain
    from genius_py.log import History
    from genius_py.utility import UtilitySpace

__all__ = ["NegotiationInfo", "NegotiationParty"]


@attrs.define(slots=False)
class NegotiationInfo:
    """What a party knows when a session begins, and the live views that it keeps.

    `seats` holds the ids of all parties in turn order, the own one included. `seed` is an integer
    below 2**31 of the party's own; `rng` is a generator made from the party's own stream.
    `history` is the log as far as this party may know it. `persistent` is data kept from earlier
    sessions, or None.
    """

    agent_id: str
    role: str
    utility_space: UtilitySpace
    seats: tuple[str, ...]
    protocol: str
    deadline: Deadline
    timeline: TimelineView
    history: History
    seed: int
    seed_sequence: np.random.SeedSequence = attrs.field(repr=False)
    faithful: bool = False
    persistent: object = None

    @property
    def domain(self) -> Domain:
        """What is negotiated about."""
        return self.utility_space.domain

    @cached_property
    def rng(self) -> np.random.Generator:
        """The party's own source of chance, the same whenever the session is run again."""
        return np.random.default_rng(self.seed_sequence)


class NegotiationParty:
    """A mind at the table. The shortest useful party overrides `choose_action` alone.

    One object serves one session. Interfaces take specs, classes or factories, never objects
    that have already negotiated.
    """

    name: ClassVar[str] = ""
    """The registered name, which is also the name of the module."""

    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names under which it is found."""

    is_mediator: ClassVar[bool] = False
    """Whether it takes the mediator's seat."""

    is_interactive: ClassVar[bool] = False
    """Whether it asks a human being, so that nothing automatic should seat it."""

    plays: ClassVar[tuple[str, ...]] = ()
    """The protocols it is made for, by name; empty for whoever negotiates under any that it can."""

    info: NegotiationInfo

    @classmethod
    def profile_for(cls, space: UtilitySpace, options: Mapping[str, object]) -> UtilitySpace:
        """The profile of its seat when it is made with these options; by default the scenario's.

        Asked when a session is planned. A bidder that is named with a value of its own values the
        good at that, and the log, its score and every analysis know it.
        """
        return space

    def init(self, info: NegotiationInfo) -> None:
        """Called once before the session begins; override to prepare, and call super."""
        self.info = info

    @property
    def id(self) -> str:
        """The own id, which every action carries."""
        return self.info.agent_id

    @property
    def utility_space(self) -> UtilitySpace:
        """The own profile."""
        return self.info.utility_space

    @property
    def domain(self) -> Domain:
        """What is negotiated about."""
        return self.info.utility_space.domain

    @property
    def time(self) -> float:
        """Progress of the session in [0, 1]."""
        return self.info.timeline.time

    @property
    def rng(self) -> np.random.Generator:
        """The own source of chance."""
        return self.info.rng

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Hear what another party did; `sender` is None when the protocol speaks."""

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """Do one of the allowed things."""
        raise NotImplementedError(f"{type(self).__name__} must override choose_action")

    def negotiation_ended(self, agreement: Bid | None) -> Mapping[str, object] | None:
        """Learn the result; a mapping that is returned is logged as the party's private notes."""
        return None

    def get_description(self) -> str:
        """One line for people: what this party does."""
        return (type(self).__doc__ or type(self).__name__).strip().splitlines()[0]

    @property
    def batch_key(self) -> Hashable:
        """Turns of parties with equal keys may be answered by one `choose_actions` call."""
        return type(self).__qualname__

    @classmethod
    def choose_actions(cls, asked: Sequence[tuple[Self, Turn]]) -> list[Answer]:
        """Answer many turns at once; override where one batch is cheaper than many calls.

        The answers stand in the order of `asked`. By default each party is asked in turn.
        """
        return [party.choose_action(turn.allowed) for party, turn in asked]
