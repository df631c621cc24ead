from hypothesis import given
from hypothesis import strategies as st

import genius_py as gp
from genius_py import registry
from genius_py.action import (
    Accept,
    EndNegotiation,
    Offer,
    OfferForVoting,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed
from genius_py.log import Reason
from genius_py.parties.micro import Micro
from genius_py.scenario import Scenario
from tests.parties.table import PRICE, answer, buyer, hear, price, random_space, seat, seller


def seated(reservation_value: float = 0.0, others: tuple[str, ...] = ("you",)) -> Micro:
    party = Micro()
    seat(party, seller(reservation_value), others=others)
    return party


def test_it_opens_with_its_best_bid() -> None:
    assert answer(seated()) == Offer("me", price(10))


def test_it_makes_a_new_offer_for_each_new_offer_that_it_hears() -> None:
    party = seated()
    offers = [answer(party), *(answer(party, price(amount)) for amount in (0, 1, 2))]
    assert offers == [Offer("me", price(amount)) for amount in (10, 9, 8, 7)]


def test_for_an_old_offer_it_repeats_one_of_its_own() -> None:
    party = seated()
    answer(party)
    answer(party, price(0))
    repeated = [answer(party, price(0)) for _ in range(20)]
    assert {action.bid for action in repeated if isinstance(action, Offer)} == {price(10), price(9)}


def test_it_accepts_what_is_worth_the_bid_it_would_offer_next() -> None:
    party = seated()
    answer(party)
    assert answer(party, price(9)) == Accept("me", price(9))


def test_the_first_offer_it_hears_is_measured_by_its_best_bid() -> None:
    assert answer(seated(), price(9)) == Offer("me", price(10))


def test_it_stops_at_its_reservation_value() -> None:
    party = seated(reservation_value=0.85)
    offers = {answer(party), *(answer(party, price(amount)) for amount in range(5))}
    assert offers == {Offer("me", price(10)), Offer("me", price(9))}


def test_it_walks_away_when_no_bid_is_worth_its_reservation_value() -> None:
    assert answer(seated(reservation_value=1.1)) == EndNegotiation("me")


def test_of_several_opponents_the_one_with_the_fewest_offers_counts() -> None:
    party = seated(others=("you", "they"))
    answer(party)
    for amount in (0, 1, 2):
        hear(party, price(amount), "you")
    assert answer(party, price(0), "they") == Offer("me", price(9))
    assert answer(party, price(3), "you") in (Offer("me", price(10)), Offer("me", price(9)))


def test_where_it_only_votes_each_vote_counts_as_an_offer() -> None:
    party = seated()
    votes = []
    for amount in (7, 8, 6, 7):
        party.receive_message("mediator", OfferForVoting("mediator", price(amount)))
        action = party.choose_action(Allowed(VoteForOfferAcceptance))
        assert isinstance(action, VoteForOfferAcceptance)
        votes.append(action.vote)
    assert votes == [Vote.REJECT, Vote.REJECT, Vote.REJECT, Vote.ACCEPT]


@given(st.integers(0, 10_000))
def test_it_neither_offers_nor_accepts_less_than_its_reservation_value(seed: int) -> None:
    space = random_space(seed)
    party = Micro()
    seat(party, space, rounds=40)
    for number in range(40):
        action = answer(party, space.domain.bid_at((7 * number + seed) % space.domain.size))
        if not isinstance(action, EndNegotiation):
            assert isinstance(action, Offer | Accept)
            assert space.utility(action.bid) >= space.reservation_value


def test_two_of_them_meet_in_the_middle() -> None:
    scenario = Scenario(PRICE, {"seller": seller(), "buyer": buyer()})
    outcome = gp.run("SAOP", scenario, parties=["micro", "micro"], deadline=60)
    assert outcome.reason is Reason.AGREEMENT
    assert outcome.agreement == price(5)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "MiCRO"), Micro)
