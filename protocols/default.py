"""The default multilateral protocol: nobody is ever asked; the base of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from genius_py.action import Accept, Action, Forfeit, Offer
from genius_py.bid import Bid
from genius_py.errors import ActionError
from genius_py.protocol import Listeners, MultilateralProtocol
from genius_py.session import Round, Seat, Session

__all__ = ["DefaultMultilateralProtocol", "listen_to_all"]


class DefaultMultilateralProtocol(MultilateralProtocol):
    """Empty rounds until the deadline, no agreement; what a protocol does unless it says more.

    It keeps the last offer and refuses an `Accept` of anything else. Genius 10.4 behaves so too,
    but there an offer stays on the table for ever; here a forfeited turn removes it.

    With `finish_round`, under this and every other protocol made of it, the round in which the
    session is decided is played out.
    """

    name: ClassVar[str] = "default"
    aliases: ClassVar[tuple[str, ...]] = ("DefaultMultilateralProtocol",)
    parties_range: ClassVar[tuple[int, int | None]] = (1, None)

    # Of the class, so that a protocol made of it may have an `__init__` that does not call this.
    last_offer: Bid | None = None
    ended: bool = False
    _detail: str = ""

    def __init__(self, finish_round: bool = False) -> None:
        self.finish_round = finish_round

    @property
    def detail(self) -> str:
        """The reason given to `end_negotiation`, empty when nobody ended it."""
        return self._detail

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing."""
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """A round without turns."""
        return Round()

    def apply_action(self, action: Action, session: Session) -> None:
        """Remember an offer; refuse to accept anything but the last one."""
        if isinstance(action, Offer):
            self.last_offer = action.bid
        elif isinstance(action, Accept):
            if self.last_offer is None:
                raise ActionError("accepted although nothing is on the table; offer first")
            if action.bid != self.last_offer:
                raise ActionError(
                    f"accepted {action.bid}, but on the table is {self.last_offer}; "
                    f"accept that or make an offer"
                )
        elif isinstance(action, Forfeit):
            self.last_offer = None

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Nobody hears anybody."""
        return {}

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Only when somebody has ended it."""
        return self.ended

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """Never any."""
        return None

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """All parties when there is an agreement, else 0."""
        return len(parties) if self.get_current_agreement(session, parties) is not None else 0

    def end_negotiation(self, reason: str | None = None) -> None:
        """Finish before the next turn."""
        self.ended = True
        self._detail = reason or ""

    def after_session(self, session: Session, parties: Sequence[Seat]) -> None:
        """Nothing to tidy up."""


@lru_cache(maxsize=64)
def listen_to_all(parties: tuple[Seat, ...]) -> Listeners:
    """Each party is heard by all others, in the order of the parties."""
    return {
        seat: tuple(listener for listener in parties if listener is not seat) for seat in parties
    }
