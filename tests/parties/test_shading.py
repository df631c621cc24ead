import pytest

from genius_py import registry
from genius_py.errors import OptionError
from genius_py.parties.shading import Shading
from tests.parties.bidding import good, sealed_bid, seated


def test_it_bids_the_equilibrium_of_three_bidders() -> None:
    assert sealed_bid(seated(Shading(), good(90))) == pytest.approx(60)
    assert sealed_bid(seated(Shading(), good(40, sells=True))) == pytest.approx(60)


@pytest.mark.parametrize(("share", "bid"), [(0.0, 80.0), (0.25, 60.0), (1.0, 0.0)])
def test_the_share_can_be_chosen(share: float, bid: float) -> None:
    assert sealed_bid(seated(Shading(share=share), good(80))) == bid


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_lies_between_0_and_1(share: float) -> None:
    with pytest.raises(OptionError, match=r"share must lie in \[0, 1\]"):
        Shading(share=share)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "shading:share=0.2"), Shading)
