import pytest

from genius_py.action import Forfeit
from genius_py.errors import ActionError
from genius_py.protocols.auction import DropOut, PlaceBid
from tests.protocols.awards import HOUSE, SHARE, auction, bids


def test_the_highest_bid_wins_and_is_paid() -> None:
    table = auction("sealed_bid_auction", *bids(30, 70, 50))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=70)
    assert (table.outcome.detail, table.outcome.rounds, table.agreeing_parties) == ("sold", 1, 1)


def test_one_may_bid_a_price_or_drop_out() -> None:
    (turn, *_) = auction("sealed_bid_auction").asked
    assert tuple(turn.allowed) == (PlaceBid, DropOut)
    assert str(turn.allowed[PlaceBid]["price"]) == "a whole number from 0 to 100"


def test_a_reserve_shuts_out_bids_of_nothing() -> None:
    whole = auction("sealed_bid_auction:reserve=20").asked[0].allowed[PlaceBid]["price"]
    real = auction("sealed_bid_auction:reserve=0.2", domain=SHARE).asked[0].allowed
    assert not whole.allows(0)
    assert whole.allows(1)
    assert str(real[PlaceBid]["price"]) == "a number above 0, up to 1"
    assert not real[PlaceBid]["price"].allows(0.0)
    assert real[PlaceBid]["price"].allows(1e-300)


def test_a_second_bid_of_the_same_bidder_is_refused_and_the_first_kept() -> None:
    # The case of the sealed bid that was sent twice (C95).
    table = auction("sealed_bid_auction")
    table.protocol.apply_action(PlaceBid("ann", 30), table.session)
    with pytest.raises(ActionError, match="has made a sealed bid already"):
        table.protocol.apply_action(PlaceBid("ann", 90), table.session)
    table.protocol.apply_action(PlaceBid("bob", 40), table.session)
    table.protocol.apply_action(Forfeit("cem"), table.session)
    assert table.agreement == HOUSE.bid(winner="bob", price=40)


def test_it_is_closed_by_the_last_bid_only() -> None:
    table = auction("sealed_bid_auction", *bids(30, 70))
    assert table.agreement is None
    assert not table.is_over


def test_below_the_reserve_price_nobody_wins() -> None:
    table = auction("sealed_bid_auction:reserve=71", *bids(30, 70, 50))
    assert (table.outcome.agreement, table.outcome.detail) == (None, "below the reserve price")
    assert table.outcome.reason.value == "ended"


def test_without_bids_there_is_no_winner() -> None:
    table = auction("sealed_bid_auction", *map(DropOut, ("ann", "bob", "cem")))
    assert (table.outcome.agreement, table.outcome.detail) == (None, "no bids")


def test_a_bidder_that_breaks_the_session_sells_to_nobody() -> None:
    table = auction("sealed_bid_auction", *bids(30, 70, 1000))
    assert table.outcome.agreement is None
    assert table.outcome.reason.value == "fault"
