import itertools
from collections.abc import Mapping

import pytest

from genius_py.action import Feedback, GiveFeedback, OfferForFeedback
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue
from genius_py.manager import run
from genius_py.parties.feedback_mediator import FeedbackMediator
from genius_py.strategies.preference_graph import PreferenceGraph
from genius_py.testing import check_party
from genius_py.testing.scenarios import discrete_scenario, mixed_scenario
from genius_py.utility import LinearUtilitySpace
from tests.parties.informed import Clock, informed

# ann and bob agree about the first issue, have opposite wishes in the second, and only ann cares
# about the third.
PLAN = Domain("plan", [DiscreteIssue(name, ("1", "2", "3")) for name in ("both", "split", "one")])
NARROW = Domain("narrow", [PLAN.issues[0], DiscreteIssue("split", "1"), DiscreteIssue("one", "1")])
WISHES: Mapping[str, tuple[int, int, int]] = {"ann": (3, 2, 1), "bob": (3, -2, 0)}


def worth(party: str, bid: Bid) -> int:
    wishes = zip(WISHES[party], bid.content, strict=True)
    return sum(weight * int(value) for weight, value in wishes)


def proposals(
    clock: Clock, rounds: int, seed: int, faithful: bool, domain: Domain = PLAN
) -> list[Bid]:
    """What it proposes to two parties whose feedback is true."""
    space = LinearUtilitySpace(domain=domain, coefficients=[0.0] * 3)
    med = informed(
        FeedbackMediator(),
        space,
        clock=clock,
        seats=("med", "ann", "bob"),
        seed=seed,
        faithful=faithful,
    )
    made: list[Bid] = []
    for number in range(1, rounds + 1):
        clock.show(number, number / (rounds + 1))
        action = med.choose_action(Allowed(OfferForFeedback))
        assert isinstance(action, OfferForFeedback)
        for party in WISHES:
            before = worth(party, made[-1]) if made else 0
            opinion = Feedback.between(before, worth(party, action.bid))
            med.receive_message(party, GiveFeedback(party, opinion))
        made.append(action.bid)
    return made


def in_rounds(
    rounds: int, seed: int = 1, faithful: bool = False, domain: Domain = PLAN
) -> list[Bid]:
    clock = Clock(Deadline(rounds=rounds), lambda: 0.0)
    return proposals(clock, rounds, seed, faithful, domain)


def test_it_keeps_the_contract() -> None:
    check_party("feedback_mediator", isolated=False)


@pytest.mark.parametrize("faithful", [False, True])
def test_it_changes_one_issue_at_most(faithful: bool) -> None:
    made = in_rounds(60, faithful=faithful)
    for previous, bid in itertools.pairwise(made):
        assert bid.distance(previous) <= 1 / 3 + 1e-9


@pytest.mark.parametrize("faithful", [False, True])
def test_first_it_tries_what_it_has_not_tried(faithful: bool) -> None:
    # Nine values, three of them in the first bid.
    made = in_rounds(60, faithful=faithful)[:7]
    assert {(issue, value) for bid in made for issue, value in bid.items()} == {
        (issue.name, value) for issue in PLAN.issues for value in ("1", "2", "3")
    }


def chances_taken(seed: int, faithful: bool) -> list[bool]:
    """Of the early proposals that could improve on one another, as feedback has shown: which did.

    An issue about which both agree, and another that has a single value.
    """
    made = in_rounds(60, seed, faithful, domain=NARROW)[:30]
    graph, taken = PreferenceGraph.start(made[0]["both"]), []
    for before, bid, after in zip(made, made[1:], made[2:], strict=False):
        feedback = Feedback.between(worth("ann", before), worth("ann", bid))
        graph = graph.compare(before["both"], bid["both"], feedback)
        if len(graph.order) == 6 and bid["both"] != "3":  # all three are in order
            taken.append(str(after["both"]) > str(bid["both"]))
    return taken


def test_then_it_improves_for_somebody_at_nobodys_expense() -> None:
    taken = [step for seed in range(40) for step in chances_taken(seed, faithful=False)]
    assert taken
    assert all(taken)


def test_faithful_sees_no_improvement() -> None:
    taken = [step for seed in range(40) for step in chances_taken(seed, faithful=True)]
    assert not all(taken)


@pytest.mark.parametrize("seed", range(5))
def test_in_the_end_common_interests_are_served(seed: int) -> None:
    assert in_rounds(60, seed)[-1]["both"] == "3"


def test_with_a_deadline_in_seconds_it_explores_unless_faithful() -> None:
    for faithful in (False, True):
        clock = Clock(Deadline(seconds=30), lambda: 0.0)
        made = proposals(clock, 30, 1, faithful)
        assert (len(set(made)) == 1) is faithful


@pytest.mark.parametrize("scenario", [discrete_scenario(3), mixed_scenario(2)])
def test_what_it_leads_to_is_worth_having_for_everybody(scenario: object) -> None:
    for seed in range(5):
        outcome = run("mediator_feedback", scenario, parties=["hill_climber"] * 2, seed=seed)  # type: ignore[arg-type]
        assert outcome.faults == ()
        for party, utility in outcome.utilities.items():
            assert utility >= outcome.reservation_values[party]
