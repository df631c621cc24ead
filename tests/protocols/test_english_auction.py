import pytest

from genius_py.action import Accept, Reject
from genius_py.allowed import Constraint
from genius_py.errors import OptionError
from genius_py.protocols.auction import DropOut, PlaceBid, Stand
from genius_py.testing import Driven
from tests.protocols.awards import HOUSE, SHARE, auction, bids

RULES = "english:starting_price=20,increment=5"


def raises(table: Driven) -> Constraint:
    """What may be bid."""
    return table.asked[0].allowed[PlaceBid]["price"]


def asked(table: Driven) -> list[str]:
    return [turn.party.id for turn in table.asked]


def test_the_first_bids_must_be_above_the_start() -> None:
    assert str(raises(auction(RULES))) == "a whole number from 25 to 100"
    assert str(raises(auction("english"))) == "a whole number from 2 to 100"
    assert str(raises(auction("english:reverse=true"))) == "a whole number from 0 to 98"


def test_the_best_bid_is_the_price_to_beat() -> None:
    table = auction(RULES, *bids(30, 45, 40))
    assert str(raises(table)) == "a whole number from 50 to 100"
    assert [str(action) for _, action in table.heard["cem"]] == ["ann bids 30", "bob bids 45"]


def test_only_its_bidder_may_stand_by_the_best_bid() -> None:
    table = auction(RULES, *bids(30, 45, 40))
    assert [tuple(turn.allowed) for turn in table.asked] == [
        (PlaceBid, DropOut),
        (PlaceBid, Stand, DropOut),
        (PlaceBid, DropOut),
    ]


def test_who_drops_out_is_asked_no_more() -> None:
    table = auction(RULES, PlaceBid("ann", 30), DropOut("bob"), PlaceBid("cem", 40))
    assert asked(table) == ["ann", "cem"]


def test_it_ends_when_one_is_left() -> None:
    table = auction(RULES, *bids(30, 45, 40), DropOut("ann"), Stand("bob"), DropOut("cem"))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=45)
    assert (table.outcome.detail, table.outcome.rounds) == ("sold", 2)


def test_who_stands_may_be_outbid_and_bid_again() -> None:
    table = auction(RULES, *bids(30, 45, 40), DropOut("ann"), Stand("bob"), PlaceBid("cem", 50))
    assert asked(table) == ["bob", "cem"]
    table.feed(PlaceBid("bob", 60), DropOut("cem"))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=60)


def test_a_leader_that_drops_out_has_won_if_all_others_do_so_too() -> None:
    table = auction(RULES, *bids(30, 45, 40), *map(DropOut, ("ann", "bob", "cem")))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=45)


def test_a_leader_that_drops_out_has_lost_if_somebody_raises() -> None:
    table = auction(RULES, *bids(30, 45, 40), DropOut("ann"), DropOut("bob"), PlaceBid("cem", 50))
    assert table.outcome.agreement == HOUSE.bid(winner="cem", price=50)


def test_the_only_one_to_bid_has_won() -> None:
    table = auction(RULES, DropOut("ann"), PlaceBid("bob", 25), DropOut("cem"))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=25)


def test_without_bids_nothing_is_sold() -> None:
    table = auction(RULES, *map(DropOut, ("ann", "bob", "cem")))
    assert (table.outcome.agreement, table.outcome.detail) == (None, "no bids")


def test_at_the_deadline_the_leader_has_won() -> None:
    table = auction(RULES, *bids(30, 45, 40), deadline=1)
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=45)
    assert table.outcome.reason.value == "agreement"


def test_the_leader_has_not_won_before() -> None:
    table = auction(RULES, *bids(30, 45, 40))
    assert table.agreement is None
    table.protocol.end_negotiation("fire")
    assert table.feed(*bids(50, 55, 60)).outcome.agreement is None
    assert table.outcome.detail == "fire"


@pytest.mark.parametrize("deadline", [1, 10])
def test_below_the_reserve_price_nobody_wins(deadline: int) -> None:
    table = auction(f"{RULES},reserve=46", *bids(30, 45, 40), deadline=deadline)
    if deadline > 1:
        table.feed(*map(DropOut, ("ann", "bob", "cem")))
    assert (table.outcome.agreement, table.outcome.detail) == (None, "below the reserve price")


def test_of_equal_bids_the_first_in_the_list_leads() -> None:
    table = auction(RULES, *bids(30, 45, 45), deadline=1)
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=45)
    assert table.outcome.detail == "sold; tied: bob, cem"


def test_without_increment_any_higher_price_will_do_and_an_equal_one_drops_out() -> None:
    table = auction("english:increment=0", *bids(0.5, 0.6, 0.3), domain=SHARE)
    assert raises(table).allows(0.6000001)
    table.feed(PlaceBid("ann", 0.6), Stand("bob"), PlaceBid("cem", 0.7))
    assert asked(table) == ["bob", "cem"]


def test_the_least_raise_is_the_decimal_sum_that_one_reads() -> None:
    table = auction("english:increment=0.1", *bids(0.1, 0.2, 0.1), domain=SHARE)
    assert str(raises(table)) == "a number from 0.3 to 1"
    assert raises(table).allows(0.3)
    down = auction("english:increment=0.1,reverse=true", *bids(0.7, 0.8, 0.9), domain=SHARE)
    assert raises(down).allows(0.6)
    assert not raises(down).allows(0.6000001)


def test_at_the_highest_price_nobody_can_raise() -> None:
    table = auction(RULES, *bids(98, 97, 30))
    assert [tuple(turn.allowed) for turn in table.asked] == [
        (Stand, DropOut),
        (DropOut,),
        (DropOut,),
    ]


def test_bids_go_down_in_a_reverse_auction() -> None:
    table = auction("english:reverse=true,starting_price=90,increment=5", *bids(70, 60, 85))
    assert str(raises(table)) == "a whole number from 0 to 55"
    table.feed(DropOut("ann"), Stand("bob"), DropOut("cem"))
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=60)


def test_a_sole_bidder_makes_no_bid() -> None:
    table = auction(RULES, parties=("ann",))
    assert table.is_over
    assert (table.outcome.turns, table.outcome.detail) == (0, "no bids")


@pytest.mark.parametrize("takes", [True, False])
def test_a_sole_bidder_may_be_offered_the_starting_price(takes: bool) -> None:
    table = auction(f"{RULES},sole_bidder=starting_price", parties=("ann",))
    award = HOUSE.bid(winner="ann", price=20)
    table.feed((Accept if takes else Reject)("ann", award))
    assert table.outcome.agreement == (award if takes else None)
    assert table.outcome.rounds == 1


@pytest.mark.parametrize(
    "option", ["starting_price=-1", "starting_price=2.5", "increment=-1", "sole_bidder=wins"]
)
def test_impossible_options_are_refused(option: str) -> None:
    with pytest.raises(OptionError, match=option.partition("=")[0]):
        auction(f"english:{option}")
