"""Domains: issues in order, and the bids that they span, listed or not."""

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given

from genius_py.domain import LISTABLE, Domain
from genius_py.errors import DomainError, InvalidBid, OutcomeSpaceTooLarge
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.testing.scenarios import huge_scenario
from genius_py.testing.strategies import domains

CAR = Domain(
    "car",
    [DiscreteIssue("colour", ["red", "blue"]), IntegerIssue("seats", 2, 4)],
)
HUGE = huge_scenario().domain


@given(domains())
def test_every_index_has_its_bid_and_every_listed_bid_its_index(domain: Domain) -> None:
    listed = list(domain.bids())
    assert len(listed) == domain.size
    for index, bid in enumerate(listed):
        assert bid.index == index
        assert domain.bid_at(domain.index_of(bid.content)) == bid
        assert bid in domain


@given(domains(max_size=200))
def test_positions_are_those_of_the_listing(domain: Domain) -> None:
    positions = domain.positions()
    assert positions.shape == (domain.size, len(domain.issues))
    for bid, row in zip(domain.bids(), positions, strict=True):
        assert bid.content == tuple(
            issue.value_at(int(p)) for issue, p in zip(domain.issues, row, strict=True)
        )
    some = np.array([domain.size - 1, 0])
    assert np.array_equal(domain.positions(some), positions[some])


def test_bids_are_listed_with_the_first_issue_varying_fastest() -> None:
    assert [str(bid) for bid in CAR.bids()] == [
        "colour: red, seats: 2",
        "colour: blue, seats: 2",
        "colour: red, seats: 3",
        "colour: blue, seats: 3",
        "colour: red, seats: 4",
        "colour: blue, seats: 4",
    ]
    assert CAR.shape == (2, 3)


@pytest.mark.parametrize("index", [-1, 6])
def test_there_is_no_bid_outside_the_listing(index: int) -> None:
    with pytest.raises(InvalidBid, match=f"has bids 0 to 5, not {index}"):
        CAR.bid_at(index)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"colour": "red"}, "gives no value for seats"),
        ({"colour": "red", "seats": 2, "wheels": 4}, "has no issue 'wheels'; its issues are"),
        ({"colour": "pink", "seats": 2}, "'pink' is not a value of issue 'colour'"),
        ({"colour": "red", "seats": 5}, "5 is not a value of issue 'seats'"),
        ({"colour": "red", "seats": -3}, "-3 is not a value of issue 'seats'"),
    ],
)
def test_a_bid_that_does_not_fit_is_refused(values: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidBid, match=words):
        CAR.bid(values)


@pytest.mark.parametrize(
    ("issues", "words"),
    [
        ([], "has no issues; it needs at least one"),
        ([IntegerIssue("a", 0, 1), IntegerIssue("a", 0, 2)], "two issues named 'a'"),
    ],
)
def test_impossible_domains_are_refused(issues: list[Issue], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        Domain("odd", issues)


def test_the_name_does_not_count() -> None:
    assert Domain("one", CAR.issues) == Domain("other", CAR.issues)
    assert hash(Domain("one", CAR.issues)) == hash(Domain("other", CAR.issues))


def test_10_to_the_40_outcomes_are_counted_but_never_listed() -> None:
    # C112: opening a domain of 50 issues must not enumerate it.
    tracemalloc.start()
    domain = Domain("huge", HUGE.issues)
    rng = np.random.default_rng(0)
    bid = domain.random_bid(rng)
    assert domain.size == 10**40
    assert domain.bid_at(bid.index) == bid
    assert domain.bid_at(10**40 - 1)["issue 39"] == "v9"
    assert not domain.is_listable
    for listing in (domain.bids, domain.positions, domain.require_listable):
        with pytest.raises(OutcomeSpaceTooLarge, match=r"about 10\^40 bids, too many to list"):
            listing()
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()
    assert str(domain) == "huge (40 issues, about 10^40 bids)"
    assert str(Domain("one", [DiscreteIssue("only", ["this"])])) == "one (1 issue, 1 bid)"


def test_free_text_cannot_be_listed_but_counts_once() -> None:
    domain = Domain("memo", [*CAR.issues, TextIssue("note")])
    assert domain.size == CAR.size
    assert not domain.is_listable
    with pytest.raises(OutcomeSpaceTooLarge, match="6 bids and free text"):
        domain.bids()


def test_the_limit_of_listing_is_five_million() -> None:
    assert Domain("just", [IntegerIssue("n", 1, LISTABLE)]).is_listable
    assert not Domain("too", [IntegerIssue("n", 0, LISTABLE)]).is_listable


def test_a_real_issue_counts_21_points() -> None:
    assert Domain("price", [RealIssue("price", 0, 1), *CAR.issues]).size == 21 * 6


def test_random_bids_are_uniform_and_repeatable() -> None:
    drawn = [CAR.random_bid(np.random.default_rng(seed)).index for seed in range(6000)]
    counts = np.bincount(drawn, minlength=6)
    assert counts.min() > 900
    again = [CAR.random_bid(np.random.default_rng(seed)).index for seed in range(100)]
    assert again == drawn[:100]


def test_random_bids_reach_beyond_64_bits() -> None:
    domain = Domain("wide", [IntegerIssue("n", 1, 10**40)])
    drawn = [int(domain.random_bid(np.random.default_rng(seed))["n"]) for seed in range(50)]
    assert len(set(drawn)) == 50
    assert max(drawn) > 10**39


def test_a_domain_without_values_has_no_bid_to_draw() -> None:
    empty = Domain("empty", [DiscreteIssue("colour", [])])
    assert empty.size == 0
    assert list(empty.bids()) == []
    with pytest.raises(OutcomeSpaceTooLarge, match="no bids to draw from"):
        empty.random_bid(np.random.default_rng(0))


def test_a_domain_travels_without_the_bids_it_has_made() -> None:
    domain = Domain("fresh", CAR.issues)
    light = len(pickle.dumps(domain))
    list(domain.bids())
    assert pickle.loads(pickle.dumps(domain)) == domain
    assert len(pickle.dumps(domain)) == light


def test_small_domains_give_the_same_object_again() -> None:
    assert CAR.bid_at(3) is CAR.bid_at(3)
