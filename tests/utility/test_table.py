import numpy as np
import pytest

from genius_py.domain import Domain
from genius_py.errors import OptionError, OutcomeSpaceTooLarge
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.utility import LinearUtilitySpace, TableUtilitySpace

DOMAIN = Domain("game", [DiscreteIssue("row", ["top", "bottom"]), IntegerIssue("column", 1, 3)])


def test_the_numbers_stand_in_the_order_of_the_bids() -> None:
    space = TableUtilitySpace(domain=DOMAIN, table=[0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert space.utility(DOMAIN.bid(row="bottom", column=1)) == 0.1
    assert space.utility(DOMAIN.bid(row="top", column=3)) == 0.4
    assert space.utilities(np.array([5, 0])).tolist() == [0.5, 0.0]
    assert space.utilities().tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]


def test_tables_are_equal_when_their_numbers_are() -> None:
    one, two = (TableUtilitySpace(domain=DOMAIN, table=np.arange(6)) for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != TableUtilitySpace(domain=DOMAIN, table=np.arange(6)[::-1])


def test_a_table_keeps_what_it_was_given() -> None:
    numbers = np.arange(6.0)
    space = TableUtilitySpace(domain=DOMAIN, table=numbers)
    numbers[0] = 9
    assert space.table[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        space.table[0] = 9


def test_any_listable_space_has_a_table() -> None:
    domain = Domain("price", [IntegerIssue("price", 0, 10)])
    space = LinearUtilitySpace(
        domain=domain, coefficients=[0.1], reservation_value=0.3, discount_factor=0.9
    )
    table = TableUtilitySpace.of(space)
    assert table.table.tolist() == space.utilities().tolist()
    assert (table.reservation_value, table.discount_factor) == (0.3, 0.9)


def test_between_the_listed_points_a_table_is_interpolated() -> None:
    domain = Domain("loan", [RealIssue("rate", 0, 1), RealIssue("years", 0, 20)])
    bilinear = LinearUtilitySpace(domain=domain, coefficients=[0.5, 0.025])
    table = TableUtilitySpace.of(bilinear)
    for rate, years in ((0.5, 10.0), (0.51, 10.0), (0.51, 3.7), (1.0, 20.0), (0.0, 19.99)):
        bid = domain.bid(rate=rate, years=years)
        assert table.utility(bid) == pytest.approx(bilinear.utility(bid), abs=1e-12)


def test_a_real_issue_of_a_single_number_is_looked_up() -> None:
    domain = Domain("fixed", [RealIssue("rate", 2, 2)])
    space = TableUtilitySpace(domain=domain, table=np.full(21, 0.7))
    assert space.utility(domain.bid(rate=2.0)) == 0.7


def test_a_table_has_one_number_for_each_bid_of_a_listable_domain() -> None:
    with pytest.raises(OptionError, match="each of its 6 bids"):
        TableUtilitySpace(domain=DOMAIN, table=[1, 2])
    with pytest.raises(OutcomeSpaceTooLarge):
        TableUtilitySpace(domain=Domain("wide", [IntegerIssue("x", 1, 10**9)]), table=[1])
