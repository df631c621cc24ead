from collections.abc import Sequence
from typing import Any

import pytest

from genius_py.action import Accept, Offer
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.analysis.of_outcome import analyze_outcome
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import OptionError, StrategyError
from genius_py.issue import DiscreteIssue
from genius_py.log import Kind
from genius_py.manager import run
from genius_py.metrics.belief import OpponentModelPearson, pearson_accuracy
from genius_py.parties.boa import BoaParty
from genius_py.scenario import Scenario
from genius_py.strategies.boa_parts import Situation
from genius_py.strategies.opponent_model import SmithFrequencyModel
from genius_py.testing import check_party, check_rational
from genius_py.testing.scenarios import discrete_scenario
from genius_py.utility import LinearUtilitySpace, TableUtilitySpace
from tests.parties.informed import Clock, informed

# Worth 0, 0.1, ..., 1.1 by colour alone; three shapes of each, which are all the same to us.
GOODS = Domain(
    "goods",
    [DiscreteIssue("colour", [f"c{i:02}" for i in range(11)]), DiscreteIssue("shape", "xyz")],
)
SPACE = TableUtilitySpace(
    domain=GOODS, table=[i / 10 for _ in "xyz" for i in range(11)], reservation_value=0.3
)


def good(colour: int, shape: str = "x") -> Bid:
    return GOODS.bid(colour=f"c{colour:02}", shape=shape)


def at(time: float, **options: object) -> BoaParty:
    clock = Clock(Deadline(rounds=99), lambda: 0.0)
    clock.show(1, time)
    return informed(BoaParty(**options), SPACE, clock=clock, seats=("ann", "bob", "cem"))  # type: ignore[arg-type]


def offered(party: BoaParty) -> Bid:
    action = party.choose_action(Allowed({Offer: {"bid": BidOf(GOODS)}}))
    assert isinstance(action, Offer)
    return action.bid


@pytest.mark.parametrize(
    "spec", ["boa", "boa:model=hard_headed,acceptance=combi_max(t=0.8),choice=best_n(n=2)"]
)
def test_it_keeps_the_contract_and_its_interests(spec: str) -> None:
    check_party(spec, isolated=False)
    check_rational(spec)


@pytest.mark.parametrize(("time", "colour"), [(0.0, 10), (0.5, 7), (1.0, 3)])
def test_it_asks_for_its_best_bid_down_to_its_reservation_value(time: float, colour: int) -> None:
    # Linear from 1 down to 0.3: 0.65 at half-time, for which it takes the bid worth 0.7.
    assert offered(at(time, offering="time_dependent(e=1)")) == good(colour)


def test_with_geniuss_search_the_reservation_value_does_not_count() -> None:
    assert offered(at(1.0, offering="time_dependent(e=1)", search="genius"))["colour"] == "c00"


def test_of_equally_good_bids_it_offers_what_the_other_likes() -> None:
    party = at(0.0, offering="time_dependent(e=0)", model="smith")
    for colour in (1, 2):
        party.receive_message("bob", Offer("bob", good(colour, "z")))
    assert offered(party) == good(10, "z")


def test_every_other_party_has_a_model_of_its_own() -> None:
    # bob wants z and cem y, each for sure; then bob is heard again, but he has one voice only.
    party = at(0.0, offering="time_dependent(e=0)", model="smith")
    party.receive_message("cem", Offer("cem", good(10, "y")))
    for _ in range(3):
        party.receive_message("bob", Offer("bob", good(1, "z")))
    assert offered(party) == good(10, "y")


def test_models_stop_learning_when_told_to() -> None:
    party = at(0.6, offering="time_dependent(e=0)", model="smith", learns_until=0.5, choice="first")
    party.receive_message("bob", Offer("bob", good(1, "z")))
    assert offered(party) == good(10, "x")


def test_it_plans_before_it_judges() -> None:
    party = at(0.5, offering="time_dependent(e=1)", acceptance="next")
    for colour, expected in ((6, Offer), (7, Accept)):
        party.receive_message("bob", Offer("bob", good(colour)))
        allowed = Allowed({Accept: {"bid": OneOf((good(colour),))}, Offer: {"bid": BidOf(GOODS)}})
        assert type(party.choose_action(allowed)) is expected


def test_previous_compares_with_its_own_last_offer() -> None:
    party = at(0.5, offering="time_dependent(e=1)", acceptance="previous")
    assert not party.accepts(good(10))  # it has offered nothing yet
    assert offered(party) == good(7)
    assert party.accepts(good(7))
    assert not party.accepts(good(6))


def test_no_condition_makes_it_accept_less_than_its_reservation_value() -> None:
    party = at(0.5, acceptance="always")
    assert [party.accepts(good(colour)) for colour in (2, 3)] == [False, True]


def test_parts_may_be_functions() -> None:
    def half(now: Situation) -> float:
        return 0.5

    assert offered(at(0.1, offering=half)) == good(5)


def test_geniuss_broken_conditions_fail_when_they_are_asked() -> None:
    party = at(0.5, acceptance="combi_max", search="genius")
    with pytest.raises(StrategyError, match="never tells"):
        party.accepts(good(5))


@pytest.mark.parametrize(
    "options",
    [
        {"acceptance": "nonsense"},
        {"model": "none(l=1)"},
        {"search": "best"},
        {"choice": "best(n=1)"},
    ],
)
def test_a_part_that_does_not_exist_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        BoaParty(**options)  # type: ignore[arg-type]


def test_it_walks_away_when_no_bid_is_worth_it() -> None:
    space = LinearUtilitySpace(
        domain=Domain("nothing", [DiscreteIssue("n", ("0", "1"))]),
        coefficients=[0.0],
        reservation_value=0.5,
    )
    party = informed(BoaParty(), space)
    assert party.propose() is None


def test_models_help_both_sides() -> None:
    scenario = discrete_scenario(2)
    for model in ("hard_headed", "smith", "scalable_bayesian"):
        outcome = run("SAOP", scenario, parties=[f"boa:model={model}"] * 2, deadline=50)
        assert outcome.faults == ()
        assert outcome.agreement is not None


def test_where_bids_cannot_be_listed_it_finds_those_that_the_model_likes_all_the_same() -> None:
    def to_pareto(scenario: str) -> float:
        outcome = run(
            "SAOP",
            scenario,
            parties=["boa:model=hard_headed", "boa:model=hard_headed"],
            deadline=60,
            seed=1,
        )
        assert outcome.agreement is not None
        analysis = analyze_outcome(outcome)
        assert analysis is not None
        return analysis.distance_to_pareto

    # On the ladder alone it was 0.38.
    assert to_pareto("random:issues=40,values=10,opposition=0.7,seed=1") < 0.15
    assert to_pareto("random:issues=4,values=10,opposition=0.7,seed=1") < 0.15


def beliefs(scenario: Scenario, parties: Sequence[str], **options: Any) -> dict[str, Any]:
    log = run("SAOP", scenario, parties=parties, deadline=20, seed=1, **options).log
    return {e.party: e.detail["belief"]["utilities"] for e in log if e.kind == Kind.NOTE}  # type: ignore[index]


@pytest.mark.parametrize("model", ["hard_headed", "smith", "scalable_bayesian"])
def test_what_its_models_came_to_is_noted_for_each_of_the_others(model: str) -> None:
    scenario = discrete_scenario(3)
    ids = list(scenario.profiles)
    noted = beliefs(scenario, [f"boa:model={model}", "boulware", "conceder"])
    assert set(noted) == {ids[0]}
    assert set(noted[ids[0]]) == set(ids[1:])
    for estimates in noted[ids[0]].values():
        assert {name: len(worths) for name, worths in estimates.items()} == {
            issue.name: issue.size for issue in scenario.domain.issues
        }


def test_its_notes_are_what_its_model_says_of_every_bid() -> None:
    outcome = run(
        "SAOP", discrete_scenario(2), parties=["boa:model=smith", "micro"], deadline=20, seed=1
    )
    measured = OpponentModelPearson().measure(outcome)
    first, second = outcome.plan.parties
    model = SmithFrequencyModel.start(outcome.plan.scenario.domain.shape)
    for event in outcome.log:
        if event.party == second.id and isinstance(event.action, Offer):
            model = model.update(event.action.bid.domain.positions()[event.action.bid.index])
    positions = outcome.plan.scenario.domain.positions()
    expected = pearson_accuracy(
        model.utilities(positions), outcome.plan.profile(second).utilities()
    )
    assert measured[first.id] == pytest.approx(expected)


def test_without_a_model_or_to_the_letter_of_genius_nothing_is_noted() -> None:
    scenario = discrete_scenario(2)
    assert beliefs(scenario, ["boa", "boulware"]) == {}
    assert beliefs(scenario, ["boa:model=smith", "boulware"], faithful=True) == {}
