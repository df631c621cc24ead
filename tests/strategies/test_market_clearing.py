from hypothesis import given
from hypothesis import strategies as st

from genius_py.strategies.market_clearing import Clearing, Order, clear

orders = st.lists(st.builds(Order, price=st.floats(0, 100), quantity=st.integers(0, 9)), max_size=6)


def test_equal_prices_meet_at_that_price() -> None:
    # The case of equal prices on both sides (C99).
    assert clear([Order(10, 5)], [Order(10, 5)]) == Clearing(5, 10.0, (5,), (5,))


def test_without_crossing_prices_there_is_no_price() -> None:
    assert clear([Order(9, 5)], [Order(10, 5)]) == Clearing(0, None, (0,), (0,))
    assert clear([], [Order(10, 5)]) == Clearing(0, None, (), (0,))


def test_each_ask_counts_once() -> None:
    assert clear([Order(10, 5), Order(10, 5)], [Order(10, 5)]).quantity == 5


def test_where_offers_overlap_the_price_is_the_mean() -> None:
    # The case of overlapping offers (C125): not 8, not 12.
    assert clear([Order(12, 5)], [Order(8, 5)]).price == 10


def test_the_last_two_that_meet_make_the_price() -> None:
    buys = [Order(30, 1), Order(20, 2), Order(11, 1)]
    sells = [Order(23, 1), Order(8, 1), Order(14, 1)]
    # 30 meets 8, 20 meets 14, then 20 would have to meet 23.
    assert clear(buys, sells) == Clearing(2, 17.0, (1, 1, 0), (0, 1, 1))


def test_orders_of_one_price_come_in_their_order() -> None:
    assert clear([Order(10, 1), Order(10, 1)], [Order(5, 1)]).bought == (1, 0)


@given(buys=orders, sells=orders)
def test_what_is_bought_is_sold_at_a_price_that_suits_all_who_trade(
    buys: list[Order], sells: list[Order]
) -> None:
    cleared = clear(buys, sells)
    assert sum(cleared.bought) == sum(cleared.sold) == cleared.quantity
    assert (cleared.price is None) == (cleared.quantity == 0)
    for order, units in zip(buys, cleared.bought, strict=True):
        assert 0 <= units <= order.quantity
        assert not units or order.price >= (cleared.price or 0)
    for order, units in zip(sells, cleared.sold, strict=True):
        assert 0 <= units <= order.quantity
        assert not units or order.price <= (cleared.price or 0)


@given(buys=orders, sells=orders)
def test_no_two_orders_that_could_still_trade_are_left(
    buys: list[Order], sells: list[Order]
) -> None:
    cleared = clear(buys, sells)
    wanted = [o.price for o, n in zip(buys, cleared.bought, strict=True) if n < o.quantity]
    offered = [o.price for o, n in zip(sells, cleared.sold, strict=True) if n < o.quantity]
    assert max(wanted, default=-1.0) < min(offered, default=101.0)


def test_orders_of_nothing_make_no_price() -> None:
    assert clear([Order(12, 0)], [Order(8, 5)]).price is None
