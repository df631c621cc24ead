from typing import Any

import pytest

from genius_py import registry
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.manager import run
from genius_py.parties.contractor import Contractor
from genius_py.scenario import Scenario
from genius_py.utility import LinearUtilitySpace, TableUtilitySpace, UtilitySpace

JOB = Domain(
    "job",
    [
        DiscreteIssue("who", ["ann", "bob"]),
        RealIssue("cost", 0, 200),
        IntegerIssue("time", 2, 8),
        RealIssue("confidence", 0, 1),
    ],
)


def scenario(domain: Domain = JOB, **costs: float) -> Scenario:
    """The boss has 200 to spend, and loses 10 for each hour; an hour costs contractors 2."""
    names = domain.issue_names
    hour, hour_of_work = ([-10.0], [2.0]) if "time" in names else ([], [])
    rest = [0.0] * (len(names) - 2 - len(hour))
    profiles: dict[str, UtilitySpace] = {
        "boss": LinearUtilitySpace(domain=domain, coefficients=[0, -1, *hour, *rest], constant=200)
    }
    for who, cost in costs.items():
        profiles[who] = LinearUtilitySpace(
            domain=domain,
            coefficients=[0, 1, *hour_of_work, *rest],
            constant=-cost,
            where={"who": who},
        )
    return Scenario(domain, profiles)


def proposals(*parties: Any, rules: str = "contract_net:threshold=1", **settings: Any) -> list[str]:
    """What was proposed, of contractors with own costs of 50 and 60."""
    given: dict[str, Any] = {"deadline": 3} | settings
    outcome = run(rules, scenario(ann=50, bob=60), parties=["contractor", *parties], **given)
    assert outcome.faults == ()
    return [str(action) for action in outcome.log.actions if "proposes" in str(action)]


def test_the_markup_shrinks_to_nothing() -> None:
    # Five hours, the middle, bring ann 10: the job costs her 40, and 48, 44, 40 with the markup.
    ann = [line for line in proposals("contractor", "contractor") if line.startswith("ann")]
    assert [line.split()[3].rstrip(",") for line in ann] == ["48", "44", "40"]


def test_markups_are_not_rounded_away() -> None:
    # The case of the four markups on a budget of .01 (C50).
    cents = Domain("cents", [DiscreteIssue("who", ["ann", "bob"]), RealIssue("cost", 0, 1)])
    prices = set()
    for markup in (0.05, 0.10, 0.20, 0.30):
        outcome = run(
            "contract_net:threshold=0",
            scenario(cents, ann=0.01, bob=0.9),
            parties=["contractor", f"contractor:markup={markup}", "contractor"],
        )
        assert outcome.agreement is not None
        prices.add(outcome.agreement["cost"])
    assert len(prices) == 4
    assert min(prices) == pytest.approx(0.0105)


def test_time_and_confidence_are_promised_as_they_are_given() -> None:
    ann, _ = proposals("contractor:time=3,confidence=0.5", "contractor", deadline=1)
    # Three hours bring 6 instead of 10, so that the job costs 44.
    assert ann == "ann proposes cost 52.8, time 3, confidence 0.5"


def test_a_cost_of_its_own_is_what_the_job_costs_as_promised() -> None:
    outcome = run(
        "contract_net:threshold=0",
        scenario(ann=50, bob=60),
        parties=["contractor", "contractor:cost=70,markup=0.1", "contractor:cost=100"],
    )
    assert outcome.agreement is not None
    assert outcome.agreement["who"] == "ann"
    assert outcome.agreement["cost"] == pytest.approx(77)
    assert outcome.utilities["ann"] == pytest.approx(7)
    assert outcome.utilities["bob"] == 0


def test_whole_costs_are_rounded_up() -> None:
    whole = Domain("whole", [DiscreteIssue("who", ["ann", "bob"]), IntegerIssue("cost", 0, 200)])
    outcome = run(
        "contract_net",
        scenario(whole, ann=50.5, bob=90),
        parties=["contractor", "contractor:markup=0", "contractor"],
    )
    assert outcome.agreement == whole.bid(who="ann", cost=51)


def test_who_cannot_gain_declines() -> None:
    outcome = run("contract_net", scenario(ann=500, bob=60), parties=["contractor"] * 3, deadline=1)
    assert [str(action) for action in outcome.log.actions][1] == "ann declines"


def test_as_a_manager_it_takes_what_is_worth_most_to_it() -> None:
    outcome = run(
        "contract_net:decision=manager",
        scenario(ann=50, bob=60),
        parties=["contractor", "contractor:time=8", "contractor:time=2"],
    )
    # ann asks for 34 * 1.2 = 40.8 and eight hours, bob for 56 * 1.2 = 67.2 and two.
    assert outcome.agreement is not None
    assert outcome.agreement["who"] == "bob"


def test_as_a_manager_it_takes_nothing_that_is_worth_less_than_nothing() -> None:
    outcome = run(
        "contract_net:decision=manager",
        scenario(ann=190, bob=195),
        parties=["contractor"] * 3,
        deadline=2,
    )
    assert outcome.agreement is None


@pytest.mark.parametrize("option", [{"markup": -0.1}, {"confidence": 1.5}])
def test_impossible_options_are_refused(option: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(option))):
        Contractor(**option)


def test_a_cost_needs_a_linear_profile() -> None:
    small = Domain("small", [DiscreteIssue("who", ["ann"]), IntegerIssue("cost", 0, 3)])
    space = TableUtilitySpace(domain=small, table=[0.0] * 4)
    with pytest.raises(OptionError, match="cost= needs a linear profile"):
        Contractor.profile_for(space, {"cost": 2})


def test_it_plays_contract_nets_alone() -> None:
    outcome = run("SAOP", scenario(ann=50), parties=["contractor", "contractor"])
    assert "A contractor cannot Offer" in outcome.faults[0].reason


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "contractor:cost=40"), Contractor)
