"""Bilateral negotiation: an offer, a counter-offer, and an answer to that, in each round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from genius_py.action import Accept, Action, EndNegotiation, Forfeit, Offer, Reject
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["BilateralNegotiationProtocol"]


class BilateralNegotiationProtocol(DefaultMultilateralProtocol):
    """Two parties; in each round the first offers, the second accepts or counters.

    The first then accepts or rejects the counter-offer. Unlike alternating offers, in which it
    answers by its next offer, a counter-offer of the last round can still be accepted.
    """

    name: ClassVar[str] = "bilateral_negotiation"
    aliases: ClassVar[tuple[str, ...]] = ("bilateral",)
    actions: ClassVar[tuple[type[Action], ...]] = (Offer, Accept, Reject, EndNegotiation)
    parties_range: ClassVar[tuple[int, int | None]] = (2, 2)

    _accepted: Bid | None = None
    _walked_away: bool = False

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """Up to three turns, each made when the one before is done."""
        return Round(self._turns(parties, session))

    def _turns(self, parties: Sequence[Seat], session: Session) -> Iterator[Turn]:
        proposer, responder = parties
        offer = {"bid": BidOf(session.domain)}
        self.last_offer = None
        yield Turn(proposer, Allowed({Offer: offer, EndNegotiation: {}}))
        proposed = self.last_offer
        yield Turn(responder, Allowed({**self._acceptance(), Offer: offer, EndNegotiation: {}}))
        if self.last_offer is not None and self.last_offer is not proposed:
            rejection = {Reject: {"bid": OneOf((self.last_offer,))}}
            yield Turn(proposer, Allowed({**self._acceptance(), **rejection, EndNegotiation: {}}))

    def _acceptance(self) -> dict[type[Action], dict[str, OneOf]]:
        return {} if self.last_offer is None else {Accept: {"bid": OneOf((self.last_offer,))}}

    def apply_action(self, action: Action, session: Session) -> None:
        """An offer takes the place of the one before; an acceptance or a departure ends it."""
        super().apply_action(action, session)
        if isinstance(action, Accept):
            self._accepted = action.bid
        elif isinstance(action, EndNegotiation):
            self._walked_away = True
        elif isinstance(action, Reject | Forfeit):
            self.last_offer = None

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Each hears the other."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Agreed, walked away from, or ended."""
        return self.ended or self._walked_away or self._accepted is not None

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The bid that was accepted."""
        return self._accepted

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """Both when there is an agreement; else whoever made the offer on the table."""
        if self._accepted is not None:
            return 2
        return 0 if self.last_offer is None else 1
