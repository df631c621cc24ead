import math
from functools import partial
from typing import Any

import pytest

from genius_py.errors import StrategyError
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.parties.callable_bidder import CallableBidder
from genius_py.protocols.auction import PlaceBid
from tests.parties.bidding import good, open_bid, sealed_bid, seated, takes


def always(price: float, **more: Any) -> CallableBidder:
    return CallableBidder(lambda *given: price, **more)


def test_the_function_decides() -> None:
    assert sealed_bid(seated(always(33.5), good(80))) == 33.5
    assert sealed_bid(seated(always(math.nan), good(80))) is None


@pytest.mark.parametrize("kind", [int, float])
def test_whole_and_other_numbers_will_do(kind: Any) -> None:
    assert sealed_bid(seated(always(kind(3)), good(80))) == 3


def test_an_object_with_a_bid_method_will_do_as_well() -> None:
    class Model:
        def bid(self, agent: str, task: str, price: float, round: int, bids: Any) -> float:
            return price + round

    assert sealed_bid(seated(CallableBidder(Model(), opening=40.0), good(80))) == 41


def test_what_the_function_is_told() -> None:
    told: list[Any] = []

    def bid(*given: Any) -> float:
        told.append(given)
        return 60.0

    seated_party = seated(CallableBidder(bid), good(80))
    sealed_bid(seated_party)
    sealed_bid(seated(CallableBidder(bid, agent="boss", task="a song", opening=9.0), good(80)))
    assert told == [("me", "good", 0, 1, ()), ("boss", "a song", 9.0, 1, ())]


def test_where_bids_are_open_what_does_not_beat_the_price_drops_out() -> None:
    for price in (39.0, 40.0):
        party = seated(always(price, opening=40.0), good(80), "english_auction")
        assert open_bid(party, low=40) == "DropOut"
    party = seated(always(41.0, opening=40.0), good(80), "english_auction")
    assert open_bid(party, low=40) == 41
    party = seated(always(39.0, opening=40.0, reverse=True), good(20), "english_auction")
    assert open_bid(party, high=40) == 39


@pytest.mark.parametrize("price", [math.inf, -1.0])
def test_what_no_auction_takes_is_passed_on(price: float) -> None:
    assert open_bid(seated(always(price), good(80), "english_auction")) == price


def test_a_price_is_taken_when_the_bid_reaches_it() -> None:
    party = seated(always(70.0), good(80), "dutch_auction")
    assert [takes(party, price) for price in (71, 70, 69)] == [False, True, True]
    seller = seated(always(70.0, reverse=True), good(20, sells=True), "dutch_auction")
    assert [takes(seller, price) for price in (71, 70, 69)] == [True, True, False]


def test_who_has_dropped_out_of_a_falling_price_is_asked_no_more() -> None:
    answers = iter([math.nan, 99.0])
    party = seated(CallableBidder(lambda *given: next(answers)), good(80), "dutch_auction")
    assert [takes(party, price) for price in (71, 70)] == [False, False]


@pytest.mark.parametrize("nonsense", ["12", None, True])
def test_what_is_no_number_is_an_error(nonsense: Any) -> None:
    with pytest.raises(StrategyError, match=r"The bid function of me gave .* in round 1"):
        sealed_bid(seated(CallableBidder(lambda *given: nonsense), good(80)))


def test_it_hears_the_bids_of_an_open_auction() -> None:
    prices: list[float] = []

    def bid(agent: str, task: str, price: float, round: int, bids: tuple[PlaceBid, ...]) -> float:
        prices.append(price)
        return price + 100 if round < 4 else math.nan

    outcome: Outcome = run(
        "english:increment=0",
        "vintage_guitar",
        parties=[partial(CallableBidder, bid, opening=1000.0), "increment:step=20", "truthful"],
    )
    # The others raise by 20 and by nothing, so that its own bids are the best ones.
    assert prices == [1000.0, 1100.0, 1200.0, 1300.0]
    assert outcome.faults == ()
