import pytest

from genius_py.action import Accept, EndNegotiation, Inform, Offer
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.log import Reason
from genius_py.protocols.alternating_offers import StackedAlternatingOffersProtocol
from genius_py.session import Answer
from genius_py.testing.driven import Driven, drive

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
THREE = ("ann", "bob", "cem")


def price(number: int) -> Bid:
    return SALE.bid(price=number)


def said(deeds: str, parties: tuple[str, ...] = THREE) -> list[Answer]:
    """One answer a word, in turn order: a number offers, ``a4`` accepts 4, ``end`` walks away."""
    answers: list[Answer] = []
    for place, deed in enumerate(deeds.split()):
        party = parties[place % len(parties)]
        if deed == "end":
            answers.append(EndNegotiation(party))
        elif deed.startswith("a"):
            answers.append(Accept(party, price(int(deed[1:]))))
        else:
            answers.append(Offer(party, price(int(deed))))
    return answers


def table(deeds: str, parties: tuple[str, ...] = THREE, **settings: object) -> Driven:
    return drive("SAOP", said(deeds, parties), domain=SALE, parties=parties, **settings)  # type: ignore[arg-type]


def test_everybody_is_told_how_many_there_are() -> None:
    told = Inform("StackedAlternatingOffersProtocol", "NumberOfAgents", 3)
    assert table("").heard == {party: [(None, told)] for party in THREE}


def test_the_first_turn_has_nothing_to_accept() -> None:
    session = table("")
    assert session.may(Offer, EndNegotiation)
    assert session.feed(*said("4")).may(Accept, Offer, EndNegotiation)


@pytest.mark.parametrize(
    "deeds",
    ["4 a4 a4", "4 5 6 4 a4 a4", "9 a9 4 a4 a4", "9 4 a4 a4", "4 4 a4 4 a4 a4"],
    ids=[
        "in one round",
        "in the second round",
        "across rounds after a counter-offer",
        "across rounds",
        "after the same offer was made again",
    ],
)
def test_an_offer_that_all_others_accept_is_agreed(deeds: str) -> None:
    session = table(deeds)
    assert session.outcome.agreement == price(4)
    assert session.outcome.agreeing_parties == 3
    assert session.outcome.reason is Reason.AGREEMENT


@pytest.mark.parametrize("deeds", ["4 4 4", "4 a4 4", "4 a4 5 a5", "4 a4"])
def test_a_counter_offer_takes_the_place_of_the_standing_bid(deeds: str) -> None:
    assert table(deeds).agreement is None


def test_who_offered_and_who_accepted_stands_in_the_log() -> None:
    assert [str(action) for action in table("4 a4 a4").log.actions] == [
        "ann offers price: 4",
        "bob accepts price: 4",
        "cem accepts price: 4",
    ]


@pytest.mark.parametrize("deeds", ["4 a5", "4 5 a4", "4 5 6 a4"])
def test_only_the_last_offer_can_be_accepted(deeds: str) -> None:
    session = table(deeds)
    assert session.outcome.reason is Reason.FAULT
    assert "but the bid must be price: " in session.faults[0]


@pytest.mark.parametrize("faithful", [False, True])
def test_a_forfeited_turn_takes_the_offer_off_the_table(faithful: bool) -> None:
    # Else ann could accept her own offer, bob having said nothing.
    session = table("4", ("ann", "bob"), on_fault="forfeit", faithful=faithful)
    session.feed(Fault("bob", "is asleep"))
    assert session.may(Offer, EndNegotiation)
    assert session.agreeing_parties == 0


def test_walking_away_ends_it_without_agreement() -> None:
    session = table("4 a4 end")
    assert session.outcome.reason is Reason.WALKAWAY
    assert session.outcome.agreement is None
    assert session.outcome.agreeing_parties == 0


@pytest.mark.parametrize("rounds", [1, 2])
def test_an_offer_of_the_last_round_that_not_all_have_answered_is_no_agreement(rounds: int) -> None:
    session = table("5 6 7 " * (rounds - 1) + "5 4 a4", deadline=rounds)
    assert session.outcome.reason is Reason.DEADLINE
    assert session.outcome.agreement is None
    assert session.outcome.agreeing_parties == 2
    assert session.outcome.rounds == rounds


def test_end_negotiation_ends_it_unless_faithful() -> None:
    for faithful in (False, True):
        session = table("4", faithful=faithful)
        session.protocol.end_negotiation()
        session.feed(Offer("bob", price(5)))
        assert session.is_over is not faithful


def test_a_second_session_of_the_same_object_has_nothing_on_the_table() -> None:
    rules = StackedAlternatingOffersProtocol()
    drive(rules, said("4 a4 a4"), domain=SALE, parties=THREE)
    second = drive(rules, domain=SALE, parties=THREE)
    assert second.may(Offer, EndNegotiation)


def test_a_deadline_in_seconds_keeps_finished_rounds_unless_faithful() -> None:
    for faithful in (False, True):
        now = [0.0]
        session = table(
            "4 5 6", deadline=Deadline(seconds=1), clock=lambda now=now: now[0], faithful=faithful
        )
        now[0] = 2.0
        session.feed(Offer("ann", price(7)))
        # Genius takes the begun round away, and then the finished one before it.
        assert session.outcome.rounds == (0 if faithful else 2)
        assert session.outcome.agreeing_parties == (0 if faithful else 1)


def test_everybody_hears_everybody_else() -> None:
    heard = table("4 5 a5").heard
    assert {party: [sender for sender, _ in told[1:]] for party, told in heard.items()} == {
        "ann": ["bob", "cem"],
        "bob": ["ann", "cem"],
        "cem": ["ann", "bob"],
    }


@pytest.mark.parametrize("faithful", [False, True])
def test_a_party_alone_agrees_with_itself(faithful: bool) -> None:
    # Spec 5.2, golden saop_single_party.
    session = table("4", ("ann",), faithful=faithful)
    assert session.outcome.agreement == price(4)
    assert session.outcome.agreeing_parties == 1
