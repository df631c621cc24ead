import pytest

from genius_py.domain import Domain
from genius_py.errors import DomainError, OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.protocols.award import Awards
from genius_py.session import Seat
from tests.protocols.awards import BIDDERS, HOUSE, SHARE

SEATS = [Seat(bidder) for bidder in BIDDERS]
PRICE = IntegerIssue("price", 0, 9)


def test_issues_are_found_by_what_they_are_not_by_name_or_place() -> None:
    domain = Domain("job", [RealIssue("wage", 1, 9), DiscreteIssue("worker", BIDDERS)])
    assert Awards.of(domain, SEATS).bid("bob", 2) == domain.bid(worker="bob", wage=2)


def test_a_seat_is_named_by_its_id_or_else_by_its_role() -> None:
    seats = [Seat("ann"), Seat("x", role="bob"), Seat("cem", role="bob's agent")]
    assert Awards.of(HOUSE, seats).names == {"ann": "ann", "x": "bob", "cem": "cem"}


@pytest.mark.parametrize(
    "issues",
    [
        [PRICE],
        [DiscreteIssue("winner", BIDDERS)],
        [PRICE, DiscreteIssue("winner", BIDDERS[:2])],
        [PRICE, IntegerIssue("tax", 0, 9), DiscreteIssue("winner", BIDDERS)],
        [PRICE, DiscreteIssue("winner", BIDDERS), DiscreteIssue("colour", ["red"])],
    ],
)
def test_other_domains_are_refused(issues: list[Issue]) -> None:
    with pytest.raises(DomainError, match="has no awards"):
        Awards.of(Domain("odd", issues), SEATS)


def test_two_seats_of_one_role_cannot_be_told_apart() -> None:
    with pytest.raises(DomainError, match="at a role of its own"):
        Awards.of(HOUSE, [Seat("x", role="bob"), Seat("y", role="bob")])


def test_prices_below_nothing_are_none() -> None:
    below = Domain("odd", [RealIssue("price", -5, 5), DiscreteIssue("winner", BIDDERS)])
    awards = Awards.of(below, SEATS)
    assert (awards.lowest, awards.highest) == (0, 5)


def test_a_step_is_a_fiftieth_of_the_range_and_whole_where_prices_are() -> None:
    assert Awards.of(SHARE, SEATS).step == 0.02
    assert Awards.of(HOUSE, SEATS).step == 2
    narrow = Domain("odd", [PRICE, DiscreteIssue("winner", BIDDERS)])
    assert Awards.of(narrow, SEATS).step == 1


def test_a_price_that_is_set_must_be_one_of_the_domain() -> None:
    awards = Awards.of(HOUSE, SEATS)
    assert awards.checked("reserve", 20.0) == 20
    for price in (2.5, 101):
        with pytest.raises(OptionError, match="reserve is no price of house"):
            awards.checked("reserve", price)
