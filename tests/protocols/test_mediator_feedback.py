import pytest

from genius_py.action import Feedback, GiveFeedback, OfferForFeedback
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.session import Answer
from genius_py.testing.driven import Driven, drive

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
FEEDBACK = {"b": Feedback.BETTER, "s": Feedback.SAME, "w": Feedback.WORSE}


def price(number: int) -> Bid:
    return SALE.bid(price=number)


def table(*answers: Answer, **settings: object) -> Driven:
    return drive(
        "mediator_feedback",
        answers,
        domain=SALE,
        parties=("ann", "bob"),
        mediator="med",
        **settings,  # type: ignore[arg-type]
    )


def round_of(proposed: int, feedback: str) -> list[Answer]:
    return [
        OfferForFeedback("med", price(proposed)),
        *(
            GiveFeedback(party, FEEDBACK[letter])
            for party, letter in zip(("ann", "bob"), feedback, strict=False)
        ),
    ]


def test_a_round_is_a_proposal_and_everybodys_feedback() -> None:
    session = table()
    for answer, kind in zip(
        round_of(4, "bs"), (OfferForFeedback, GiveFeedback, GiveFeedback), strict=True
    ):
        assert session.may(kind)
        session.feed(answer)
    assert session.session.round_number == 2


@pytest.mark.parametrize("last", ["bw", "wb", "ww", "sw"])
def test_the_last_bid_that_nobody_found_worse_is_the_agreement(last: str) -> None:
    session = table(*round_of(4, "bb"), *round_of(5, "bs"), *round_of(6, last), deadline=3)
    assert session.outcome.agreement == price(5)
    assert session.outcome.agreeing_parties == 2


def test_bids_that_somebody_finds_worse_are_never_agreed() -> None:
    assert table(*round_of(4, "bw"), *round_of(5, "wb"), deadline=2).outcome.agreement is None


@pytest.mark.parametrize("given", ["", "b"])
def test_a_round_in_which_not_all_have_spoken_does_not_count(given: str) -> None:
    assert table(*round_of(4, "bb"), *round_of(5, given)).agreement == price(4)
    # Genius takes silence for consent.
    faithful = table(*round_of(4, "bb"), *round_of(5, given), faithful=True)
    assert faithful.agreement == price(5)


def test_a_round_cut_off_by_the_clock_does_not_count() -> None:
    now = [0.0]
    session = table(*round_of(4, "bb"), deadline=Deadline(seconds=1), clock=lambda: now[0])
    proposal, feedback, *_ = round_of(5, "bb")
    session.feed(proposal)
    now[0] = 2.0
    session.feed(feedback)
    assert session.outcome.agreement == price(4)
    assert session.outcome.rounds == 2


def test_faithful_counts_the_mediator_as_agreeing() -> None:
    assert table(*round_of(4, "bb"), deadline=1, faithful=True).outcome.agreeing_parties == 3


def test_nobody_judges_a_proposal_that_was_forfeited() -> None:
    session = table(*round_of(4, "bb"), Fault("med", "is asleep"), on_fault="forfeit")
    assert session.session.round_number == 3
    assert session.agreement == price(4)


def test_who_forfeits_has_not_consented() -> None:
    session = table(*round_of(4, "b"), Fault("bob", "is asleep"), on_fault="forfeit")
    assert session.agreement is None


def test_end_negotiation_ends_it_with_what_is_agreed() -> None:
    session = table(*round_of(4, "bb"))
    session.protocol.end_negotiation()
    session.feed(*round_of(5, ""))
    assert session.outcome.agreement == price(4)
