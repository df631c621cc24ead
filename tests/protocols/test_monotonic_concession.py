from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.errors import DomainError, OptionError
from genius_py.fault import Fault
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.manager import run
from genius_py.protocols.monotonic_concession import Position
from genius_py.testing import Driven, check_protocol, drive

LEVEL = Domain("level", [RealIssue("level", 0, 100)])
PIECES = Domain("pieces", [IntegerIssue("pieces", 0, 100)])
PARTIES = ("ann", "bob", "cem")


def talks(*numbers: float, options: str = "", domain: Domain = LEVEL, **settings: Any) -> Driven:
    """The numbers that the three name, round by round."""
    positions = [Position(PARTIES[i % 3], number) for i, number in enumerate(numbers)]
    rules = f"monotonic_concession{options}"
    return drive(rules, positions, domain=domain, parties=PARTIES, **settings)


def ranges(table: Driven) -> list[str]:
    """What each may name."""
    return [str(turn.allowed[Position]["value"]) for turn in table.asked]


def test_it_keeps_the_contract() -> None:
    check_protocol("monotonic_concession")


def test_the_first_number_is_free() -> None:
    assert ranges(talks()) == ["a number from 0 to 100"] * 3
    assert ranges(talks(domain=PIECES)) == ["a whole number from 0 to 100"] * 3


def test_positions_come_closer() -> None:
    assert ranges(talks(80, 60, 20)) == ["a number from 20 to 80"] * 3


@pytest.mark.parametrize(
    ("direction", "allowed"),
    [
        ("falling", ["0 to 80", "0 to 60", "0 to 20"]),
        ("rising", ["80 to 100", "60 to 100", "20 to 100"]),
    ],
)
def test_or_all_fall_or_all_rise(direction: str, allowed: list[str]) -> None:
    table = talks(80, 60, 20, options=f":direction={direction}")
    assert ranges(table) == [f"a number from {span}" for span in allowed]


def test_nobody_hears_a_number_before_all_have_named_theirs() -> None:
    table = talks(80, 60)
    assert table.heard["cem"] == []
    table.feed(Position("cem", 20))
    assert [str(action) for _, action in table.heard["cem"]] == [
        "ann would settle for 80",
        "bob would settle for 60",
    ]


def test_close_numbers_are_an_agreement_on_the_middle() -> None:
    table = talks(80, 60, 20, 50, 50 + 1 / 128, 50 + 1 / 256)
    assert table.outcome.agreement == LEVEL.bid(level=50 + 1 / 256)
    assert (table.outcome.rounds, table.outcome.agreeing_parties) == (2, 3)


def test_how_close_can_be_chosen() -> None:
    assert talks(50, 53, 51, options=":tolerance=3").outcome.agreement == LEVEL.bid(level=51.5)
    assert talks(50, 53, 51, options=":tolerance=2").agreement is None


def test_whole_numbers_agree_when_they_are_equal() -> None:
    assert talks(50, 51, 50, domain=PIECES).agreement is None
    assert talks(50, 50, 50, domain=PIECES).outcome.agreement == PIECES.bid(pieces=50)


def test_a_forfeited_turn_keeps_its_position_and_spoils_the_round() -> None:
    table = talks(60, 60, 20, on_fault="forfeit")
    table.feed(Position("ann", 20), Position("bob", 20), Fault("cem", "sleeps"))
    assert table.agreement is None
    assert ranges(table) == ["a number from 20 to 20"] * 3
    table.feed(*(Position(party, 20) for party in PARTIES))
    assert table.outcome.agreement == LEVEL.bid(level=20)


@pytest.mark.parametrize(
    "domain",
    [
        Domain("colours", [DiscreteIssue("colour", ["red"])]),
        Domain("two", [RealIssue("a", 0, 1), RealIssue("b", 0, 1)]),
    ],
)
def test_it_is_about_a_single_number(domain: Domain) -> None:
    with pytest.raises(DomainError, match="is not about a single number"):
        talks(domain=domain)


@pytest.mark.parametrize("option", ["tolerance=-1", "tolerance=wide", "direction=up"])
def test_impossible_options_are_refused(option: str) -> None:
    with pytest.raises(OptionError, match=option.partition("=")[0]):
        talks(options=f":{option}")


def test_the_middle_of_whole_numbers_must_be_whole() -> None:
    with pytest.raises(OptionError, match="tolerance must be below 1"):
        talks(options=":tolerance=1", domain=PIECES)


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=6))
def test_the_spread_never_grows(rounds: list[list[float]]) -> None:
    table = talks(deadline=20)
    spreads = []
    for shares in rounds:
        if not table.asked:
            break
        named = []
        for turn, share in zip(table.asked, shares, strict=True):
            rule: Any = turn.allowed[Position]["value"]
            named.append(rule.minimum + share * (rule.maximum - rule.minimum))
        table.feed(*map(Position, PARTIES, named))
        spreads.append(max(named) - min(named))
    assert table.faults == ()
    assert spreads == sorted(spreads, reverse=True)


def test_the_bundled_parties_come_to_an_agreement() -> None:
    outcome = run("monotonic_concession", "mill_pond")
    assert outcome.agreement is not None
    for party, utility in outcome.utilities.items():
        assert utility >= outcome.reservation_values[party]
