import pytest

from genius_py.protocols.auction import DropOut, PlaceBid
from tests.protocols.awards import HOUSE, auction, bids


def test_the_highest_bid_wins_at_the_price_of_the_second() -> None:
    table = auction("vickrey", *bids(30, 70, 50))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=50)


def test_the_lowest_wins_a_reverse_auction_at_the_price_of_the_second() -> None:
    table = auction("vickrey:reverse=true", *bids(30, 70, 50))
    assert table.outcome.agreement == HOUSE.bid(winner="ann", price=50)


def test_the_winners_own_bid_is_never_its_second() -> None:
    for prices in ((10, 5, 3), (5, 10, 3)):
        agreement = auction("vickrey", *bids(*prices)).outcome.agreement
        assert agreement is not None
        assert agreement["price"] == 5


@pytest.mark.parametrize(
    ("options", "price"), [("", 0), (":reserve=20", 20), (":reverse=true,reserve=90", 90)]
)
def test_a_sole_bidder_pays_the_reserve_price(options: str, price: int) -> None:
    table = auction(f"vickrey{options}", DropOut("ann"), PlaceBid("bob", 70), DropOut("cem"))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=price)


def test_a_sole_seller_without_reserve_price_is_paid_what_it_asked() -> None:
    table = auction("vickrey:reverse=true", DropOut("ann"), PlaceBid("bob", 70), DropOut("cem"))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=70)


@pytest.mark.parametrize(
    ("options", "price"),
    [
        ("reserve=60", 60),
        ("reserve=40", 50),
        ("reserve=60,reserve_sets_price=false", 50),
        ("reserve=40,reverse=true", 40),
        ("reserve=60,reverse=true", 50),
        ("reserve=40,reverse=true,reserve_sets_price=false", 50),
    ],
)
def test_the_reserve_price_counts_as_a_bid(options: str, price: int) -> None:
    agreement = auction(f"vickrey:{options}", *bids(30, 70, 50)).outcome.agreement
    assert agreement is not None
    assert agreement["price"] == price


def test_a_tie_is_paid_in_full_and_named() -> None:
    table = auction("vickrey", *bids(30, 70, 70))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=70)
    assert table.outcome.detail == "sold; tied: bob, cem"


def test_a_drawn_tie_depends_on_the_seed_alone() -> None:
    def winner(seed: int) -> str:
        agreement = auction("vickrey:tie=random", *bids(70, 70, 30), seed=seed).outcome.agreement
        assert agreement is not None
        return str(agreement["winner"])

    winners = [winner(seed) for seed in range(12)]
    assert winners == [winner(seed) for seed in range(12)]
    assert {*winners} == {"ann", "bob"}
