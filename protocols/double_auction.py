"""The double auction: buyers and sellers quote at once, and the market clears at one price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import attrs

from genius_py.action import Action
from genius_py.allowed import Allowed, FieldRules, Number
from genius_py.bid import Bid
from genius_py.errors import DomainError
from genius_py.issue import RealIssue
from genius_py.protocol import Listeners
from genius_py.protocols.auction import DropOut
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.protocols.numbers import shown
from genius_py.protocols.options import require_whole
from genius_py.session import Round, Seat, Session, Turn
from genius_py.strategies.market_clearing import Clearing, Order, clear

__all__ = ["Buy", "DoubleAuction", "Sell"]


@attrs.frozen
class Buy(Action):
    """Order so many units, at this price or a lower one."""

    price: float = attrs.field(converter=float)
    quantity: int = 1

    def _deed(self) -> str:
        return f"would buy {self.quantity} at {shown(self.price)}"


@attrs.frozen
class Sell(Action):
    """Offer so many units, at this price or a higher one."""

    price: float = attrs.field(converter=float)
    quantity: int = 1

    def _deed(self) -> str:
        return f"would sell {self.quantity} at {shown(self.price)}"


class DoubleAuction(DefaultMultilateralProtocol):
    """All quote once, at the same time, to buy or to sell; then the market clears at one price.

    The domain has one issue of real numbers, the price of a unit. The highest bids meet the lowest
    asks (see `strategies.market_clearing`); the price that clears the market is the agreement.
    Each party gains what its profile says of that price, for each unit it trades. An order is for
    `units` at most. Nobody hears of an order before the last one is in.

    Raises:
        OptionError: units is not a whole number of 1 or more.
    """

    name: ClassVar[str] = "double_auction"
    aliases: ClassVar[tuple[str, ...]] = ("call_market",)
    actions: ClassVar[tuple[type[Action], ...]] = (Buy, Sell, DropOut)
    default_parties: ClassVar[tuple[str, ...]] = ("quoter",)
    is_one_shot: ClassVar[bool] = True

    def __init__(self, units: int = 1) -> None:
        super().__init__()
        require_whole("units", units, 1)
        self.units = units
        self._orders: dict[str, Action] = {}
        self._cleared: Clearing | None = None
        self._traded: dict[str, int] = {}

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nobody has quoted yet, and nothing is told.

        Raises:
            DomainError: the domain is not about a single real number.
        """
        issue = session.domain.issues[0]
        if len(session.domain.issues) != 1 or not isinstance(issue, RealIssue):
            raise DomainError(
                f"Domain {session.domain.name!r} has no market: it needs one issue, the price, of "
                f"real numbers."
            )
        self._issue = issue
        self._seats = tuple(seat.id for seat in parties)
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn each, asked together; there is no second round."""
        if self._cleared is not None:
            return Round()
        order: FieldRules = {
            "price": Number(self._issue.lower, self._issue.upper),
            "quantity": Number(1, self.units, integer=True),
        }
        allowed = Allowed({Buy: order, Sell: order, DropOut: {}})
        return Round([Turn(seat, allowed) for seat in parties], sealed=True)

    def apply_action(self, action: Action, session: Session) -> None:
        """Take an order; the last one clears the market."""
        self._orders[action.party] = action
        if len(self._orders) < len(self._seats):
            return
        given = [self._orders[seat] for seat in self._seats]
        buys = [action for action in given if isinstance(action, Buy)]
        sells = [action for action in given if isinstance(action, Sell)]
        self._cleared = cleared = clear(
            [Order(buy.price, int(buy.quantity)) for buy in buys],
            [Order(sell.price, int(sell.quantity)) for sell in sells],
        )
        for order, units in zip((*buys, *sells), (*cleared.bought, *cleared.sold), strict=True):
            self._traded[order.party] = units

    @property
    def detail(self) -> str:
        """How much has been traded, or the reason that was given to end it."""
        if self.ended or self._cleared is None:
            return self._detail
        return f"{self._cleared.quantity} traded"

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears all orders, once the last one is in."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """When the market has been cleared, or somebody ended it."""
        return self.ended or self._cleared is not None

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The price at which the market cleared; None while nothing is traded."""
        if self._cleared is None or self._cleared.price is None:
            return None
        return session.domain.bid({self._issue.name: self._cleared.price})

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """All who trade."""
        return sum(units > 0 for units in self._traded.values())

    def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float] | None:
        """What the price is worth to each, times the units it trades; else no agreement."""
        if not session.profiles:
            return None
        price = self.get_current_agreement(session, parties)
        return {
            seat: units * space.utility(price)
            if price is not None and (units := self._traded.get(seat, 0))
            else space.reservation_value
            for seat, space in session.profiles.items()
        }
