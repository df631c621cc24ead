"""Bids: immutable outcomes that are read like a mapping."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import InvalidBid
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.testing.strategies import bids, domains

CAR = Domain(
    "car",
    [IntegerIssue("price", 1, 9), DiscreteIssue("colour", ["red", "blue"]), RealIssue("tax", 0, 1)],
)
BID = CAR.bid(price=3, colour="blue", tax=0.5)


def test_a_bid_is_read_like_a_mapping_in_the_order_of_the_issues() -> None:
    assert dict(BID) == {"price": 3, "colour": "blue", "tax": 0.5}
    assert list(BID) == ["price", "colour", "tax"]
    assert BID.content == (3, "blue", 0.5)
    assert len(BID) == 3
    assert "colour" in BID
    assert "size" not in BID
    with pytest.raises(KeyError):
        BID["size"]


def test_a_bid_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match=r"make another with replace\(content=\.\.\.\)"):
        BID.content = (1, "red", 0.0)


def test_replace_makes_another_bid() -> None:
    assert BID.replace(price=9) == CAR.bid(price=9, colour="blue", tax=0.5)
    assert BID["price"] == 3
    with pytest.raises(InvalidBid, match="10 is not a value of issue 'price'"):
        BID.replace(price=10)


def test_equal_domains_loaded_twice_have_equal_bids() -> None:
    # C36: what counts is the content, not the object; the domain's name does not.
    again = Domain("the same car", CAR.issues)
    other = again.bid(dict(BID))
    assert other == BID
    assert hash(other) == hash(BID)
    assert {BID: "known"}[other] == "known"


def test_bids_of_different_domains_differ() -> None:
    one = Domain("one", [IntegerIssue("price", 1, 9)]).bid(price=3)
    other = Domain("other", [IntegerIssue("price", 1, 10)]).bid(price=3)
    assert one != other
    assert one != {"price": 3}


def test_the_index_counts_the_first_issue_fastest() -> None:
    # Genius's bid iterator: golden README, "Bid index".
    assert CAR.bid(price=1, colour="red", tax=0).index == 0
    assert CAR.bid(price=2, colour="red", tax=0).index == 1
    assert CAR.bid(price=1, colour="blue", tax=0).index == 9
    assert CAR.bid(price=1, colour="red", tax=0.05).index == 18
    assert CAR.bid(price=9, colour="blue", tax=1).index == CAR.size - 1 == 377


def test_a_bid_between_the_listed_points_has_no_index() -> None:
    with pytest.raises(InvalidBid, match="so a bid with it has no index"):
        _ = BID.replace(tax=0.333).index


@pytest.mark.parametrize("values", [({"price": 3},), (CAR, {"price": 3}), (CAR,)])
def test_a_mapping_is_told_how_to_become_a_bid(values: Any) -> None:
    with pytest.raises(InvalidBid, match=r"make one with self\.domain\.bid\(price=\.\.\.\)"):
        Bid(*values)


def test_the_distance_is_the_share_of_issues_that_differ() -> None:
    assert BID.distance(BID) == 0
    assert BID.distance(BID.replace(price=4)) == pytest.approx(1 / 3)
    assert BID.distance(CAR.bid(price=1, colour="red", tax=0)) == 1


def test_what_is_printed_can_be_read() -> None:
    assert str(BID) == "price: 3, colour: blue, tax: 0.5"
    assert repr(BID) == "<Bid price: 3, colour: blue, tax: 0.5>"
    third = BID.replace(tax=1 / 3)
    assert CAR.bid(price=3, colour="blue", tax=float(str(third).rpartition(" ")[2])) == third


@given(st.data())
def test_a_bid_survives_copying_and_pickling(data: st.DataObject) -> None:
    bid: Bid = data.draw(bids(data.draw(domains(texts=True))))
    assert pickle.loads(pickle.dumps(bid)) == bid
    assert copy.deepcopy(bid) == bid
    assert bid.domain.bid(dict(bid)) == bid


def test_any_issue_name_can_be_replaced() -> None:
    odd = Domain("odd", [IntegerIssue("unit price", 1, 9), TextIssue("values")])
    bid = odd.bid({"unit price": 3, "values": "mine"})
    assert bid.replace(**{"unit price": 4})["unit price"] == 4
    assert bid.replace(values="yours")["values"] == "yours"
