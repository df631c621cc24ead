from typing import Any

import pytest

from genius_py import registry
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.manager import run
from genius_py.parties.price_conceder import PriceConceder
from genius_py.protocols.monotonic_concession import Position
from genius_py.scenario import Scenario
from genius_py.utility import LinearUtilitySpace

PRICE = Domain("price", [RealIssue("price", 0, 100)])
WHOLE = Domain("whole price", [IntegerIssue("price", 0, 100)])


def sale(seller: float = 50.0, buyer: float = 80.0, domain: Domain = PRICE) -> Scenario:
    """The seller gains what is above its limit, the buyer what is below its own."""
    return Scenario(
        domain,
        {
            "seller": LinearUtilitySpace(domain=domain, coefficients=[1], constant=-seller),
            "buyer": LinearUtilitySpace(domain=domain, coefficients=[-1], constant=buyer),
        },
    )


def named(party: str, scenario: Scenario, other: str = "", **settings: Any) -> list[float]:
    """The numbers that a seller of some spec names."""
    given: dict[str, Any] = {"deadline": 10} | settings
    outcome = run(
        "monotonic_concession:tolerance=0", scenario, parties=[party, other or party], **given
    )
    assert outcome.faults == ()
    return [
        action.value
        for action in outcome.log.actions
        if isinstance(action, Position) and action.party == "seller"
    ]


STILL = "price_conceder:initial=0,reservation=0"
"""An opponent that asks for the impossible, and does not move."""


@pytest.mark.parametrize(
    ("strategy", "numbers"),
    [
        # From 100 to 50 in ten rounds, as the executor's strategies have it.
        ("linear", [95, 90, 85, 80, 75]),
        ("exponential", [99.5, 97.52, 93.2432, 86.324288, 77.243216]),
        ("time-dependent", [99.5, 97.52, 93.2432, 86.324288, 77.243216]),
        ("tit_for_tat", [95, 90, 90, 90, 90]),
    ],
)
def test_it_concedes_from_what_it_likes_best_to_its_limit(
    strategy: str, numbers: list[float]
) -> None:
    found = named(f"price_conceder:strategy={strategy}", sale(), STILL)
    assert found[:5] == pytest.approx(numbers, abs=5e-7)
    assert len(found) == 10


def test_the_last_number_is_its_limit() -> None:
    assert named("price_conceder", sale(), STILL)[-1] == 50


def test_start_and_end_can_be_given() -> None:
    found = named("price_conceder:initial=90,reservation=60", sale(), STILL)
    assert (found[0], found[-1]) == (87, 60)


def test_whole_numbers_are_rounded_to_its_advantage() -> None:
    scenario = sale(seller=50, domain=WHOLE)
    found = named("price_conceder:initial=100,reservation=75", scenario, STILL)
    # Steps of 2.5 from what was named last: 97.5 and so on, each rounded up.
    assert found[:3] == [98, 96, 94]


def test_where_positions_cross_they_meet_in_the_middle() -> None:
    outcome = run("monotonic_concession", sale(), parties=["price_conceder"] * 2, deadline=10)
    assert outcome.agreement is not None
    assert 50 <= float(outcome.agreement["price"]) <= 80


def test_where_limits_do_not_meet_there_is_no_agreement() -> None:
    outcome = run("monotonic_concession", sale(seller=80, buyer=50), parties=["price_conceder"] * 2)
    assert outcome.agreement is None
    assert outcome.faults == ()


def test_it_also_offers_and_accepts() -> None:
    for rules in ("bilateral", "SAOP"):
        outcome = run(rules, sale(), parties=["price_conceder"] * 2, deadline=10)
        assert outcome.faults == ()
        assert outcome.agreement is not None
        assert 50 <= float(outcome.agreement["price"]) <= 80


def test_of_a_deadline_in_seconds_each_thousandth_counts_as_a_round() -> None:
    outcome = run(
        "bilateral", sale(seller=80, buyer=50), parties=["price_conceder"] * 2, deadline="0.02s"
    )
    assert outcome.faults == ()
    assert outcome.agreement is None


def test_a_strategy_is_one_of_four() -> None:
    with pytest.raises(OptionError, match="strategy is one of linear, exponential"):
        PriceConceder("sudden")


def test_it_concedes_one_number_alone() -> None:
    car = Domain("car", [IntegerIssue("price", 0, 9), DiscreteIssue("colour", ["red"])])
    space = LinearUtilitySpace(domain=car, coefficients=[1, 0])
    outcome = run(
        "SAOP", Scenario(car, {"a": space, "b": space}), parties=["price_conceder", "linear"]
    )
    assert "concedes a single number" in outcome.faults[0].reason


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "price-conceder:strategy=linear"), PriceConceder)
