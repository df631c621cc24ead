"""The sealed-bid auction: one bid each, made at once; the best one wins and is paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.errors import ActionError
from genius_py.protocols.auction import AuctionProtocol, DropOut, PlaceBid, Sale
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["SealedBidAuction"]


class SealedBidAuction(AuctionProtocol):
    """All bid once, at the same time; the best bid wins, and its bidder pays it (first price).

    Nobody hears of a bid before the last one is in. A second bid of the same bidder is refused.
    Options and prices are explained with `genius_py.protocols.auction.AuctionProtocol`.
    """

    name: ClassVar[str] = "sealed_bid_auction"
    aliases: ClassVar[tuple[str, ...]] = ("sealed_bid", "first_price")
    actions: ClassVar[tuple[type[Action], ...]] = (PlaceBid, DropOut)
    default_parties: ClassVar[tuple[str, ...]] = ("shading",)
    is_one_shot: ClassVar[bool] = True

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nobody has bid yet, and nothing is told."""
        self._bids: dict[str, float] = {}
        self._done: set[str] = set()
        return super().before_session(session, parties)

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn each, asked together; there is no second round."""
        if self.is_closed:
            return Round()
        allowed = Allowed({PlaceBid: {"price": self.prices()}, DropOut: {}})
        return Round([Turn(seat, allowed) for seat in parties], sealed=True)

    def apply_action(self, action: Action, session: Session) -> None:
        """Take a bid; the last one closes the auction."""
        if action.party in self._done:
            raise ActionError("has made a sealed bid already; the first one stands")
        if isinstance(action, PlaceBid):
            self._bids[action.party] = action.price
        self._done.add(action.party)
        if len(self._done) == len(self._bidders):
            self._open_bids(session)

    def _open_bids(self, session: Session) -> None:
        if not self._bids:
            self.close(None)
            return
        winner, tied = self.leader(self._bids, session)
        if self.meets_reserve(self._bids[winner]):
            self.close(Sale(winner, self.price_for(winner, self._bids), tied))
        else:
            self.close(None, "below the reserve price")

    def price_for(self, winner: str, bids: Mapping[str, float]) -> float:
        """What the winner pays, or is paid: its own bid."""
        return bids[winner]
