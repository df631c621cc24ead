import pytest

from genius_py.action import (
    Accept,
    Feedback,
    GiveFeedback,
    InformVotingResult,
    OfferForFeedback,
    OfferForVoting,
    Reject,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed, OneOf
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.issue import IntegerIssue
from genius_py.parties.hill_climber import HillClimber
from genius_py.testing import check_party, check_rational
from genius_py.utility import LinearUtilitySpace
from tests.parties.informed import informed

HILL = Domain("hill", [IntegerIssue("height", 0, 10)])
SPACE = LinearUtilitySpace(domain=HILL, coefficients=[1.0], scale=10, reservation_value=0.2)


def at(height: int) -> Bid:
    return HILL.bid(height=height)


def climber() -> HillClimber:
    return informed(HillClimber(), SPACE)


def vote(party: HillClimber, height: int) -> Vote:
    party.receive_message("med", OfferForVoting("med", at(height)))
    said = party.choose_action(Allowed(VoteForOfferAcceptance))
    assert isinstance(said, VoteForOfferAcceptance)
    return said.vote


@pytest.mark.parametrize("name", ["hill_climber", "annealer"])
def test_it_keeps_the_contract_and_its_interests(name: str) -> None:
    check_party(name, isolated=False)
    check_rational(name)


def test_it_votes_for_what_is_no_step_down() -> None:
    party = climber()
    assert vote(party, 4) is Vote.ACCEPT
    party.receive_message("med", InformVotingResult("med", at(4), Vote.ACCEPT))
    assert [vote(party, height) for height in (3, 4, 5)] == [Vote.REJECT, Vote.ACCEPT, Vote.ACCEPT]


def test_a_bid_that_others_refused_is_no_height() -> None:
    party = climber()
    assert vote(party, 9) is Vote.ACCEPT
    party.receive_message("med", InformVotingResult("med", at(9), Vote.REJECT))
    assert vote(party, 4) is Vote.ACCEPT


def test_it_votes_for_nothing_below_its_reservation_value() -> None:
    assert [vote(climber(), height) for height in (1, 2)] == [Vote.REJECT, Vote.ACCEPT]


def test_among_parties_it_accepts_no_less_than_it_has_accepted() -> None:
    party = climber()

    def answer(height: int) -> type[Accept | Reject]:
        rule = {"bid": OneOf((at(height),))}
        return type(party.choose_action(Allowed({Accept: rule, Reject: rule})))  # type: ignore[return-value]

    assert [answer(height) for height in (5, 4, 7, 6)] == [Accept, Reject, Accept, Reject]


def test_it_proposes_what_it_would_accept() -> None:
    party = climber()
    party.receive_message("med", InformVotingResult("med", at(8), Vote.ACCEPT))
    for _ in range(20):
        offer = party.choose_action(Allowed(OfferForVoting))
        assert isinstance(offer, OfferForVoting)
        assert offer.bid["height"] in (8, 9, 10)


def test_it_gives_feedback_and_finds_all_below_its_reservation_value_worse() -> None:
    party = climber()
    given = []
    for height in (3, 3, 5, 4, 1, 1):
        party.receive_message("med", OfferForFeedback("med", at(height)))
        said = party.choose_action(Allowed(GiveFeedback))
        assert isinstance(said, GiveFeedback)
        given.append(said.feedback)
    better, same, worse = Feedback
    assert given == [better, same, better, worse, worse, worse]
