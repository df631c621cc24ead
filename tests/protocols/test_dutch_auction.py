from typing import Any

import pytest

from genius_py.action import Accept, Reject
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.manager import run
from genius_py.testing import Driven
from tests.protocols.awards import BIDDERS, HOUSE, SHARE, auction

CLOCK = "dutch:starting_price=90,increment=20"


def price(table: Driven) -> float:
    """The price at which the good is offered."""
    return float(offered(table, BIDDERS[0])["price"])


def offered(table: Driven, bidder: str) -> Bid:
    turn = next(turn for turn in table.asked if turn.party.id == bidder)
    rule: Any = turn.allowed[Accept]["bid"]
    (award,) = rule.values
    assert isinstance(award, Bid)
    return award


def answer(table: Driven, *takers: str) -> Driven:
    """All answer; those who are named accept."""
    for bidder in BIDDERS:
        kind = Accept if bidder in takers else Reject
        table.feed(kind(bidder, offered(table, bidder)))
    return table


def test_each_is_offered_the_award_to_itself() -> None:
    table = auction(CLOCK)
    assert offered(table, "bob") == HOUSE.bid(winner="bob", price=90)
    assert tuple(table.asked[1].allowed) == (Accept, Reject)


def test_the_price_falls_until_somebody_accepts_it() -> None:
    table = auction(CLOCK)
    for expected in (90, 70):
        assert price(table) == expected
        answer(table)
    assert answer(table, "cem").outcome.agreement == HOUSE.bid(winner="cem", price=50)
    assert table.outcome.rounds == 3


def test_the_first_in_the_list_wins_a_tie() -> None:
    table = answer(auction(CLOCK), "bob", "cem")
    assert table.outcome.agreement == HOUSE.bid(winner="bob", price=90)
    assert table.outcome.detail == "sold; tied: bob, cem"


def test_in_a_reverse_auction_it_rises() -> None:
    table = auction("dutch:reverse=true,increment=30")
    prices = []
    while table.asked:
        prices.append(price(table))
        answer(table)
    assert prices == [0, 30, 60, 90]


@pytest.mark.parametrize(
    ("reserve", "prices"), [(50, [90, 70, 50]), (51, [90, 70]), (None, [90, 70, 50, 30, 10])]
)
def test_it_never_goes_below_the_reserve_price(reserve: int | None, prices: list[int]) -> None:
    table = auction(CLOCK if reserve is None else f"{CLOCK},reserve={reserve}")
    seen = []
    while table.asked:
        seen.append(price(table))
        answer(table)
    assert seen == prices
    assert (table.outcome.agreement, table.outcome.detail) == (None, "no bids")
    assert table.outcome.reason.value == "ended"


def test_a_start_below_the_reserve_price_offers_nothing() -> None:
    table = auction(f"{CLOCK},reserve=95")
    assert table.is_over
    assert table.outcome.turns == 0


def test_by_default_it_runs_from_the_highest_price_in_fiftieths() -> None:
    table = auction("dutch")
    assert price(table) == 100
    assert price(answer(table)) == 98
    assert price(answer(auction("dutch", domain=SHARE))) == 0.98


def test_the_price_falls_to_the_reserve_price_and_not_a_float_below_it() -> None:
    table = auction("dutch:starting_price=0.7,increment=0.1,reserve=0.4", domain=SHARE)
    prices = []
    while not table.is_over:
        prices.append(price(table))
        answer(table)
    assert prices == [0.7, 0.6, 0.5, 0.4]


@pytest.mark.parametrize("increment", [0, 2.5])
def test_a_whole_price_falls_by_whole_steps(increment: float) -> None:
    with pytest.raises(OptionError, match="increment must be a whole number above 0"):
        auction(f"dutch:increment={increment}")


def test_at_the_deadline_nobody_has_bought() -> None:
    table = auction(CLOCK, deadline=1)
    answer(table)
    assert (table.outcome.agreement, table.outcome.detail) == (None, "no bids")
    assert table.outcome.reason.value == "deadline"


def test_any_bidding_party_can_play_it() -> None:
    # Accepting and rejecting bids is all that is asked for.
    outcome = run("dutch", "tulip_clock", parties=["conceder", "boulware", "linear"])
    assert outcome.faults == ()


def test_the_domain_may_call_its_issues_as_it_likes() -> None:
    job = Domain("job", [IntegerIssue("wage", 5, 9), DiscreteIssue("worker", BIDDERS)])
    (turn, *_) = auction("dutch:increment=1", domain=job).asked
    assert str(turn.allowed[Accept]["bid"]) == "wage: 9, worker: ann"
