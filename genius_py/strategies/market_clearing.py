"""Clearing a market: which of many orders to buy and to sell are carried out, and at what price."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

__all__ = ["Clearing", "Order", "clear"]


@attrs.frozen
class Order:
    """So much, at this price or a better one."""

    price: float
    quantity: int


@attrs.frozen
class Clearing:
    """How much changes hands, and the one price of all of it; None where nothing does.

    `bought` and `sold` say how much of each order is carried out, in the order of the orders.
    """

    quantity: int
    price: float | None
    bought: tuple[int, ...]
    sold: tuple[int, ...]


def clear(buys: Sequence[Order], sells: Sequence[Order]) -> Clearing:
    """Carry out as much as possible at one price that suits everybody who trades.

    The highest bids meet the lowest asks as long as a bid reaches its ask; orders of the same
    price come in the order given. The price is the mean of the last two that meet (the double
    auction of Chatterjee & Samuelson, 1983, with k = 1/2).

    >>> clear([Order(12, 5)], [Order(8, 5)])
    Clearing(quantity=5, price=10.0, bought=(5,), sold=(5,))
    """
    bought, sold = [0] * len(buys), [0] * len(sells)
    bidding = sorted(range(len(buys)), key=lambda place: -buys[place].price)
    asking = sorted(range(len(sells)), key=lambda place: sells[place].price)
    price = None
    while bidding and asking and buys[bidding[0]].price >= sells[asking[0]].price:
        bid, ask = bidding[0], asking[0]
        traded = min(buys[bid].quantity - bought[bid], sells[ask].quantity - sold[ask])
        bought[bid] += traded
        sold[ask] += traded
        if traded:
            price = (buys[bid].price + sells[ask].price) / 2
        if bought[bid] == buys[bid].quantity:
            bidding.pop(0)
        if sold[ask] == sells[ask].quantity:
            asking.pop(0)
    return Clearing(sum(bought), price, tuple(bought), tuple(sold))
