import pytest

from genius_py import registry
from genius_py.errors import OptionError
from genius_py.parties.increment import Increment
from tests.parties.bidding import good, open_bid, sealed_bid, seated


def test_it_bids_a_step_more_than_it_must_but_never_past_its_value() -> None:
    party = seated(Increment(step=10), good(80), "english_auction")
    assert [open_bid(party, low=price) for price in (5, 75, 80, 81)] == [15, 80, 80, "DropOut"]


def test_where_bids_go_down_it_steps_down() -> None:
    party = seated(Increment(step=10), good(20, sells=True), "english_auction")
    assert [open_bid(party, high=price) for price in (95, 25, 19)] == [85, 20, "DropOut"]


def test_where_bids_are_sealed_there_are_no_steps() -> None:
    assert sealed_bid(seated(Increment(step=10), good(80))) == 80


def test_a_step_is_not_negative() -> None:
    with pytest.raises(OptionError, match="step must be 0 or more"):
        Increment(step=-1)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "increment:step=2"), Increment)
