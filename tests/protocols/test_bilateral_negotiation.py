from typing import Any

import pytest

from genius_py.action import Accept, EndNegotiation, Offer, Reject
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ActionError, OptionError
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.manager import run
from genius_py.testing import Driven, check_protocol, drive

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])


def price(amount: int) -> Bid:
    return SALE.bid(price=amount)


def talks(*answers: Any, **settings: Any) -> Driven:
    return drive("bilateral_negotiation", answers, domain=SALE, **settings)


def test_it_keeps_the_contract() -> None:
    check_protocol("bilateral_negotiation")


def test_an_offer_is_accepted_or_countered() -> None:
    table = talks(Offer("ann", price(7)))
    assert table.may(Accept, Offer, EndNegotiation)
    assert table.feed(Accept("bob", price(7))).outcome.agreement == price(7)


def test_a_counter_offer_is_accepted_or_rejected_in_the_same_round() -> None:
    table = talks(Offer("ann", price(7)), Offer("bob", price(3)))
    assert table.may(Accept, Reject, EndNegotiation)
    assert table.session.round_number == 1
    assert table.feed(Accept("ann", price(3))).outcome.agreement == price(3)


def test_a_counter_offer_of_the_last_round_can_still_be_accepted() -> None:
    table = talks(
        Offer("ann", price(7)), Offer("bob", price(3)), Accept("ann", price(3)), deadline=1
    )
    assert table.outcome.agreement == price(3)


def test_after_a_rejection_the_first_party_offers_anew() -> None:
    table = talks(Offer("ann", price(7)), Offer("bob", price(3)), Reject("ann", price(3)))
    assert table.may(Offer, EndNegotiation)
    assert table.session.round_number == 2
    assert (table.agreement, table.agreeing_parties) == (None, 0)


def test_an_equal_counter_offer_needs_no_answer() -> None:
    # It is the same bid, so that the responder may as well have accepted.
    table = talks(Offer("ann", price(7)), Offer("bob", price(7)))
    assert table.may(Accept, Reject, EndNegotiation)


def test_either_may_walk_away() -> None:
    for answers in ([EndNegotiation("ann")], [Offer("ann", price(7)), EndNegotiation("bob")]):
        table = talks(*answers)
        assert table.outcome.reason.value == "walkaway"
        assert table.outcome.agreement is None


def test_only_what_is_on_the_table_can_be_accepted() -> None:
    table = talks(Offer("ann", price(7)), retries=1)
    table.feed(Accept("bob", price(2)))
    assert "the bid must be price: 7" in table.faults[0]


def test_a_forfeited_offer_leaves_nothing_to_accept() -> None:
    table = talks(Fault("ann", "sleeps"), on_fault="forfeit")
    assert table.may(Offer, EndNegotiation)
    table.feed(Fault("bob", "sleeps"))
    assert table.session.round_number == 2


def test_it_is_for_two() -> None:
    with pytest.raises(OptionError, match="needs 2 parties"):
        run("bilateral", "wind_farm")


def test_bidding_parties_agree_in_it() -> None:
    outcome = run("bilateral", "company_car", parties=["boulware", "conceder"])
    assert outcome.agreement is not None
    assert outcome.faults == ()


def test_there_is_no_turn_after_the_end() -> None:
    with pytest.raises(ActionError):
        talks(EndNegotiation("ann"), Offer("bob", price(3)))
