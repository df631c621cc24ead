"""What to bid in an auction, as functions of prices.

Prices may rise or fall: a bidder that buys is better off with lower ones, one that sells (in a
reverse auction) with higher ones.
"""

from __future__ import annotations

from collections.abc import Callable

from genius_py.strategies.elementwise import elementwise

__all__ = ["break_even", "shaded"]


@elementwise
def shaded(limit: float, favourable: float, bidders: int) -> float:
    """The bid that keeps an n-th of the distance from `limit` to the most favourable price.

    It is the symmetric equilibrium of the sealed-bid first-price auction (and of the Dutch one)
    among n risk-neutral bidders whose values are drawn uniformly from the favourable end on
    (Vickrey, 1961): with values from 0 on, a bidder bids (n - 1) / n of its own.

    >>> shaded(90.0, 0.0, 3)
    60.0
    """
    return limit + (favourable - limit) / bidders


def break_even(
    is_worth_it: Callable[[float], bool],
    favourable: float,
    unfavourable: float,
    *,
    whole: bool = False,
) -> float | None:
    """The worst price, from `favourable` on, that is still worth it; None when none is.

    `is_worth_it` must turn from true to false once on the way; it is asked about whole numbers
    alone if the prices are `whole`. Else the answer is exact to the last bit, rounded to the
    bidder's advantage.
    """
    if not is_worth_it(favourable):
        return None
    if is_worth_it(unfavourable):
        return unfavourable
    good, bad = favourable, unfavourable
    while True:
        middle = (good + bad) // 2 if whole else good + (bad - good) / 2
        if middle in (good, bad):
            return good
        if is_worth_it(middle):
            good = middle
        else:
            bad = middle
