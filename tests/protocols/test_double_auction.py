from typing import Any

import pytest

from genius_py.domain import Domain
from genius_py.errors import DomainError, OptionError
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue, RealIssue
from genius_py.manager import run
from genius_py.protocols.auction import DropOut
from genius_py.protocols.double_auction import Buy, Sell
from genius_py.testing import Driven, check_protocol, drive
from genius_py.trace import replay

CRATE = Domain("crate", [RealIssue("price", 0, 40)])


def market(*orders: Any, units: int = 9, domain: Domain = CRATE, **settings: Any) -> Driven:
    parties = ("ann", "bob", "cem")
    return drive(
        f"double_auction:units={units}", orders, domain=domain, parties=parties, **settings
    )


def test_it_keeps_the_contract() -> None:
    check_protocol("double_auction")


def test_one_may_buy_sell_or_stay_out() -> None:
    (turn, *_) = market().asked
    assert tuple(turn.allowed) == (Buy, Sell, DropOut)
    assert str(turn.allowed[Buy]["quantity"]) == "a whole number from 1 to 9"


def test_the_market_clears_at_one_price() -> None:
    table = market(Buy("ann", 12, 5), Sell("bob", 8, 5), Sell("cem", 30, 1))
    assert table.outcome.agreement == CRATE.bid(price=10)
    assert (table.outcome.detail, table.outcome.agreeing_parties) == ("5 traded", 2)


def test_where_nobody_meets_there_is_no_agreement() -> None:
    table = market(Buy("ann", 7, 5), Sell("bob", 8, 5), DropOut("cem"))
    assert (table.outcome.agreement, table.outcome.detail) == (None, "0 traded")


def test_nobody_hears_of_an_order_before_the_last_one_is_in() -> None:
    table = market(Buy("ann", 12, 5), Sell("bob", 8, 5))
    assert table.heard["cem"] == []
    assert list(table.session.log.seen_by("cem")) == []
    table.feed(DropOut("cem"))
    assert len(table.heard["cem"]) == 2


def test_a_forfeited_turn_is_no_order() -> None:
    table = market(Buy("ann", 12), Fault("bob", "sleeps"), Sell("cem", 8), on_fault="forfeit")
    assert table.outcome.agreement == CRATE.bid(price=10)


def test_each_gains_by_the_units_it_trades() -> None:
    parties = ["quoter:quantity=2", *["quoter"] * 2, "quoter:quantity=3", *["quoter"] * 2]
    outcome = run("double_auction", "harbour_market", parties=parties)
    # The hotel (30) buys two crates of the trawler (8) and one of the night boat (14): 22.
    assert outcome.agreement is not None
    assert outcome.agreement["price"] == 22
    assert outcome.utilities == {
        "old_trawler": 28.0,
        "night_boat": 8.0,
        "long_liner": 0.0,
        "grand_hotel": 24.0,
        "fish_bar": 0.0,
        "school_kitchen": 0.0,
    }
    assert replay(outcome).log == outcome.log


@pytest.mark.parametrize(
    "domain",
    [
        Domain("whole", [IntegerIssue("price", 0, 40)]),
        Domain("two", [RealIssue("price", 0, 40), RealIssue("tax", 0, 1)]),
    ],
)
def test_it_is_about_one_real_price(domain: Domain) -> None:
    with pytest.raises(DomainError, match="has no market"):
        market(domain=domain)


@pytest.mark.parametrize("units", [0, 1.5])
def test_units_are_whole(units: Any) -> None:
    with pytest.raises(OptionError, match=r"units.* a whole number"):
        market(units=units)
