from genius_py import registry
from genius_py.manager import run
from genius_py.parties.truthful import Truthful
from tests.parties.bidding import good, sealed_bid, seated


def test_it_bids_what_the_good_is_worth() -> None:
    assert sealed_bid(seated(Truthful(), good(62.5))) == 62.5
    assert sealed_bid(seated(Truthful(), good(62.5, sells=True))) == 62.5


def test_among_its_like_the_good_goes_to_whom_it_is_worth_most() -> None:
    outcome = run("vickrey", "ad_slot", parties=["truthful"] * 4)
    assert outcome.agreement is not None
    assert dict(outcome.agreement) == {"winner": "cinema", "price": 120.0}


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "truthful:value=80"), Truthful)
