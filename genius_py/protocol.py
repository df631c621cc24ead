"""The contract between the loop and the rules of a negotiation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from genius_py.action import Action
from genius_py.bid import Bid
from genius_py.session import Round, Seat, Session

__all__ = ["Listeners", "MultilateralProtocol"]

Listeners = Mapping[Seat, Sequence[Seat]]
"""For each seat, the seats that hear what it does."""


class MultilateralProtocol(ABC):
    """Who may do what, when it is over, and what has been agreed.

    A protocol is deterministic: its state is a fold over the actions applied to it. It never
    calls a party, reads a clock or does IO; where chance belongs to the rules it comes from
    ``session.rng``. One object serves one session. All queries are pure: asked twice, they give
    the same answer twice.

    Order of calls (Genius 10.4, whose Javadoc names these methods): `before_session` once; for
    each round `get_round_structure`; for each turn `apply_action`, `get_action_listeners`,
    `is_finished`; at last `after_session` and `get_current_agreement`.
    """

    name: ClassVar[str]
    """The registered name, which is also the name of the module."""

    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names under which it is found, such as the abbreviation of the literature."""

    actions: ClassVar[tuple[type[Action], ...]] = ()
    """Every action class that it speaks; logs are read through this."""

    needs_mediator: ClassVar[bool] = False
    """Whether exactly one seat must be a mediator's."""

    default_mediator: ClassVar[str | None] = None
    """The party that takes the mediator's seat when nobody is named for it."""

    default_parties: ClassVar[tuple[str, ...]] = ("boulware", "conceder")
    """Who sits at seats for which nobody is named, in turn."""

    is_one_shot: ClassVar[bool] = False
    """Whether its rules have a single round, which is then the deadline unless another is given."""

    finish_round: bool = False
    """Whether a round is played out after the protocol is finished (the wording of the Javadoc);
    Genius itself, and we by default, stop after the deciding turn."""

    parties_range: ClassVar[tuple[int, int | None]] = (2, None)
    """Fewest and most seats (mediator not counted); None: no upper limit."""

    @property
    def detail(self) -> str:
        """The protocol's own word for how it ended, such as the reason given to end it."""
        return ""

    @abstractmethod
    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """What each party is told before the first round."""

    @abstractmethod
    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """The next round; ``session.round_number`` still counts the rounds before it."""

    @abstractmethod
    def apply_action(self, action: Action, session: Session) -> None:
        """Take note of an action whose class, fields and actor have been checked.

        Raises:
            ActionError: its content is illegal now; nothing has been changed.
        """

    @abstractmethod
    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Who hears whom; asked after every action."""

    @abstractmethod
    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Whether no more turns are to be played; asked after every turn."""

    @abstractmethod
    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The agreement as things stand, None while there is none.

        A protocol that is settled only at the end answers None until ``session.is_over``.
        """

    @abstractmethod
    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """How many parties back the offer that is best supported at present."""

    @abstractmethod
    def end_negotiation(self, reason: str | None = None) -> None:
        """Finish the session whatever its rules say: no turn follows the present one.

        Before the session has begun, the first turn is the present one (as in Genius).
        """

    @abstractmethod
    def after_session(self, session: Session, parties: Sequence[Seat]) -> None:
        """Called once when the last turn has been played, before the agreement is read."""

    def get_agreement_listeners(self, parties: Sequence[Seat]) -> Sequence[Seat]:
        """Who is told what was agreed and what it pays: everybody, unless bids stay sealed."""
        return parties

    def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float] | None:
        """What each party (by id) gets, when the rules say so; None: its profile decides."""
        return None
