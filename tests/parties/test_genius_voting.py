"""Exactness is shown by the golden sessions; here stand the rules that they do not reach."""

import pytest

from genius_py.action import (
    Feedback,
    GiveFeedback,
    InformVotingResult,
    NoAction,
    OfferForFeedback,
    OfferForVoting,
    Reject,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import StrategyError
from genius_py.issue import IntegerIssue
from genius_py.manager import run
from genius_py.parties.genius_voting import (
    GeniusAnnealer,
    GeniusFeedbackParty,
    GeniusHillClimber,
    GeniusMajorityVoting,
    GeniusMediatedHillClimber,
)
from genius_py.testing import check_party
from genius_py.testing.scenarios import discrete_scenario
from genius_py.utility import LinearUtilitySpace
from tests.parties.informed import Clock, informed

HILL = Domain("hill", [IntegerIssue("height", 0, 10)])
SPACE = LinearUtilitySpace(
    domain=HILL, coefficients=[1.0], scale=10, reservation_value=0.4, discount_factor=0.25
)


def at(height: int) -> Bid:
    return HILL.bid(height=height)


def clock(time: float, deadline: Deadline) -> Clock:
    shown = Clock(deadline, lambda: 0.0)
    shown.show(1, time)
    return shown


def vote(party: GeniusMediatedHillClimber, height: int) -> Vote:
    party.receive_message("med", OfferForVoting("med", at(height)))
    said = party.choose_action(Allowed(VoteForOfferAcceptance))
    assert isinstance(said, VoteForOfferAcceptance)
    return said.vote


@pytest.mark.parametrize(
    ("name", "protocol"),
    [
        ("genius-hill-climber", "simple_mediator"),
        ("genius-mediated-hill-climber", "simple_mediator"),
        ("genius-annealer", "simple_mediator"),
        ("genius-feedback-party", "simple_mediator"),
        ("genius-feedback-party", "mediator_feedback"),
    ],
)
def test_it_keeps_the_contract(name: str, protocol: str) -> None:
    check_party(name, [protocol], isolated=False)


@pytest.mark.parametrize(
    ("deadline", "votes"),
    [(Deadline(rounds=9), Vote.REJECT), (Deadline(seconds=9), Vote.ACCEPT)],
)
def test_the_mediated_hill_climber_discounts_when_the_deadline_is_in_seconds(
    deadline: Deadline, votes: Vote
) -> None:
    shown = clock(0.5, deadline)
    party = informed(GeniusMediatedHillClimber(), SPACE, clock=shown)
    party.receive_message("med", InformVotingResult("med", at(8), Vote.ACCEPT))
    # Worth 0.8 * 0.25 ** 0.5 = 0.4 then; earlier a bid of 5 is worth 0.5 * 0.25 ** 0.1.
    shown.show(2, 0.1)
    assert vote(party, 5) is votes


def test_the_mediated_hill_climber_knows_no_reservation_value() -> None:
    assert vote(informed(GeniusMediatedHillClimber(), SPACE), 0) is Vote.ACCEPT


def test_the_other_one_refuses_below_its_discounted_reservation_value() -> None:
    party = informed(GeniusHillClimber(), SPACE, clock=clock(0.5, Deadline(rounds=9)))
    assert [vote(party, height) for height in (1, 2)] == [Vote.REJECT, Vote.ACCEPT]  # 0.4 / 2


def test_the_annealer_grows_less_particular() -> None:
    def share(time: float) -> float:
        shown = clock(time, Deadline(rounds=9))
        party = informed(GeniusAnnealer(), SPACE, clock=shown)
        party.receive_message("med", InformVotingResult("med", at(8), Vote.ACCEPT))
        return sum(party.accepts(at(7)) for _ in range(2000)) / 2000

    # exp(-0.1 / t)
    assert share(0.1) == pytest.approx(0.368, abs=0.03)
    assert share(0.9) == pytest.approx(0.895, abs=0.03)


def test_the_feedback_party_compares_the_first_bid_with_nothing() -> None:
    party, given = informed(GeniusFeedbackParty(), SPACE), []
    for height in (0, 1, 1, 0):
        party.receive_message("med", OfferForFeedback("med", at(height)))
        said = party.choose_action(Allowed(GiveFeedback))
        assert isinstance(said, GiveFeedback)
        given.append(said.feedback)
    assert given == [Feedback.SAME, Feedback.BETTER, Feedback.SAME, Feedback.WORSE]


def test_majority_voting_rejects_whatever_it_heard_last() -> None:
    party = informed(GeniusMajorityVoting(), SPACE)
    with pytest.raises(StrategyError, match="has heard no bid"):
        party.choose_action(Allowed(Reject))
    party.receive_message("bob", OfferForVoting("bob", at(9)))
    party.receive_message("bob", Reject("bob", at(3)))
    assert party.choose_action(Allowed(Reject)) == Reject("ann", at(3))


def test_majority_voting_agrees_to_nothing() -> None:
    parties = ["genius-majority-voting"] * 3
    outcome = run("AMCP", discrete_scenario(3), parties=parties, deadline=8, faithful=True)
    assert outcome.faults == ()
    assert outcome.agreement is None
    assert outcome.rounds == 8


@pytest.mark.parametrize("party", [GeniusMediatedHillClimber, GeniusFeedbackParty])
def test_what_it_was_not_made_for_it_refuses(party: type[GeniusMediatedHillClimber]) -> None:
    with pytest.raises(StrategyError, match="cannot NoAction"):
        informed(party(), SPACE).choose_action(Allowed(NoAction))
