"""The English auction: open bids that outdo each other until nobody bids more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, TypeAlias

from genius_py.action import Accept, Action, Reject
from genius_py.allowed import Allowed, FieldRules, Number, OneOf
from genius_py.protocols.auction import (
    AuctionProtocol,
    DropOut,
    PlaceBid,
    Sale,
    Stand,
    Tie,
)
from genius_py.protocols.numbers import moved
from genius_py.protocols.options import require_number, require_one_of
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["EnglishAuction", "SoleBidder"]

SoleBidder: TypeAlias = Literal["no_bids", "starting_price"]


class EnglishAuction(AuctionProtocol):
    """In each round all who are left bid more than the best bid so far, or drop out.

    They bid at the same time, all seeing the best bid of the round before, and hear each other's
    bids when the round is over. Whoever bids no more than the best bid drops out, except that its
    bidder may stand by it. The auction ends when one bidder is left, when nobody raises, or at the
    deadline; whoever made the best bid wins and pays it.

    The first bids must be above `starting_price` (the lowest price of the domain, unless said).
    `increment` is how much a bid must be above the best one (a fiftieth of the range of prices,
    unless said; 0: any higher price will do). A sole bidder has nobody to outbid: the auction ends
    without bids, or with ``sole_bidder="starting_price"`` it may buy at that price. In a `reverse`
    auction, in which bidders sell, bids go down from the highest price. Other options are explained
    with `genius_py.protocols.auction.AuctionProtocol`.
    """

    name: ClassVar[str] = "english_auction"
    aliases: ClassVar[tuple[str, ...]] = ("english",)
    actions: ClassVar[tuple[type[Action], ...]] = (PlaceBid, Stand, DropOut, Accept, Reject)
    default_parties: ClassVar[tuple[str, ...]] = ("increment",)

    def __init__(
        self,
        starting_price: float | None = None,
        increment: float | None = None,
        reserve: float | None = None,
        reverse: bool = False,
        tie: Tie = "list",
        sole_bidder: SoleBidder = "no_bids",
    ) -> None:
        super().__init__(reserve, reverse, tie)
        require_number("starting_price", starting_price, 0)
        require_number("increment", increment, 0)
        require_one_of("sole_bidder", sole_bidder, SoleBidder)
        self.starting_price = starting_price
        self.increment = increment
        self.sole_bidder: SoleBidder = sole_bidder
        self.price = 0.0
        """The price to beat."""
        self.leading: str | None = None
        """The id of who made the best bid."""

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nobody has bid yet, and nothing is told."""
        told = super().before_session(session, parties)
        awards = self.awards
        self.price = awards.highest if self.reverse else awards.lowest
        if self.starting_price is not None:
            self.price = awards.checked("starting_price", self.starting_price)
        self._step = awards.step if self.increment is None else self.increment
        self._tied: tuple[str, ...] = ()
        self._active = list(self._bidders)
        self._bids: dict[str, float] = {}
        self._stood = ""
        self._answers = 0
        if len(self._bidders) == 1 and self.sole_bidder == "no_bids":
            self.close(None)
        return told

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn for each who is left, asked together."""
        self._bids, self._stood, self._answers = {}, "", 0
        if self.is_closed:
            return Round()
        left = [seat for seat in parties if seat.id in self._active]
        return Round([Turn(seat, self._allowed(seat.id)) for seat in left], sealed=True)

    def _allowed(self, bidder: str) -> Allowed:
        if len(self._bidders) == 1:
            award: FieldRules = {"bid": OneOf((self.awards.bid(bidder, self.price),))}
            return Allowed({Accept: award, Reject: award})
        kinds: dict[type[Action], FieldRules] = {}
        raises = self._raises()
        if raises.minimum <= raises.maximum:
            kinds[PlaceBid] = {"price": raises}
        if bidder == self.leading:
            kinds[Stand] = {}
        return Allowed({**kinds, DropOut: {}})

    def _raises(self) -> Number:
        """The prices that outbid the best one; with no increment also that itself, in vain."""
        step = max(1, self._step) if self.awards.is_whole else self._step
        if self.reverse:
            return self.prices(high=moved(self.price, -step))
        return self.prices(low=moved(self.price, step))

    def apply_action(self, action: Action, session: Session) -> None:
        """Take note of what one does; when all have acted, the best bid is the price to beat."""
        if isinstance(action, Accept):
            self._bids[action.party] = self.price
        elif isinstance(action, PlaceBid):
            self._bids[action.party] = action.price
        elif isinstance(action, Stand):
            self._stood = action.party
        self._answers += 1
        if self._answers == len(self._active):
            self._go_on(session)

    def _go_on(self, session: Session) -> None:
        if len(self._bidders) == 1:
            self.leading = next(iter(self._bids), None)
            self._close()
            return
        raised = {b: p for b, p in self._bids.items() if self.is_better(p, self.price)}
        if raised:
            self.leading, self._tied = self.leader(raised, session)
            self.price = raised[self.leading]
            self._active = [b for b in self._active if b in raised or b == self._stood]
        if not raised or len(self._active) == 1:
            self._close()

    def _close(self) -> None:
        self.is_closed = True
        self._settle()

    def _settle(self) -> None:
        if self.leading is None:
            self.settle(None)
        elif self.meets_reserve(self.price):
            self.settle(Sale(self.leading, self.price, self._tied))
        else:
            self.settle(None, "below the reserve price")

    def after_session(self, session: Session, parties: Sequence[Seat]) -> None:
        """At the deadline the best bid so far wins."""
        if not self.ended:
            self._settle()
