from typing import Any

import pytest

from genius_py.action import Accept, Action, Reject
from genius_py.domain import Domain
from genius_py.errors import DomainError, OptionError
from genius_py.fault import Fault
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.manager import run
from genius_py.protocols.contract_net import CallForProposals, Decline, Propose
from genius_py.testing import Driven, check_protocol, drive

WHO = DiscreteIssue("who", ["ann", "bob"])
JOB = Domain(
    "job",
    [WHO, RealIssue("cost", 0, 100), IntegerIssue("time", 1, 9), RealIssue("confidence", 0, 1)],
)
CHEAP = Domain("cheap job", [WHO, RealIssue("cost", 0, 100)])


def net(*answers: Action | Fault, options: str = "", **settings: Any) -> Driven:
    given: dict[str, Any] = {"domain": JOB, "parties": ("boss", "ann", "bob")} | settings
    return drive(f"contract_net{options}", answers, **given)


def call(target: float = 0.0) -> CallForProposals:
    return CallForProposals("boss", target)


def test_it_keeps_the_contract() -> None:
    check_protocol("contract_net")


def test_the_manager_calls_and_the_contractors_propose() -> None:
    table = net(call())
    assert table.may(Propose, Decline)
    assert {name: str(rule) for name, rule in table.asked[0].allowed[Propose].items()} == {
        "cost": "a number from 0 to 100",
        "time": "a whole number from 1 to 9",
        "confidence": "a number from 0 to 1",
    }


def test_the_best_proposal_is_awarded_when_all_have_answered() -> None:
    table = net(call(), Propose("ann", 50, 5, 0.9))
    assert not table.is_over
    table.feed(Propose("bob", 40, 5, 0.9))
    assert table.outcome.agreement == JOB.bid(who="bob", cost=40, time=5, confidence=0.9)
    assert table.outcome.agreeing_parties == 2


def test_the_score_decides_not_the_cost() -> None:
    # ann: 0.4 * 40/50 + 0.3 + 0.3 * 1 = 0.92; bob: 0.4 + 0.3 * 3/9 + 0.3 * 0.5 = 0.65.
    table = net(call(), Propose("ann", 50, 3, 1.0), Propose("bob", 40, 9, 0.5))
    assert table.outcome.agreement is not None
    assert table.outcome.agreement["who"] == "ann"


def test_below_the_threshold_there_is_another_round_with_a_target() -> None:
    table = net(call(), Propose("ann", 50, 5, 0.5), Decline("bob"), options=":threshold=0.9")
    assert table.may(CallForProposals)
    assert table.asked[0].allowed[CallForProposals]["target_score"].allows(0.85)
    table.feed(call(0.85), Decline("ann"), Propose("bob", 60, 9, 0.7))
    assert table.outcome.agreement is not None
    assert (table.outcome.agreement["who"], table.outcome.rounds) == ("bob", 2)


def test_at_the_deadline_nothing_is_awarded() -> None:
    table = net(call(), Decline("ann"), Decline("bob"), deadline=1)
    assert table.outcome.agreement is None
    assert table.outcome.reason.value == "deadline"


def test_contractors_hear_the_manager_alone() -> None:
    table = net(call(), Propose("ann", 50, 5, 0.5), Decline("bob"), options=":threshold=1")
    assert [sender for sender, _ in table.heard["bob"]] == ["boss"]
    assert [sender for sender, _ in table.heard["boss"]] == ["ann", "bob"]


def test_equal_scores_go_to_the_lower_cost_then_by_the_list() -> None:
    weights = "weights=(0,0.5,0.5)"
    table = net(
        call(), Propose("ann", 50, 5, 0.9), Propose("bob", 40, 5, 0.9), options=f":{weights}"
    )
    assert table.outcome.agreement is not None
    assert table.outcome.agreement["who"] == "bob"
    same = net(call(), Propose("ann", 40, 5, 0.9), Propose("bob", 40, 5, 0.9))
    assert same.outcome.agreement is not None
    assert same.outcome.agreement["who"] == "ann"


def test_the_manager_may_decide_instead() -> None:
    dear, cheap = Propose("ann", 50, 5, 0.9), Propose("bob", 40, 5, 0.9)
    table = net(call(), dear, cheap, options=":decision=manager")
    assert table.may(Accept, Reject)
    contract = JOB.bid(who="ann", cost=50, time=5, confidence=0.9)
    assert table.feed(Accept("boss", contract)).outcome.agreement == contract


def test_a_manager_that_rejects_calls_again() -> None:
    table = net(call(), Propose("ann", 50, 5, 0.9), Decline("bob"), options=":decision=manager")
    contract = JOB.bid(who="ann", cost=50, time=5, confidence=0.9)
    table.feed(Reject("boss", contract))
    assert table.may(CallForProposals)


def test_a_manager_without_proposals_has_nothing_to_decide() -> None:
    table = net(call(), Decline("ann"), Decline("bob"), options=":decision=manager")
    assert table.may(CallForProposals)


def test_what_the_domain_does_not_name_is_not_asked_for() -> None:
    table = net(call(), domain=CHEAP)
    assert list(table.asked[0].allowed[Propose]) == ["cost"]
    table.feed(Propose("ann", 50), Propose("bob", 40))
    assert table.outcome.agreement == CHEAP.bid(who="bob", cost=40)


def test_a_forfeited_turn_makes_no_proposal() -> None:
    table = net(call(), Fault("ann", "sleeps"), Propose("bob", 40, 5, 0.9), on_fault="forfeit")
    assert table.outcome.agreement is not None
    assert table.outcome.agreement["who"] == "bob"


@pytest.mark.parametrize(
    "issues",
    [
        [WHO],
        [WHO, RealIssue("price", 0, 9)],
        [RealIssue("cost", 0, 9)],
        [WHO, RealIssue("cost", 0, 9), RealIssue("colour", 0, 9)],
        [DiscreteIssue("who", ["ann"]), RealIssue("cost", 0, 9)],
    ],
)
def test_other_domains_are_refused(issues: list[Issue]) -> None:
    with pytest.raises(DomainError, match="has no contracts"):
        net(domain=Domain("odd", issues))


@pytest.mark.parametrize(
    "option", ["threshold=high", "decision=coin", "weights=(1,0)", "weights=(1,1,-1)"]
)
def test_impossible_options_are_refused(option: str) -> None:
    with pytest.raises(OptionError, match=option.partition("=")[0]):
        net(options=f":{option}")


def test_the_bundled_contractors_come_to_a_contract() -> None:
    outcome = run("contract_net", "snow_clearing")
    assert outcome.agreement is not None
    assert min(outcome.utilities.values()) >= 0
