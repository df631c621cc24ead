from collections.abc import Sequence

import pytest

from genius_py.action import InformVotingResult, OfferForVoting, Vote, VoteForOfferAcceptance
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.log import Reason
from genius_py.session import Answer
from genius_py.testing.driven import Driven, drive

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])


def price(number: int) -> Bid:
    return SALE.bid(price=number)


def table(*answers: Answer, **settings: object) -> Driven:
    return drive(
        "simple_mediator",
        answers,
        domain=SALE,
        parties=("ann", "bob"),
        mediator="med",
        **settings,  # type: ignore[arg-type]
    )


def voting(proposed: int, votes: str) -> list[Answer]:
    """A proposal and one vote for each letter: y is for it."""
    return [
        OfferForVoting("med", price(proposed)),
        *(
            VoteForOfferAcceptance(party, Vote.ACCEPT if vote == "y" else Vote.REJECT)
            for party, vote in zip(("ann", "bob"), votes, strict=False)
        ),
    ]


def result(proposed: int, vote: str) -> InformVotingResult:
    return InformVotingResult("med", price(proposed), Vote(vote))


def round_of(proposed: int, votes: str) -> Sequence[Answer]:
    return [*voting(proposed, votes), result(proposed, "ACCEPT" if votes == "yy" else "REJECT")]


def test_a_round_is_a_proposal_the_votes_and_the_result() -> None:
    session = table()
    for answer, kind in zip(
        round_of(4, "yy"),
        (OfferForVoting, VoteForOfferAcceptance, VoteForOfferAcceptance, InformVotingResult),
        strict=True,
    ):
        assert session.may(kind)
        session.feed(answer)
    assert session.session.round_number == 2


def test_the_bid_accepted_last_is_the_agreement_at_the_deadline() -> None:
    session = table(*round_of(4, "yy"), *round_of(5, "yy"), *round_of(6, "yn"), deadline=3)
    assert session.outcome.agreement == price(5)
    assert session.outcome.agreeing_parties == 2
    assert session.outcome.reason is Reason.AGREEMENT


def test_a_bid_is_not_agreed_before_the_result_is_announced() -> None:
    session = table(*voting(4, "yy"))
    assert session.agreement is None
    assert session.feed(result(4, "ACCEPT")).agreement == price(4)


@pytest.mark.parametrize(("votes", "lie"), [("yn", "ACCEPT"), ("nn", "ACCEPT"), ("yy", "REJECT")])
def test_the_mediator_must_announce_what_the_votes_say(votes: str, lie: str) -> None:
    session = table(*voting(4, votes), result(4, lie))
    assert session.outcome.reason is Reason.FAULT
    assert session.outcome.agreement is None
    assert "the vote must be" in session.faults[0]


def test_the_mediator_must_announce_it_of_the_bid_that_was_voted_on() -> None:
    session = table(*voting(4, "yy"), result(5, "ACCEPT"))
    assert "the bid must be price: 4" in session.faults[0]


def test_faithful_takes_the_mediators_word() -> None:
    session = table(*voting(4, "nn"), result(9, "ACCEPT"), deadline=1, faithful=True)
    assert session.outcome.agreement == price(9)


def test_faithful_counts_the_mediator_as_agreeing() -> None:
    assert table(*round_of(4, "yy"), deadline=1, faithful=True).outcome.agreeing_parties == 3


def test_an_agreement_survives_a_later_fault_unless_faithful() -> None:
    for faithful in (False, True):
        session = table(*round_of(4, "yy"), Fault("med", "is asleep"), faithful=faithful)
        assert session.outcome.agreement == (None if faithful else price(4))
        assert session.outcome.faults


def test_nobody_votes_on_a_proposal_that_was_forfeited() -> None:
    session = table(Fault("med", "is asleep"), on_fault="forfeit")
    assert session.session.round_number == 2
    assert session.may(OfferForVoting)


def test_a_forfeited_vote_is_one_against() -> None:
    session = table(*voting(4, "y"), Fault("bob", "is asleep"), on_fault="forfeit")
    assert [type(action).__name__ for _, action in session.heard["med"]][-1] == "Forfeit"
    assert not session.feed(result(4, "REJECT")).faults[1:]
    assert session.agreement is None


def test_a_forfeited_result_agrees_nothing() -> None:
    session = table(*voting(4, "yy"), Fault("med", "is asleep"), on_fault="forfeit")
    assert session.agreement is None


def test_end_negotiation_ends_it_with_what_is_agreed() -> None:
    session = table(*round_of(4, "yy"))
    session.protocol.end_negotiation()
    session.feed(*voting(5, ""))
    assert session.outcome.agreement == price(4)
    assert session.outcome.rounds == 2
