import pytest

from genius_py import registry
from genius_py.errors import OptionError
from genius_py.parties.sniping import Sniping
from tests.parties.bidding import good, open_bid, sealed_bid, seated
from tests.parties.table import in_round


@pytest.mark.parametrize(
    ("last", "jumps"), [(0.05, [9]), (0.25, [8, 9]), (0.0, [9])], ids=["default", "more", "least"]
)
def test_it_bids_its_value_when_the_end_is_near(last: float, jumps: list[int]) -> None:
    party = seated(Sniping(last=last), good(80), "english_auction", rounds=9)
    bids = []
    for number in range(1, 10):
        in_round(party, number)
        bids.append(open_bid(party, low=10))
    assert [number for number, bid in enumerate(bids, start=1) if bid == 80] == jumps
    assert {*bids} == {10, 80}


def test_where_bids_are_sealed_there_is_nothing_to_wait_for() -> None:
    assert sealed_bid(seated(Sniping(), good(80))) == 80


@pytest.mark.parametrize("last", [-0.1, 1.1])
def test_the_end_is_a_share(last: float) -> None:
    with pytest.raises(OptionError, match=r"last must lie in \[0, 1\]"):
        Sniping(last=last)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "sniping:last=0.1"), Sniping)
