"""A protocol to start from; change who may do what, and when there is an agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from genius_py.action import Accept, Action, Offer, Reject
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["MyProtocol"]


class MyProtocol(DefaultMultilateralProtocol):
    """In each round another party makes an offer, which all others accept or reject.

    The offer is agreed when nobody has rejected it.
    """

    name: ClassVar[str] = "my_protocol"
    aliases: ClassVar[tuple[str, ...]] = ()
    actions: ClassVar[tuple[type[Action], ...]] = (Accept, Offer, Reject)
    parties_range: ClassVar[tuple[int, int | None]] = (2, None)

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nobody is told anything."""
        self._consenting: list[str] = []
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """A turn of the proposer, then one of everybody else."""
        proposer = parties[session.round_number % len(parties)]
        return Round(self._turns(proposer, parties, session))

    def _turns(self, proposer: Seat, parties: Sequence[Seat], session: Session) -> Iterator[Turn]:
        # A turn is drawn when the one before it is done, so that the answers know the offer.
        yield Turn(proposer, Allowed({Offer: {"bid": BidOf(session.domain)}}))
        if self.last_offer is None:  # the proposer has forfeited its turn
            return
        offered = {"bid": OneOf((self.last_offer,))}
        for seat in parties:
            if seat is not proposer:
                yield Turn(seat, Allowed({Accept: offered, Reject: offered}))

    def apply_action(self, action: Action, session: Session) -> None:
        """An offer starts anew; an acceptance adds to those who stand behind it."""
        super().apply_action(action, session)
        if isinstance(action, Offer):
            self._consenting = [action.party]
        elif isinstance(action, Accept):
            self._consenting.append(action.party)

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Agreed, or ended from outside."""
        return self.ended or self.get_current_agreement(session, parties) is not None

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The last offer, when everybody stands behind it."""
        return self.last_offer if len(self._consenting) == len(parties) else None

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """The last proposer and those who have accepted its offer."""
        return len(self._consenting)
