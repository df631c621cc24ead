"""A party that takes less than its reservation value is told where it did."""

import pytest

from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.testing import ConformanceError, check_rational


class Generous(BiddingParty):
    """Proposes and accepts anything."""

    def propose(self) -> Bid:
        return self.domain.random_bid(self.rng)

    def accepts(self, bid: Bid) -> bool:
        return True


def test_a_party_that_never_goes_below_its_reservation_value_is_rational() -> None:
    assert check_rational("linear", ["SAOP"]).passed


@pytest.mark.parametrize(
    ("protocol", "deed"),
    [("SAOP", "accepts"), ("AMOP", "accepts"), ("simple_mediator", "votes ACCEPT")],
)
def test_a_party_that_takes_anything_is_not_rational(protocol: str, deed: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_rational(Generous, [protocol])
    consent = caught.value.report.checks[1].failure
    assert deed in consent
    assert "Compare every bid with the reservation value" in consent


def test_an_offer_below_the_reservation_value_is_not_rational() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_rational(Generous, ["SAOP"])
    assert "'ann offers" in caught.value.report.checks[0].failure


def test_a_mediator_has_no_reservation_value() -> None:
    assert all(check.skipped for check in check_rational("random_flipping_mediator").checks)
