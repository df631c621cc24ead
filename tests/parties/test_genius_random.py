from collections import Counter

import pytest

from genius_py import registry
from genius_py.action import Accept, Offer, OfferForVoting, Reject
from genius_py.allowed import Allowed
from genius_py.errors import StrategyError
from genius_py.java import JavaRandom
from genius_py.parties.genius_party import GeniusParty
from genius_py.parties.genius_random import (
    GeniusRandomAmop,
    GeniusRandomCounterOffer,
    GeniusRandomFiftyFifty,
)
from genius_py.utility import TableUtilitySpace
from tests.parties.table import PRICE, answer, hear, in_round, price, seat, seller

PROPOSE = Allowed(OfferForVoting)
VOTE = Allowed(Accept, Reject)


def seated(kind: type[GeniusParty], seed: int = 1) -> GeniusParty:
    party = kind()
    seat(party, seller(), seed=seed)
    return party


def test_the_first_bid_is_the_first_of_java_s_stream() -> None:
    party = seated(GeniusRandomCounterOffer, seed=5)
    assert answer(party) == Offer("me", price(JavaRandom(5).next_int(11)))


def test_counter_offers_are_drawn_again_until_they_are_worth_a_tenth() -> None:
    party = seated(GeniusRandomCounterOffer)
    offers = {answer(party, price(3)) for _ in range(300)}
    assert offers == {Offer("me", price(amount)) for amount in range(1, 11)}


def test_from_nine_tenths_of_the_time_on_anything_is_accepted() -> None:
    party = seated(GeniusRandomCounterOffer)
    in_round(party, 8)
    assert isinstance(answer(party, price(0)), Offer)
    in_round(party, 9)
    assert answer(party, price(0)) == Accept("me", price(0))


def test_it_does_not_draw_for_ever() -> None:
    party = GeniusRandomCounterOffer()
    seat(party, TableUtilitySpace(domain=PRICE, table=[0.0] * 11))
    with pytest.raises(StrategyError, match=r"none was worth 0\.1"):
        answer(party, price(3))


def test_fifty_fifty_tosses_java_s_coin_over_the_last_bid_it_heard() -> None:
    party, stream = seated(GeniusRandomFiftyFifty, seed=3), JavaRandom(3)
    hear(party, price(4))
    for _ in range(10):
        kind = Accept if stream.next_boolean() else Reject
        assert party.choose_action(VOTE) == kind("me", price(4))
    assert party.choose_action(PROPOSE) == OfferForVoting("me", price(stream.next_int(11)))


def test_amop_s_random_party_votes_on_the_bids_in_their_order_its_own_included() -> None:
    party = seated(GeniusRandomAmop)
    hear(party, price(4))
    own = party.choose_action(PROPOSE)
    assert isinstance(own, OfferForVoting)
    hear(party, price(6))
    votes = [party.choose_action(VOTE) for _ in range(3)]
    assert [vote.bid for vote in votes if isinstance(vote, Accept | Reject)] == [
        price(4),
        own.bid,
        price(6),
    ]


def test_amop_s_random_party_accepts_three_bids_in_ten() -> None:
    party = seated(GeniusRandomAmop)
    votes: Counter[type] = Counter()
    for _ in range(2_000):
        hear(party, price(4))
        votes[type(party.choose_action(VOTE))] += 1
    assert votes[Accept] == pytest.approx(600, abs=70)


@pytest.mark.parametrize("kind", [GeniusRandomFiftyFifty, GeniusRandomAmop])
def test_nobody_can_vote_on_nothing(kind: type[GeniusParty]) -> None:
    with pytest.raises(StrategyError, match="heard no bid"):
        seated(kind).choose_action(VOTE)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("negotiator.parties.RandomCounterOfferNegotiationParty", GeniusRandomCounterOffer),
        ("negotiator.parties.RandomParty2", GeniusRandomCounterOffer),
        ("negotiator.parties.RandomFiftyFiftyNegotiationParty", GeniusRandomFiftyFifty),
        ("negotiator.parties.RandomAmopParty", GeniusRandomAmop),
    ],
)
def test_they_are_found_by_their_names_in_genius(path: str, kind: type) -> None:
    assert registry.find("party", path) is kind
