from genius_py import registry
from genius_py.parties.random_bidder import RandomAuctionBidder
from tests.parties.bidding import good, sealed_bid, seated


def test_its_bids_lie_between_the_best_price_and_its_value() -> None:
    for sells, low, high in ((False, 0, 40), (True, 40, 100)):
        bids = [
            sealed_bid(seated(RandomAuctionBidder(), good(40, sells=sells), seed=seed))
            for seed in range(200)
        ]
        numbers = [bid for bid in bids if bid is not None]
        assert len(numbers) == 200
        assert low <= min(numbers) < low + 0.1 * (high - low)
        assert high - 0.1 * (high - low) < max(numbers) <= high


def test_it_keeps_to_what_it_drew() -> None:
    party = seated(RandomAuctionBidder(), good(40))
    assert sealed_bid(party) == sealed_bid(party)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "random_bidder"), RandomAuctionBidder)
