"""Issues: which values they have, and in which order."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import DomainError, InvalidBid
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.testing.strategies import issues

COLOUR = DiscreteIssue("colour", ["red", "green", "blue"])
PIECES = IntegerIssue("pieces", -2, 3)
PRICE = RealIssue("price", 0.5, 2.5)
NOTE = TextIssue("note", 5)


@given(issues(texts=True))
def test_every_listed_value_is_one_of_the_issue_and_has_a_place(issue: Issue) -> None:
    for place in range(issue.size):
        value = issue.value_at(place)
        assert issue.check(value) == value
        assert issue.value_at(issue.position(value)) == value


@pytest.mark.parametrize("issue", [COLOUR, PIECES, PRICE, NOTE])
@pytest.mark.parametrize("place", [-1, 21])
def test_there_is_no_value_outside_the_listing(issue: Issue, place: int) -> None:
    with pytest.raises(IndexError):
        issue.value_at(place)


def test_discrete_values_keep_the_order_of_the_file() -> None:
    assert [COLOUR.value_at(place) for place in range(COLOUR.size)] == ["red", "green", "blue"]
    assert COLOUR.position("blue") == 2


def test_blanks_around_a_value_are_forgiven_and_the_issues_spelling_kept() -> None:
    issue = DiscreteIssue("size", ["A ", "B"])
    assert issue.check(" A") == "A "
    assert issue.check("A ") == "A "


def test_values_that_differ_only_by_blanks_are_refused() -> None:
    with pytest.raises(DomainError, match="'A' and 'A ' differ only by blanks; rename one"):
        DiscreteIssue("size", ["A", "A "])


def test_a_value_listed_twice_counts_twice_and_stands_at_its_first_place() -> None:
    # Genius loads such files; golden/utility edge_dom_dupvalue.
    issue = DiscreteIssue("size", ["S", "M", "S"])
    assert issue.size == 3
    assert issue.position("S") == 0


def test_numbers_among_discrete_values_must_be_quoted() -> None:
    with pytest.raises(DomainError, match="value 3 is not a text; quote it"):
        DiscreteIssue("size", ["S", 3])  # type: ignore[list-item]


@pytest.mark.parametrize("value", ["pink", "", "RED", 0, None, 1.0])
def test_what_is_not_a_discrete_value_is_refused(value: object) -> None:
    with pytest.raises(InvalidBid, match="not a value of issue 'colour'; possible is colour: red"):
        COLOUR.check(value)


@pytest.mark.parametrize("value", [3, 3.0, np.int64(3)])
def test_whole_numbers_come_in_many_types_and_leave_as_int(value: object) -> None:
    checked = PIECES.check(value)
    assert checked == 3
    assert type(checked) is int


@pytest.mark.parametrize(
    "value", [-3, 4, 0.5, True, "1", None, math.nan, math.inf, 10**400, np.float64(0.1)]
)
def test_what_is_not_in_the_integer_range_is_refused(value: object) -> None:
    with pytest.raises(InvalidBid, match=r"possible is pieces: -2\.\.3"):
        PIECES.check(value)


def test_a_million_values_take_no_list() -> None:
    issue = IntegerIssue("pieces", 1, 10**40)
    assert issue.size == 10**40
    assert issue.value_at(issue.size - 1) == 10**40
    assert issue.position(10**40) == 10**40 - 1


@pytest.mark.parametrize("bounds", [(3, 2), (True, 3), (1.5, 3)])
def test_impossible_integer_bounds_are_refused(bounds: tuple[int, int]) -> None:
    with pytest.raises(DomainError, match="'pieces'"):
        IntegerIssue("pieces", *bounds)


def test_a_real_issue_is_listed_at_21_points() -> None:
    # As Genius's bid iterator does.
    assert PRICE.size == 21
    assert [PRICE.value_at(place) for place in (0, 10, 20)] == [0.5, 1.5, 2.5]


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_all_points_of_a_real_issue_lie_in_its_range(one: float, other: float) -> None:
    issue = RealIssue("price", min(one, other), max(one, other))
    for place in range(issue.size):
        issue.check(issue.value_at(place))


def test_any_real_number_between_the_bounds_may_be_offered_but_has_no_place() -> None:
    assert PRICE.check(1.2345) == 1.2345
    assert PRICE.check(2) == 2.0
    with pytest.raises(InvalidBid, match="not one of its 21 listed points"):
        PRICE.position(1.2345)


@pytest.mark.parametrize("value", [0.4999, 2.5001, math.nan, math.inf, "1", None, True, 10**400])
def test_what_is_not_in_the_real_range_is_refused(value: object) -> None:
    with pytest.raises(InvalidBid, match="possible is price"):
        PRICE.check(value)


@pytest.mark.parametrize("bounds", [(2, 1), (0, math.inf), (math.nan, 1)])
def test_impossible_real_bounds_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(DomainError, match="'price'"):
        RealIssue("price", *bounds)


def test_a_real_issue_of_one_point_can_be_listed() -> None:
    issue = RealIssue("price", 1, 1)
    assert {issue.value_at(place) for place in range(issue.size)} == {1.0}
    assert issue.position(1.0) == 0


def test_texts_may_not_be_too_long() -> None:
    assert NOTE.check("hello") == "hello"
    with pytest.raises(InvalidBid):
        NOTE.check("hello!")
    with pytest.raises(InvalidBid, match="free text, so a bid with it has no index"):
        NOTE.position("hello")


@pytest.mark.parametrize("name", ["", None, 3])
def test_an_issue_needs_a_name(name: str) -> None:
    with pytest.raises(DomainError, match="An issue needs a name"):
        IntegerIssue(name, 0, 1)


def test_issues_print_their_values() -> None:
    printed = [str(issue) for issue in (COLOUR, PIECES, PRICE, NOTE)]
    assert printed == [
        "colour: red | green | blue",
        "pieces: -2..3",
        "price: 0.5..2.5",
        "note: text",
    ]


def test_issues_are_equal_by_value() -> None:
    assert DiscreteIssue("a", ["x"]) == DiscreteIssue("a", ("x",))
    assert hash(IntegerIssue("a", 0, 1)) == hash(IntegerIssue("a", 0, 1))
    assert DiscreteIssue("a", ["x"]) != DiscreteIssue("a", ["y"])
