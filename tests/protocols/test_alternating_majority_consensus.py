import pytest

from genius_py.action import Accept, OfferForVoting, Reject
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.log import Reason
from genius_py.protocols.alternating_majority_consensus import (
    AlternatingMajorityConsensusProtocol,
)
from genius_py.session import Answer
from genius_py.testing.driven import Driven, drive

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
FIVE = ("ann", "bob", "cem", "dia", "eve")


def price(number: int) -> Bid:
    return SALE.bid(price=number)


def offers(prices: str) -> list[Answer]:
    return [OfferForVoting(party, price(int(p))) for party, p in zip(FIVE, prices, strict=False)]


def voting(prices: str, counts: str, named: str = "") -> list[Answer]:
    """All votes on all offers: as many of the first parties accept each as its count says.

    The bids that the votes name are those of `named`, else the offers' own.
    """
    parties = FIVE[: len(prices)]
    return [
        (Accept if place < int(count) else Reject)(party, price(int(p)))
        for p, count in zip(named or prices, counts, strict=True)
        for place, party in enumerate(parties)
    ]


def table(*answers: Answer, parties: int = 3, spec: str = "AMCP", **settings: object) -> Driven:
    return drive(spec, answers, domain=SALE, parties=FIVE[:parties], **settings)  # type: ignore[arg-type]


def test_there_is_no_agreement_before_unanimity_or_the_end() -> None:
    session = table(*offers("345"), *voting("345", "020"), deadline=3)
    assert session.agreement is None
    session.feed(*offers("678"))
    assert session.outcome.agreement == price(4)


def test_a_majority_is_kept_at_an_odd_deadline_too() -> None:
    # Genius: none, since the last round is one of offers.
    said = [*offers("345"), *voting("345", "020", named="555"), *offers("678")]
    assert table(*said, deadline=3, faithful=True).outcome.agreement is None
    said = [*offers("345"), *voting("345", "020"), *offers("678")]
    assert table(*said, deadline=3).outcome.agreement == price(4)


@pytest.mark.parametrize(("votes", "agreed"), [(0, False), (1, False), (2, True)])
def test_by_default_more_than_half_must_accept(votes: int, agreed: bool) -> None:
    session = table(*offers("345"), *voting("345", f"0{votes}0"), deadline=2)
    assert (session.outcome.agreement == price(4)) is agreed
    assert session.outcome.agreeing_parties == votes


def test_half_is_not_more_than_half() -> None:
    session = table(*offers("3456"), *voting("3456", "0020"), parties=4, deadline=2)
    assert session.outcome.agreement is None


@pytest.mark.parametrize(
    ("threshold", "needed"), [("0", 1), ("0.5", 3), ("0.6", 4), ("0.79", 4), ("0.8", 5)]
)
def test_more_than_the_threshold_must_accept(threshold: str, needed: int) -> None:
    for votes in range(6):
        session = table(
            *offers("34567"),
            *voting("34567", f"0{votes}000")[: 25 if votes < 5 else 10],
            parties=5,
            deadline=2,
            spec=f"AMCP:threshold={threshold}",
        )
        assert (session.outcome.agreement is not None) is (votes >= needed)


def test_faithful_needs_one_vote_only() -> None:
    said = [*offers("345"), *voting("345", "010", named="555")]
    assert table(*said, deadline=2, faithful=True).outcome.agreement == price(4)


@pytest.mark.parametrize("threshold", ["1", "-0.1", "nan", "'half'", "True"])
def test_an_impossible_threshold_is_refused(threshold: str) -> None:
    with pytest.raises(OptionError, match="threshold"):
        table(spec=f"AMCP:threshold={threshold}")


def test_all_votes_end_it_at_once() -> None:
    session = table(*offers("345"), *voting("345", "023")[:9])
    assert session.is_over
    assert session.outcome.agreement == price(5)
    assert session.outcome.reason is Reason.AGREEMENT


def test_more_support_takes_the_place_and_equal_support_does_not() -> None:
    said = [*offers("345"), *voting("345", "100"), *offers("678")]
    equal = table(*said, *voting("678", "100"), deadline=4, spec="AMCP:threshold=0")
    more = table(*said, *voting("678", "020"), deadline=4, spec="AMCP:threshold=0")
    assert equal.outcome.agreement == price(3)
    assert more.outcome.agreement == price(7)


def test_agreeing_parties_are_those_behind_the_kept_offer() -> None:
    said = [*offers("345"), *voting("345", "020"), *offers("678"), *voting("678", "100")]
    assert table(*said, deadline=4).outcome.agreeing_parties == 2


def test_faithful_never_counts_anybody_as_agreeing() -> None:
    said = [*offers("345"), *voting("345", "020", named="555")]
    assert table(*said, deadline=2, faithful=True).outcome.agreeing_parties == 0


def test_votes_that_came_in_before_the_time_was_up_count() -> None:
    now = [0.0]
    session = table(*offers("345"), deadline=Deadline(seconds=1), clock=lambda: now[0])
    first, second, *_ = voting("345", "200")
    session.feed(first)
    now[0] = 2.0
    session.feed(second)
    assert session.is_over
    assert session.outcome.agreement == price(3)


def test_a_fault_ends_it_without_a_majority_agreement() -> None:
    session = table(*offers("345"), *voting("345", "020"), Fault("ann", "is asleep"))
    assert session.outcome.reason is Reason.FAULT
    assert session.outcome.agreement is None


def test_end_negotiation_takes_what_has_a_majority() -> None:
    session = table(*offers("345"), *voting("345", "020"))
    session.protocol.end_negotiation("lunch")
    session.feed(OfferForVoting("ann", price(9)))
    assert session.outcome.agreement == price(4)
    assert session.outcome.detail == "lunch"


def test_nothing_is_kept_for_the_next_session_unless_it_is_faithful() -> None:
    for faithful in (False, True):
        rules = AlternatingMajorityConsensusProtocol()
        said = [*offers("345"), *voting("345", "003", named="555")[-9:]]
        if not faithful:
            said = [*offers("345"), *voting("345", "003")]
        first = drive(rules, said, domain=SALE, parties=FIVE[:3], faithful=faithful)
        assert first.is_over
        second = drive(rules, offers("678")[:1], domain=SALE, parties=FIVE[:3], faithful=faithful)
        # Genius: over after one offer, without an agreement.
        assert second.is_over is faithful
        assert second.agreement is None
