import pytest

from genius_py import registry
from genius_py.errors import OptionError
from genius_py.parties.budget_limited import BudgetLimited
from tests.parties.bidding import good, open_bid, sealed_bid, seated, takes


@pytest.mark.parametrize(("budget", "bid"), [(30.0, 30.0), (90.0, 80.0), (None, 50.0)])
def test_it_never_bids_more_than_value_or_budget(budget: float | None, bid: float) -> None:
    party = seated(BudgetLimited(budget=budget), good(80))
    assert sealed_bid(party) == bid
    assert takes(party, bid)
    assert not takes(party, bid + 0.1)


def test_it_drops_out_where_bids_go_beyond_its_budget() -> None:
    party = seated(BudgetLimited(budget=30), good(80), "english_auction")
    assert [open_bid(party, low=price) for price in (30, 31)] == [30, "DropOut"]


def test_who_sells_needs_no_budget() -> None:
    assert sealed_bid(seated(BudgetLimited(budget=30), good(60, sells=True))) == 60


def test_a_budget_is_not_negative() -> None:
    with pytest.raises(OptionError, match="budget must be 0 or more"):
        BudgetLimited(budget=-1)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "budget:budget=40"), BudgetLimited)
