import pytest

from genius_py.action import (
    Feedback,
    Forfeit,
    GiveFeedback,
    InformVotingResult,
    OfferForFeedback,
    OfferForVoting,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import StrategyError
from genius_py.issue import IntegerIssue
from genius_py.log import Kind
from genius_py.manager import run
from genius_py.parties.random_flipping_mediator import RandomFlippingMediator
from genius_py.scenario import Scenario
from genius_py.testing import check_party
from genius_py.testing.scenarios import discrete_scenario, one_bid_scenario
from genius_py.utility import LinearUtilitySpace
from tests.parties.informed import informed

SPACE = discrete_scenario().profile("ann")


def mediator(**settings: object) -> RandomFlippingMediator:
    seats = ("med", "ann", "bob")
    return informed(RandomFlippingMediator(), SPACE, seats=seats, **settings)  # type: ignore[arg-type]


def proposal(med: RandomFlippingMediator) -> Bid:
    action = med.choose_action(Allowed(OfferForVoting))
    assert isinstance(action, OfferForVoting)
    return action.bid


def vote(med: RandomFlippingMediator, *votes: Vote) -> None:
    for party, said in zip(("ann", "bob"), votes, strict=True):
        med.receive_message(party, VoteForOfferAcceptance(party, said))


def test_it_keeps_the_contract() -> None:
    check_party("random_flipping_mediator", isolated=False)


def test_it_flips_one_issue_of_the_bid_that_was_accepted_last() -> None:
    med = mediator()
    accepted = proposal(med)
    vote(med, Vote.ACCEPT, Vote.ACCEPT)
    for _ in range(20):
        flipped = proposal(med)
        assert flipped.distance(accepted) == pytest.approx(1 / 3)
        vote(med, Vote.ACCEPT, Vote.REJECT)
    accepted = proposal(med)
    vote(med, Vote.ACCEPT, Vote.ACCEPT)
    assert proposal(med).distance(accepted) == pytest.approx(1 / 3)


def test_until_a_bid_is_accepted_it_proposes_any() -> None:
    med = mediator()
    seen = set()
    for _ in range(60):
        seen.add(proposal(med).index)
        vote(med, Vote.REJECT, Vote.ACCEPT)
    assert len(seen) > 15  # of 24


@pytest.mark.parametrize(
    ("votes", "result"),
    [
        ((Vote.ACCEPT, Vote.ACCEPT), Vote.ACCEPT),
        ((Vote.REJECT, Vote.ACCEPT), Vote.REJECT),
        ((Vote.ACCEPT, Vote.REJECT), Vote.REJECT),
    ],
)
def test_it_announces_how_the_vote_came_out(votes: tuple[Vote, Vote], result: Vote) -> None:
    med = mediator()
    bid = proposal(med)
    vote(med, *votes)
    said = med.choose_action(Allowed(InformVotingResult))
    assert said == InformVotingResult("med", bid, result)


def test_who_forfeits_has_not_voted_for_it() -> None:
    med = mediator()
    bid = proposal(med)
    med.receive_message("ann", Forfeit("ann"))
    said = med.choose_action(Allowed(InformVotingResult))
    assert said == InformVotingResult("med", bid, Vote.REJECT)


def test_feedback_counts_as_a_vote() -> None:
    med = mediator()
    first = med.choose_action(Allowed(OfferForFeedback))
    assert isinstance(first, OfferForFeedback)
    med.receive_message("ann", GiveFeedback("ann", Feedback.SAME))
    assert proposal(med).distance(first.bid) == pytest.approx(1 / 3)


def test_a_domain_of_one_bid_has_nothing_to_flip() -> None:
    for faithful in (False, True):
        outcome = run("simple_mediator", one_bid_scenario(), deadline=3, faithful=faithful)
        assert outcome.rounds == 3
        assert outcome.faults == ()


def test_it_does_not_pretend_to_serve_other_protocols() -> None:
    with pytest.raises(StrategyError, match="override choose_action"):
        mediator().choose_action(Allowed(VoteForOfferAcceptance))


def test_hill_climbers_are_led_uphill() -> None:
    trade = Domain("trade", [IntegerIssue(name, 0, 9) for name in ("both", "ann's", "bob's")])
    wishes = {"ann": [2.0, 3.0, -1.0], "bob": [2.0, -1.0, 3.0]}
    scenario = Scenario(
        trade,
        {
            role: LinearUtilitySpace(domain=trade, coefficients=wish, scale=36)
            for role, wish in wishes.items()
        },
    )
    outcome = run("simple_mediator", scenario, parties=["hill_climber"] * 2, deadline=60, seed=3)
    accepted = [
        event.action.bid
        for event in outcome.log
        if event.kind == Kind.ACTION
        and isinstance(event.action, InformVotingResult)
        and event.action.vote is Vote.ACCEPT
    ]
    assert len(accepted) > 1
    for role in scenario.roles:
        heights = [scenario.profile(role).utility(bid) for bid in accepted]
        assert heights == sorted(heights)
    assert outcome.agreement == accepted[-1]


def test_the_seed_decides_what_it_proposes() -> None:
    def proposals(seed: int) -> list[int]:
        med = mediator(seed=seed)
        return [proposal(med).index for _ in range(10)]

    assert proposals(1) == proposals(1)
    assert proposals(1) != proposals(2)
