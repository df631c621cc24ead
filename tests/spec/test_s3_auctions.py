"""Auctions: statements S3.40 to S3.48, and the auction cases of the list of known faults."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import OptionError
from genius_py.fronts.executor import Auction, AuctionBid, AuctionResult, AuctionType
from genius_py.fronts.executor.auction_adapter import default_bid
from genius_py.trace import replay

ENGLISH, DUTCH = AuctionType.ENGLISH, AuctionType.DUTCH
SEALED, VICKREY = AuctionType.SEALED_BID, AuctionType.VICKREY

SEALED_TYPES = pytest.mark.parametrize("type", [SEALED, VICKREY])
EVERY = pytest.mark.parametrize("type", list(AuctionType))


def auction(type: AuctionType, *bids: float, **settings: Any) -> AuctionResult:
    """An auction in which each bidder always bids the same."""
    names = [f"b{place}" for place in range(1, len(bids) + 1)]
    table = dict(zip(names, bids, strict=True))
    return Auction(
        type=type, bidders=names, bid_strategy=lambda agent, *given: table[agent], **settings
    ).execute()


def up_to(**limits: float) -> Callable[..., float]:
    """Bids 5 more than the price as long as that is within the own limit, else drops out."""

    def bid(agent: str, task: str, price: float, round: int, bids: object) -> float:
        return price + 5 if price + 5 <= limits[agent] else math.nan

    return bid


def paid(result: AuctionResult) -> tuple[Any, float | None, float | None]:
    """Who won, with what bid, and what is paid."""
    bid = None if result.winning_bid is None else result.winning_bid.value
    return result.winner, bid, result.pay_price


def test_s3_40_the_defaults() -> None:
    made = Auction(bidders=["ann"], bid_strategy=default_bid)
    assert made.type is SEALED
    assert (made.starting_price, made.reserve_price, made.increment) == (100.0, 0.0, 10.0)
    assert made.max_rounds == 10


def test_s3_40_what_a_result_tells() -> None:
    result = auction(VICKREY, 80.0, 60.0)
    assert result == AuctionResult(
        success=True,
        winner="b1",
        winning_bid=AuctionBid("b1", 80.0, 1),
        pay_price=60.0,
        all_bids=(AuctionBid("b1", 80.0, 1), AuctionBid("b2", 60.0, 1)),
        rounds=1,
        duration_ms=result.duration_ms,
        reason="sold",
    )
    assert result.winning_bid is not None
    assert result.winning_bid.value == 80.0


def test_s3_40_a_future_brings_the_result() -> None:
    later = Auction(type=VICKREY, bidders=["a", "b"], bid_strategy=default_bid).execute_async()
    assert paid(later.result(timeout=10)) == ("a", 109.0, 109.0)


def test_s3_40_a_type_may_be_given_by_its_name() -> None:
    assert Auction(type="vickrey", bidders=["a"], bid_strategy=default_bid).type is VICKREY
    assert Auction.Type.VICKREY is VICKREY


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("starting_price", -1.0),
        ("reserve_price", math.nan),
        ("increment", math.inf),
        ("tie", "dice"),
        ("sole_bidder", "wins"),
        ("max_rounds", 0),
    ],
)
def test_s3_40_impossible_settings_are_refused(setting: str, value: Any) -> None:
    with pytest.raises(OptionError):
        auction(ENGLISH, 120.0, 130.0, **{setting: value})


def test_s3_40_a_clock_that_stands_still_is_refused() -> None:
    with pytest.raises(OptionError, match="increment must be a number above 0"):
        auction(DUTCH, 50.0, 60.0, increment=0.0)


def test_s3_41_what_a_bid_function_is_told() -> None:
    told: list[tuple[Any, ...]] = []

    def bid(*given: Any) -> float:
        told.append(given)
        return float(given[2]) + 1 if given[3] < 3 else math.nan

    Auction(type=ENGLISH, bidders=["a", "b"], task="a song", bid_strategy=bid).execute()
    first = (AuctionBid("a", 101.0, 1), AuctionBid("b", 101.0, 1))
    second = (AuctionBid("a", 102.0, 2), AuctionBid("b", 102.0, 2))
    assert told == [
        ("a", "a song", 100.0, 1, ()),
        ("b", "a song", 100.0, 1, ()),
        ("a", "a song", 101.0, 2, first),
        ("b", "a song", 101.0, 2, first),
        ("a", "a song", 102.0, 3, first + second),
        ("b", "a song", 102.0, 3, first + second),
    ]


@EVERY
def test_s3_41_nan_drops_the_bidder(type: AuctionType) -> None:
    asked = []

    def bid(agent: str, task: str, price: float, round: int, bids: object) -> float:
        asked.append(agent)
        return math.nan

    result = Auction(type=type, bidders=["a", "b"], bid_strategy=bid, starting_price=30.0).execute()
    assert asked == ["a", "b"]
    assert paid(result) == (None, None, None)


def test_s3_41_the_winner_is_the_agent_itself() -> None:
    class Translator:
        def __init__(self, name: str, worth: float) -> None:
            self.name, self.worth = name, worth

        def bid(self, agent: object, *given: Any) -> float:
            assert agent is self
            return self.worth

    agents = [Translator("ann", 70.0), Translator("bob", 90.0)]
    result = Auction(type=VICKREY, bidders=agents).execute()
    assert paid(result) == (agents[1], 90.0, 70.0)


def test_s3_41_somebody_must_decide_the_bids() -> None:
    with pytest.raises(OptionError, match="give the auction a bid_strategy"):
        Auction(bidders=["ann"])


def test_s3_42_a_bid_at_or_below_the_price_drops_out() -> None:
    asked = []

    def bid(agent: str, task: str, price: float, round: int, bids: object) -> float:
        asked.append((round, agent))
        return {"a": 110.0, "b": 100.0, "c": 99.0, "d": price + 8}[agent]

    Auction(type=ENGLISH, bidders=["a", "b", "c", "d"], bid_strategy=bid).execute()
    # b bids the price and c less; a does not raise its own bid and is out in round 2 as well.
    assert asked == [(1, "a"), (1, "b"), (1, "c"), (1, "d"), (2, "a"), (2, "d")]


def test_s3_42_it_stops_when_one_is_left_who_pays_its_own_bid() -> None:
    result = Auction(
        type=ENGLISH, bidders=["a", "b"], bid_strategy=up_to(a=116.0, b=131.0)
    ).execute()
    # Both bid 105, 110, 115; then a drops out while b bids 120.
    assert paid(result) == ("b", 120.0, 120.0)
    assert result.rounds == 4


def test_s3_42_a_single_bidder_ends_it_at_once_without_bids() -> None:
    result = auction(ENGLISH, 500.0)
    assert (result.success, result.reason, result.rounds) == (False, "no bids", 0)
    assert result.all_bids == ()


@pytest.mark.parametrize(("worth", "success"), [(100.0, True), (150.0, True), (99.0, False)])
def test_s3_42_a_single_bidder_may_buy_at_the_starting_price(worth: float, success: bool) -> None:
    # The case of the sole bidder in an ascending auction (C98).
    result = auction(ENGLISH, worth, sole_bidder="starting_price")
    assert result.success is success
    assert result.rounds == 1
    assert paid(result) == (("b1", 100.0, 100.0) if success else (None, None, None))


def test_s3_43_all_see_the_best_bid_of_the_round_before() -> None:
    seen = []

    def bid(agent: str, task: str, price: float, round: int, bids: object) -> float:
        seen.append((round, agent, price))
        return price + (10.0 if agent == "a" else 20.0)

    Auction(type=ENGLISH, bidders=["a", "b"], bid_strategy=bid, max_rounds=2).execute()
    assert seen == [(1, "a", 100.0), (1, "b", 100.0), (2, "a", 120.0), (2, "b", 120.0)]


def test_s3_43_of_equal_best_bids_the_earlier_bidder_leads() -> None:
    result = Auction(
        type=ENGLISH,
        bidders=["a", "b", "c"],
        bid_strategy=lambda agent, task, price, *more: price + (4 if agent == "a" else 5),
        max_rounds=1,
    ).execute()
    assert result.winner == "b"
    assert result.reason == "sold; tied: b, c"


def test_s3_43_after_the_last_round_the_leader_wins() -> None:
    result = Auction(
        type=ENGLISH, bidders=["a", "b"], bid_strategy=lambda *given: given[2] + 1, max_rounds=3
    ).execute()
    assert paid(result) == ("a", 103.0, 103.0)
    assert result.rounds == 3


def test_s3_43_when_all_drop_out_the_leader_of_the_round_before_wins() -> None:
    result = Auction(
        type=ENGLISH,
        bidders=["a", "b"],
        bid_strategy=lambda agent, task, price, round, bids: (
            {"a": 104.0, "b": 106.0}[agent] if round == 1 else math.nan
        ),
    ).execute()
    assert paid(result) == ("b", 106.0, 106.0)
    assert result.rounds == 2


def test_s3_44_the_price_falls_until_somebody_accepts() -> None:
    result = auction(DUTCH, 55.0, 75.0)
    # 100, 90, 80, 70: the first price that 75 reaches.
    assert paid(result) == ("b2", 70.0, 70.0)
    assert result.rounds == 4


def test_s3_44_a_bid_that_equals_the_price_accepts_it() -> None:
    assert auction(DUTCH, 80.0, 10.0).pay_price == 80.0


def test_s3_44_the_first_in_the_list_wins_a_tie_of_one_round() -> None:
    assert auction(DUTCH, 74.0, 75.0).winner == "b1"


def test_s3_44_it_never_offers_below_the_reserve() -> None:
    offered = []

    def bid(agent: str, task: str, price: float, round: int, bids: object) -> float:
        offered.append(price)
        return 0.0

    result = Auction(
        type=DUTCH, bidders=["a"], bid_strategy=bid, reserve_price=65.0, max_rounds=99
    ).execute()
    assert offered == [100.0, 90.0, 80.0, 70.0]
    assert (result.success, result.reason) == (False, "no bids")


def test_s3_45_sealed_bids_pay_their_own_vickrey_the_second() -> None:
    assert paid(auction(SEALED, 60.0, 90.0, 80.0)) == ("b2", 90.0, 90.0)
    assert paid(auction(VICKREY, 60.0, 90.0, 80.0)) == ("b2", 90.0, 80.0)


@SEALED_TYPES
def test_s3_45_a_tie_goes_by_the_list_and_is_paid_in_full(type: AuctionType) -> None:
    result = auction(type, 60.0, 90.0, 90.0)
    assert paid(result) == ("b2", 90.0, 90.0)
    assert result.reason == "sold; tied: b2, b3"


@SEALED_TYPES
def test_s3_45_a_tie_may_be_drawn_with_a_seed(type: AuctionType) -> None:
    def winner(seed: int) -> object:
        return auction(type, 90.0, 90.0, 60.0, tie="random", seed=seed).winner

    winners = [winner(seed) for seed in range(20)]
    assert winners == [winner(seed) for seed in range(20)]
    assert set(winners) == {"b1", "b2"}


def test_s3_45_a_sole_valid_bidder_pays_the_reserve() -> None:
    assert auction(VICKREY, 80.0, math.nan, reserve_price=30.0).pay_price == 30.0
    assert auction(VICKREY, 80.0, math.nan).pay_price == 0.0


@EVERY
def test_s3_46_below_the_reserve_nobody_wins(type: AuctionType) -> None:
    result = auction(type, 110.0, 115.0, reserve_price=120.0)
    assert paid(result) == (None, None, None)
    assert not result.success


@pytest.mark.parametrize("type", [ENGLISH, SEALED, VICKREY])
def test_s3_46_a_bid_that_equals_the_reserve_wins(type: AuctionType) -> None:
    result = auction(type, 110.0, 120.0, reserve_price=120.0)
    assert paid(result) == ("b2", 120.0, 120.0)


def test_s3_46_vickrey_pays_the_reserve_where_the_second_bid_is_lower() -> None:
    assert auction(VICKREY, 80.0, 20.0, reserve_price=50.0).pay_price == 50.0
    assert auction(VICKREY, 80.0, 60.0, reserve_price=50.0).pay_price == 60.0
    assert auction(VICKREY, 80.0, 20.0, reserve_price=50.0, strict_seed=True).pay_price == 20.0


@EVERY
def test_s3_47_without_bids_there_is_no_winner(type: AuctionType) -> None:
    # The case in which nobody bids, or there is nobody (C100).
    for result in (auction(type, math.nan, math.nan), auction(type)):
        assert (result.success, result.winner, result.pay_price) == (False, None, None)
        assert result.reason == "no bids"
        assert result.all_bids == ()


@pytest.mark.parametrize("type", [ENGLISH, SEALED, VICKREY])
@pytest.mark.parametrize("nonsense", [math.inf, -math.inf, -1.0])
def test_s3_47_impossible_bids_are_refused_and_logged(
    type: AuctionType, nonsense: float, caplog: pytest.LogCaptureFixture
) -> None:
    result = auction(type, nonsense, 120.0, 110.0)
    assert "The bid of b1 is refused" in caplog.text
    assert result.winner == "b2"
    assert AuctionBid("b1", nonsense, 1) not in result.all_bids
    assert result.session is not None
    (fault,) = result.session.faults
    assert (fault.party, fault.round) == ("b1", 1)
    assert "PlaceBid with price" in fault.reason


@SEALED_TYPES
def test_s3_47_a_second_sealed_bid_is_refused_and_the_first_kept(type: AuctionType) -> None:
    asked = []

    def bid(agent: str, *given: Any) -> float:
        asked.append(agent)
        return 100.0 + len(asked)

    Auction(type=type, bidders=["a", "b"], bid_strategy=bid).execute()
    assert asked == ["a", "b"]
    with pytest.raises(OptionError, match="the same id"):
        Auction(type=type, bidders=["a", "a"], bid_strategy=bid)


@pytest.mark.parametrize(
    ("type", "price", "rounds"), [(SEALED, 109.0, 1), (VICKREY, 109.0, 1), (DUTCH, 100.0, 1)]
)
def test_s3_48_the_executors_bids_in_one_round(
    type: AuctionType, price: float, rounds: int
) -> None:
    result = Auction(type=type, bidders=["a", "b", "c"], bid_strategy=default_bid).execute()
    assert (result.winner, result.pay_price, result.rounds) == ("a", price, rounds)


def test_s3_48_the_executors_bids_in_an_english_auction() -> None:
    result = Auction(type=ENGLISH, bidders=["a", "b"], bid_strategy=default_bid).execute()
    by_a = [bid.value for bid in result.all_bids if bid.bidder == "a"]
    assert by_a == [109, 117, 124, 130, 135, 139, 142, 144, 145]
    assert paid(result) == ("a", 145.0, 145.0)
    assert result.rounds == 10


def test_reverse_auctions_turn_high_and_low_round() -> None:
    # The case of the reverse auction (C103): 10, 7 and 9 give 7 the win at the price of 9.
    assert paid(auction(VICKREY, 10.0, 7.0, 9.0, reverse=True)) == ("b2", 7.0, 9.0)
    assert paid(auction(SEALED, 10.0, 7.0, 9.0, reverse=True)) == ("b2", 7.0, 7.0)
    assert paid(auction(VICKREY, 40.0, 70.0, reverse=True, reserve_price=50.0)) == (
        "b1",
        40.0,
        50.0,
    )
    assert not auction(VICKREY, 60.0, 70.0, reverse=True, reserve_price=50.0).success
    # The clock rises from 0 by 10; 25 is first reached at 30.
    rising = auction(DUTCH, 25.0, 45.0, reverse=True, starting_price=0.0)
    assert paid(rising) == ("b1", 30.0, 30.0)


def test_in_a_reverse_english_auction_bids_go_down() -> None:
    def bid(agent: str, task: str, price: float, round: int, bids: object) -> float:
        return price - 5 if price - 5 >= {"a": 70.0, "b": 84.0}[agent] else math.nan

    result = Auction(type=ENGLISH, bidders=["a", "b"], bid_strategy=bid, reverse=True).execute()
    # 95, 90, 85 by both; then b drops out while a bids 80.
    assert paid(result) == ("a", 80.0, 80.0)


@pytest.mark.parametrize("bids", [(10.0, 5.0), (5.0, 10.0)])
def test_the_best_bid_fills_one_place_only(bids: Sequence[float]) -> None:
    # The case of the bid that was its own second (C93).
    assert auction(VICKREY, *bids).pay_price == 5.0


@pytest.mark.parametrize(
    ("bids", "reserve", "price"),
    [
        ((10.0,), 3.0, 3.0),
        ((10.0,), 0.0, 0.0),
        ((10.0, 2.0), 5.0, 5.0),
        ((4.0,), 5.0, None),
        ((5.0,), 5.0, 5.0),
    ],
)
def test_single_bidders_and_reserve_prices(
    bids: Sequence[float], reserve: float, price: float | None
) -> None:
    # The case of the single bidder and the reserve (C94).
    assert auction(VICKREY, *bids, reserve_price=reserve).pay_price == price


def test_a_bid_of_nothing_needs_a_reserve_of_nothing() -> None:
    # The case of negative and zero bids (C103).
    assert paid(auction(SEALED, 0.0)) == ("b1", 0.0, 0.0)
    refused = auction(SEALED, 0.0, reserve_price=1.0)
    assert refused.session is not None
    assert len(refused.session.faults) == 1
    assert refused.all_bids == ()


def test_prices_are_not_rounded() -> None:
    # The case of the markups that rounding hides (C50).
    prices = {
        auction(SEALED, 0.01 * markup, reserve_price=0.0).pay_price
        for markup in (1.05, 1.10, 1.20, 1.30)
    }
    assert len(prices) == 4


@given(
    value=st.floats(0, 1000),
    lie=st.floats(0, 1000),
    others=st.lists(st.floats(0, 1000), min_size=1, max_size=4),
    reserve=st.floats(0, 500),
    place=st.integers(0, 4),
    reverse=st.booleans(),
)
def test_in_a_vickrey_auction_no_lie_pays_better_than_the_truth(
    value: float, lie: float, others: list[float], reserve: float, place: int, reverse: bool
) -> None:
    place = min(place, len(others))

    def gain(bid: float) -> float:
        bids = [*others[:place], bid, *others[place:]]
        result = auction(VICKREY, *bids, reserve_price=reserve, reverse=reverse)
        if result.winner != f"b{place + 1}" or result.pay_price is None:
            return 0.0
        return result.pay_price - value if reverse else value - result.pay_price

    assert gain(value) >= gain(lie)


@given(
    bids=st.lists(st.floats(0, 1000) | st.just(math.nan), min_size=1, max_size=5),
    reserve=st.floats(0, 500),
    type=st.sampled_from(list(AuctionType)),
    reverse=st.booleans(),
    tie=st.sampled_from(["list", "random"]),
)
def test_every_auction_replays_and_its_winner_made_the_best_acceptable_bid(
    bids: list[float], reserve: float, type: AuctionType, reverse: bool, tie: Any
) -> None:
    result = auction(type, *bids, reserve_price=reserve, reverse=reverse, tie=tie)
    assert result.session is not None
    assert replay(result.session).log == result.session.log
    if result.pay_price is None:
        return
    assert result.winning_bid is not None
    best = min if reverse else max
    last = max(bid.round for bid in result.all_bids)
    assert result.winning_bid.value == best(
        bid.value for bid in result.all_bids if bid.round == last
    )
    limit = reserve if not (reverse and reserve == 0) else math.inf
    assert result.pay_price <= limit if reverse else result.pay_price >= limit
