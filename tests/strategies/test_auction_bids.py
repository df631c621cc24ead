import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.strategies.auction_bids import break_even, shaded


def test_the_equilibrium_of_the_first_price_auction_is_a_share_of_the_value() -> None:
    # Vickrey (1961): (n - 1) / n of the value, for values drawn uniformly from 0 on.
    assert [shaded(0.6, 0.0, n) for n in (1, 2, 3)] == pytest.approx([0.0, 0.3, 0.4])


def test_who_sells_asks_for_more_than_its_cost() -> None:
    assert shaded(40.0, 100.0, 3) == 60.0


def test_shading_takes_arrays() -> None:
    assert shaded(np.array([10.0, 20.0]), 0.0, 2).tolist() == [5.0, 10.0]


@given(values=st.lists(st.floats(0.01, 1), min_size=2, max_size=2), lie=st.floats(0, 1))
def test_against_shading_opponents_no_other_bid_has_a_higher_expected_gain(
    values: list[float], lie: float
) -> None:
    # Two bidders, values uniform in [0, 1]: who bids b <= 1/2 wins with probability 2b.
    value = values[0]

    def expected_gain(bid: float) -> float:
        return (value - bid) * min(1.0, 2 * bid)

    assert expected_gain(shaded(value, 0.0, 2)) >= expected_gain(lie) - 1e-12


@given(limit=st.floats(0, 100))
def test_break_even_is_exact_to_the_last_bit_from_either_side(limit: float) -> None:
    assert break_even(lambda price: price <= limit, 0.0, 100.0) == limit
    assert break_even(lambda price: price >= limit, 100.0, 0.0) == limit


@given(limit=st.floats(0, 100))
def test_whole_prices_are_rounded_to_the_bidders_advantage(limit: float) -> None:
    assert break_even(lambda price: price <= limit, 0, 100, whole=True) == int(limit)
    selling = break_even(lambda price: price >= limit, 100, 0, whole=True)
    assert selling == -int(-limit // 1)


def test_nothing_or_everything_may_be_worth_it() -> None:
    assert break_even(lambda price: False, 0.0, 9.0) is None
    assert break_even(lambda price: True, 0.0, 9.0) == 9.0
