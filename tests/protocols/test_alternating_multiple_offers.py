import pytest

from genius_py.action import Accept, EndNegotiation, OfferForVoting, Reject
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.log import Kind, Reason
from genius_py.protocols.alternating_multiple_offers import AlternatingMultipleOffersProtocol
from genius_py.session import Answer
from genius_py.testing.driven import Driven, drive

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
THREE = ("ann", "bob", "cem")


def table(*answers: Answer, parties: tuple[str, ...] = THREE, **settings: object) -> Driven:
    return drive("AMOP", answers, domain=SALE, parties=parties, **settings)  # type: ignore[arg-type]


def offers(prices: str, parties: tuple[str, ...] = THREE) -> list[OfferForVoting]:
    return [
        OfferForVoting(party, SALE.bid(price=int(price)))
        for party, price in zip(parties, prices, strict=True)
    ]


def votes(price: int, said: str, parties: tuple[str, ...] = THREE) -> list[Accept | Reject]:
    """One vote for each letter: y accepts, n rejects."""
    bid = SALE.bid(price=price)
    return [(Accept if y == "y" else Reject)(p, bid) for p, y in zip(parties, said, strict=False)]


def test_three_offers_are_followed_by_nine_votes() -> None:
    session = table(*offers("345"))
    asked = []
    while session.session.round_number == 2:
        turn = session.asked[0]
        assert session.may(Accept, Reject)
        asked.append((str(turn.party), str(turn.allowed[Accept]["bid"])))
        session.feed(Reject(turn.party.id, turn.allowed[Reject]["bid"].values[0]))  # type: ignore[attr-defined]
    assert asked == [(voter, f"price: {price}") for price in (3, 4, 5) for voter in THREE]
    assert session.may(OfferForVoting)


def test_the_offer_that_all_accept_is_agreed_before_the_others_are_voted_on() -> None:
    session = table(*offers("345"), *votes(3, "yyy"))
    assert session.is_over
    assert session.outcome.agreement == SALE.bid(price=3)
    assert session.outcome.reason is Reason.AGREEMENT
    assert session.outcome.agreeing_parties == 3


def test_only_the_third_offer_has_all_votes_and_every_query_says_so() -> None:
    session = table(*offers("345"), *votes(3, "yyn"), *votes(4, "nyy"), *votes(5, "yyy"))
    assert session.agreement == session.agreement == SALE.bid(price=5)
    assert session.outcome.agreement == SALE.bid(price=5)


def test_faithful_says_the_third_offer_once_and_the_first_one_ever_after() -> None:
    last = SALE.bid(price=5)
    ballots: list[Answer] = [Reject(voter, last) for voter in THREE * 2]
    session = table(*offers("345"), *ballots, *(Accept(v, last) for v in THREE), faithful=True)
    told = [event.detail.agreement for event in session.log if event.kind == Kind.STANDING]  # type: ignore[attr-defined]
    assert told[-1] == last
    assert session.outcome.agreement == SALE.bid(price=3)


def test_all_must_accept_the_same_offer() -> None:
    session = table(*offers("345"), *votes(3, "nyy"), *votes(4, "yny"), *votes(5, "yyn"))
    assert session.agreement is None
    assert not session.is_over


def test_a_half_finished_voting_is_no_consent() -> None:
    now = [0.0]
    session = table(*offers("345"), deadline=Deadline(seconds=1), clock=lambda: now[0])
    now[0] = 2.0
    session.feed(*votes(3, "y"))
    assert session.is_over
    assert session.outcome.agreement is None
    assert session.outcome.agreeing_parties == 1


def test_a_party_may_reject_its_own_offer() -> None:
    session = table(*offers("345"), *votes(3, "nyy"))
    assert session.agreement is None
    assert session.agreeing_parties == 2


def test_equal_offers_are_voted_on_one_by_one() -> None:
    session = table(*offers("333"), *votes(3, "yny"), *votes(3, "nyn"))
    assert session.agreement is None
    session.feed(*votes(3, "yyy"))
    assert session.outcome.agreement == SALE.bid(price=3)


@pytest.mark.parametrize("answer", [Accept, Reject])
def test_a_vote_names_the_offer_that_is_voted_on(answer: type[Accept | Reject]) -> None:
    session = table(*offers("345"), *votes(3, "y"), answer("bob", SALE.bid(price=4)))
    assert session.outcome.reason is Reason.FAULT
    assert "the bid must be price: 3" in session.faults[0]


def test_a_rejected_offer_is_no_longer_on_the_table() -> None:
    session = table(*offers("345"), *votes(3, "yny"), Accept("ann", SALE.bid(price=3)))
    assert "the bid must be price: 4" in session.faults[0]


def test_faithful_takes_a_vote_only_for_the_last_offer() -> None:
    refused = table(*offers("345"), Accept("ann", SALE.bid(price=3)), faithful=True)
    assert refused.outcome.reason is Reason.FAULT
    assert "on the table is price: 5: by Genius's rule (`faithful`) only" in refused.faults[0]
    taken = table(*offers("345"), Accept("ann", SALE.bid(price=5)), faithful=True)
    assert not taken.is_over


def test_nobody_can_walk_away() -> None:
    session = table(*offers("345"), EndNegotiation("ann"))
    assert session.faults == ("Round 2: ann must Accept or Reject, said EndNegotiation",)


def test_everybody_hears_offers_and_votes() -> None:
    session = table(*offers("345"), *votes(3, "yn"))
    assert [str(action) for _, action in session.heard["cem"]] == [
        "ann puts to the vote price: 3",
        "bob puts to the vote price: 4",
        "ann accepts price: 3",
        "bob rejects price: 3",
    ]


def test_agreeing_parties_are_those_of_the_present_voting() -> None:
    first = [*offers("345"), *votes(3, "yyn"), *votes(4, "nnn"), *votes(5, "nnn")]
    session = table(*first)
    assert session.agreeing_parties == 0
    session.feed(*offers("678"), *votes(6, "nyn"))
    assert session.agreeing_parties == 1


def test_faithful_counts_the_most_votes_that_there_ever_were() -> None:
    last = SALE.bid(price=5)
    session = table(*offers("345"), Accept("ann", last), Accept("bob", last), faithful=True)
    session.feed(*(Reject(v, last) for v in ("cem", *THREE, *THREE)), *offers("678"))
    assert session.agreeing_parties == 2


def test_a_protocol_object_starts_every_session_afresh() -> None:
    rules = AlternatingMultipleOffersProtocol()
    first = drive(rules, [*offers("345"), *votes(3, "yyy")], domain=SALE, parties=THREE)
    second = drive(rules, [*offers("678"), *votes(6, "nnn")], domain=SALE, parties=THREE)
    assert first.is_over
    assert not second.is_over
    assert second.agreeing_parties == 0


def test_faithful_agrees_at_the_first_vote_of_the_next_session_even_a_refusal() -> None:
    rules, last = AlternatingMultipleOffersProtocol(), SALE.bid(price=5)
    drive(
        rules,
        [*offers("345"), *(Accept(voter, last) for voter in THREE)],
        domain=SALE,
        parties=THREE,
        faithful=True,
    )
    second = drive(
        rules,
        [*offers("678"), Reject("ann", SALE.bid(price=8))],
        domain=SALE,
        parties=THREE,
        faithful=True,
    )
    assert second.outcome.agreement == SALE.bid(price=6)


def test_end_negotiation_ends_it_unless_faithful() -> None:
    for faithful in (False, True):
        session = table(*offers("345"), faithful=faithful)
        session.protocol.end_negotiation("enough")
        session.feed(Reject("ann", SALE.bid(price=3)))
        assert session.is_over is not faithful


def test_a_forfeited_offer_is_not_voted_on() -> None:
    ann, _, cem = offers("345")
    session = table(ann, Fault("bob", "is asleep"), cem, on_fault="forfeit")
    session.feed(*votes(3, "nnn"))
    assert str(session.asked[0].allowed[Accept]["bid"]) == "price: 5"


def test_a_forfeited_vote_refuses() -> None:
    session = table(*offers("345"), *votes(3, "yy"), on_fault="forfeit")
    session.feed(Fault("cem", "is asleep"))
    assert session.agreement is None
    assert session.agreeing_parties == 2


def test_a_round_in_which_all_forfeit_has_no_voting() -> None:
    session = table(*(Fault(p, "is asleep") for p in THREE), on_fault="forfeit")
    assert session.session.round_number == 3
    assert session.may(OfferForVoting)


def test_n_rounds_are_n_rounds() -> None:
    session = table(
        *offers("345"), *votes(3, "nnn"), *votes(4, "nnn"), *votes(5, "nnn"), *offers("678"),
        deadline=3,
    )  # fmt: skip
    assert session.is_over
    assert session.outcome.rounds == 3
    assert session.outcome.reason is Reason.DEADLINE
