import pytest

from genius_py.domain import Domain
from genius_py.errors import InvalidBid
from genius_py.issue import DiscreteIssue, TextIssue
from genius_py.utility import CallableUtilitySpace

DOMAIN = Domain("job", [DiscreteIssue("pay", ["low", "high"]), TextIssue("duties")])


def test_the_function_decides_and_may_read_free_text() -> None:
    space = CallableUtilitySpace(
        domain=DOMAIN,
        function=lambda bid: bid["pay"] == "high" and "no weekends" in str(bid["duties"]),
    )
    assert space.utility(DOMAIN.bid(pay="high", duties="Sales, no weekends.")) == 1.0
    assert space.utility(DOMAIN.bid(pay="high", duties="Sales.")) == 0.0


def test_utilities_of_all_bids_are_asked_one_by_one() -> None:
    domain = Domain("pay", [DiscreteIssue("pay", ["low", "high"])])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: bid.index / 2)
    assert space.utilities().tolist() == [0.0, 0.5]


def test_a_bid_of_another_domain_never_reaches_the_function() -> None:
    space = CallableUtilitySpace(domain=DOMAIN, function=lambda bid: 1 / 0)
    other = Domain("other", [DiscreteIssue("pay", ["low"])])
    with pytest.raises(InvalidBid, match="of domain other"):
        space.utility(other.bid(pay="low"))
