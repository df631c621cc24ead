"""What is true of all four auctions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.errors import DomainError, OptionError
from genius_py.issue import IntegerIssue
from genius_py.log import Kind
from genius_py.manager import run
from genius_py.protocols.auction import DropOut, PlaceBid
from genius_py.scenario import Scenario
from genius_py.testing import check_protocol
from genius_py.utility import LinearUtilitySpace
from tests.protocols.awards import BIDDERS, HOUSE, auction, bids

NAMES = ("english_auction", "dutch_auction", "sealed_bid_auction", "vickrey_auction")
SEALED = NAMES[2:]


def house(sells: bool = False, **values: float) -> Scenario:
    """An auction of a house: what it is worth to whom, in whole prices from 0 to 100."""
    slope = 1.0 if sells else -1.0
    return Scenario(
        HOUSE,
        {
            bidder: LinearUtilitySpace(
                domain=HOUSE,
                coefficients=[0, slope],
                constant=-slope * value,
                where={"winner": bidder},
            )
            for bidder, value in values.items()
        },
    )


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_the_contract(name: str) -> None:
    check_protocol(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_domain_without_awards_is_refused(name: str) -> None:
    car = Domain("car", [IntegerIssue("price", 0, 9)])
    with pytest.raises(DomainError, match="has no awards"):
        auction(name, domain=car)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("option", "value"), [("reserve", "high"), ("reserve", 0.5), ("tie", "coin")]
)
def test_impossible_options_are_refused(name: str, option: str, value: object) -> None:
    with pytest.raises(OptionError, match=option):
        auction(f"{name}:{option}={value}")


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("English", "english_auction"),
        ("DUTCH_AUCTION", "dutch_auction"),
        ("sealed-bid", "sealed_bid_auction"),
        ("first price", "sealed_bid_auction"),
        ("Vickrey", "vickrey_auction"),
    ],
)
def test_it_has_the_names_of_the_literature(alias: str, name: str) -> None:
    assert auction(alias).protocol.name == name


@pytest.mark.parametrize("name", SEALED)
def test_no_sealed_bid_is_known_before_the_last_one_is_in(name: str) -> None:
    table = auction(name, PlaceBid("ann", 70), PlaceBid("bob", 50))
    assert list(table.log) == []
    for bidder in BIDDERS:
        assert list(table.session.log.seen_by(bidder)) == []
        assert table.heard[bidder] == []
    table.feed(DropOut("cem"))
    assert [action for _, action in table.heard["cem"]] == bids(70, 50)


@pytest.mark.parametrize("name", SEALED)
@given(prices=st.lists(st.integers(1, 100), min_size=3, max_size=3), asked=st.integers(0, 2))
def test_what_a_bidder_knows_when_it_is_asked_does_not_depend_on_others(
    name: str, prices: list[int], asked: int
) -> None:
    def view(*others: int) -> Any:
        table = auction(name)
        for place in range(asked):
            table.feed(PlaceBid(BIDDERS[place], others[place]))
        return list(table.session.log.seen_by(BIDDERS[asked])), str(table.asked[asked].allowed)

    assert view(*prices) == view(1, 1, 1)


def test_the_winner_is_paid_by_its_profile_and_the_others_get_nothing() -> None:
    outcome = run("vickrey", house(ann=80, bob=60, cem=30), parties=["truthful"] * 3)
    assert outcome.agreement == HOUSE.bid(winner="ann", price=60)
    assert outcome.utilities == {"ann": 20.0, "bob": 0.0, "cem": 0.0}


def test_who_sells_gains_the_price_less_its_cost() -> None:
    scenario = house(sells=True, ann=80, bob=60, cem=30)
    outcome = run("vickrey:reverse=true", scenario, parties=["truthful"] * 3)
    assert outcome.agreement == HOUSE.bid(winner="cem", price=60)
    assert outcome.utilities == {"ann": 0.0, "bob": 0.0, "cem": 30.0}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sells", [True, False])
def test_the_wrong_way_round_for_everybody_is_said(name: str, sells: bool) -> None:
    scenario = house(sells, ann=80, bob=60, cem=30)
    right = run(f"{name}:reverse={sells}", scenario, parties=["truthful"] * 3)
    assert "meant" not in right.detail
    wrong = run(f"{name}:reverse={not sells}", scenario, parties=["truthful"] * 3)
    liked = "high" if sells else "low"
    assert f"likes {liked} prices best: is reverse={str(sells).lower()} meant?" in wrong.detail


def test_a_value_on_the_command_line_is_what_the_good_is_worth() -> None:
    parties = ["truthful:value=90", "truthful", "truthful:value=75"]
    outcome = run("vickrey", house(ann=80, bob=60, cem=30), parties=parties)
    assert outcome.utilities == {"ann": 15.0, "bob": 0.0, "cem": 0.0}
    assert outcome.plan.scenario.profile("ann") == house(ann=90).profile("ann")


def test_the_domain_says_the_options_that_are_not_given() -> None:
    outcome = run("vickrey:reserve=45", "compute_job", parties=["truthful"] * 3)
    assert outcome.plan.protocol == "vickrey_auction:reverse=True,reserve=45"
    assert outcome.utilities == {"gpu_farm": 10.0, "desktop": 0.0, "laptop": 0.0}


@given(
    values=st.lists(st.integers(0, 100), min_size=3, max_size=3),
    name=st.sampled_from(NAMES),
    party=st.sampled_from(["truthful", "shading", "increment", "random_bidder", "sniping"]),
    reverse=st.booleans(),
    seed=st.integers(0, 100),
)
def test_payoffs_sum_to_value_less_price_and_no_bidder_loses(
    values: list[int], name: str, party: str, reverse: bool, seed: int
) -> None:
    worth: dict[str, int] = dict(zip(BIDDERS, values, strict=True))
    spec = f"{name}:reverse={reverse}"
    outcome = run(spec, house(sells=reverse, **worth), parties=[party] * 3, seed=seed, deadline=99)
    assert outcome.faults == ()
    assert min(outcome.utilities.values()) >= 0
    expected = 0.0
    if outcome.agreement is not None:
        winner, price = outcome.agreement["winner"], float(outcome.agreement["price"])
        expected = (price - worth[str(winner)]) * (1 if reverse else -1)
    assert sum(outcome.utilities.values()) == expected


def test_a_forfeited_turn_is_a_turn_without_bid() -> None:
    table = auction("vickrey", *bids(40, 30), on_fault="forfeit")
    table.feed(PlaceBid("cem", 1000))
    assert table.outcome.agreement == HOUSE.bid(winner="ann", price=30)
    assert [event.kind for event in table.log if event.party == "cem"] == [Kind.FAULT, Kind.ACTION]
