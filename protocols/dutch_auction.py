"""The Dutch auction: the price falls until somebody takes the good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from genius_py.action import Accept, Action, Reject
from genius_py.allowed import Allowed, OneOf
from genius_py.errors import OptionError
from genius_py.protocols.auction import AuctionProtocol, Sale, Tie
from genius_py.protocols.numbers import moved
from genius_py.protocols.options import require_number
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["DutchAuction"]


class DutchAuction(AuctionProtocol):
    """In each round the good is offered to all at a price; the first who accepts pays that.

    The price falls from `starting_price` (the highest of the domain, unless said) by `increment`
    (a fiftieth of the range of prices, unless said) each round, and never below the reserve price:
    before that the auction ends unsold. In a `reverse` auction, in which bidders sell, it rises
    from the lowest. All answer at the same time; the first in the order of seats wins a tie.
    Other options are explained with `genius_py.protocols.auction.AuctionProtocol`.
    """

    name: ClassVar[str] = "dutch_auction"
    aliases: ClassVar[tuple[str, ...]] = ("dutch",)
    actions: ClassVar[tuple[type[Action], ...]] = (Accept, Reject)
    default_parties: ClassVar[tuple[str, ...]] = ("shading",)

    def __init__(
        self,
        starting_price: float | None = None,
        increment: float | None = None,
        reserve: float | None = None,
        reverse: bool = False,
        tie: Tie = "list",
    ) -> None:
        super().__init__(reserve, reverse, tie)
        require_number("starting_price", starting_price, 0)
        require_number("increment", increment, 0)
        self.starting_price = starting_price
        self.increment = increment

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nobody has accepted yet, and nothing is told."""
        told = super().before_session(session, parties)
        awards = self.awards
        start, step = self.starting_price, self.increment
        self._start = awards.lowest if self.reverse else awards.highest
        if start is not None:
            self._start = awards.checked("starting_price", start)
        self._step = awards.step if step is None else step
        if not self._step > 0 or (awards.is_whole and self._step % 1):
            kind = "a whole number" if awards.is_whole else "a number"
            raise OptionError(f"increment must be {kind} above 0, not {self._step:g}.")
        self._takers: dict[str, float] = {}
        self._answers = 0
        return told

    def _price_of_round(self, number: int) -> float:
        step = self._step if self.reverse else -self._step
        return moved(self._start, step, number - 1)

    def _is_offered(self, price: float) -> bool:
        return self.meets_reserve(price) and self.awards.lowest <= price <= self.awards.highest

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn each, asked together, about the award to it at the price of the round."""
        self._takers, self._answers = {}, 0
        price = self._price_of_round(session.round_number + 1)
        if self.is_closed or not self._is_offered(price):
            return Round()
        return Round([self._turn(seat, price) for seat in parties], sealed=True)

    def _turn(self, seat: Seat, price: float) -> Turn:
        award = {"bid": OneOf((self.awards.bid(seat.id, price),))}
        return Turn(seat, Allowed({Accept: award, Reject: award}))

    def apply_action(self, action: Action, session: Session) -> None:
        """Take note of an answer; when all have answered, the good is sold if anybody wants it."""
        if isinstance(action, Accept):
            self._takers[action.party] = self._price_of_round(session.round_number)
        self._answers += 1
        if self._answers == len(self._bidders):
            self._go_on(session)

    def _go_on(self, session: Session) -> None:
        if self._takers:
            winner, tied = self.leader(self._takers, session)
            self.close(Sale(winner, self._takers[winner], tied))
        elif not self._is_offered(self._price_of_round(session.round_number + 1)):
            self.close(None)

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Sold, ended, or the price cannot fall any more."""
        return super().is_finished(session, parties) or not self._is_offered(
            self._price_of_round(max(1, session.round_number))
        )
