"""What protocols with a mediator share: who the mediator is, and who hears whom."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from genius_py.action import Action
from genius_py.errors import OptionError
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol
from genius_py.session import Round, Seat, Session

__all__ = ["MediatorProtocol", "mediator_and_others"]


class MediatorProtocol(DefaultMultilateralProtocol):
    """One mediator proposes, the others judge in private: only the mediator hears them.

    The mediator is heard by all others. It does not count as a party that agrees.

    In a faithful session it does count, and a second mediator sits among the others, as in
    Genius 10.4. Without any, Genius dies in the first round; here nothing is begun.
    """

    needs_mediator: ClassVar[bool] = True

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing is told; there must be one mediator.

        Raises:
            OptionError: there is none, or more than one.
        """
        found = [seat.id for seat in parties if seat.is_mediator]
        if not found:
            raise OptionError(f"{type(self).__name__} needs a mediator, and no seat is one's.")
        if len(found) > 1 and not session.faithful:
            raise OptionError(
                f"{type(self).__name__} takes one mediator, not {len(found)}: {', '.join(found)}."
            )
        return super().before_session(session, parties)

    @abstractmethod
    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """The mediator's proposal and what becomes of it."""

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears the mediator, who alone hears everybody."""
        return _listen_to_mediator(tuple(parties))

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """All parties when there is an agreement, else 0."""
        if self.get_current_agreement(session, parties) is None:
            return 0
        return len(parties) if session.faithful else sum(not s.is_mediator for s in parties)


def mediator_and_others(parties: Sequence[Seat]) -> tuple[Seat, tuple[Seat, ...]]:
    """The first mediator, and everybody else in their order."""
    mediator = next(seat for seat in parties if seat.is_mediator)
    return mediator, tuple(seat for seat in parties if seat is not mediator)


@lru_cache(maxsize=64)
def _listen_to_mediator(parties: tuple[Seat, ...]) -> Listeners:
    mediator, others = mediator_and_others(parties)
    return {mediator: others, **{seat: (mediator,) for seat in others}}
