import pytest

from genius_py import registry
from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.allowed import Allowed
from genius_py.errors import StrategyError
from genius_py.java import JavaRandom
from genius_py.parties.genius_trivial import GeniusAccepting, GeniusEnding
from tests.parties.table import answer, price, seat, seller


def test_accepting_names_the_bid_of_whatever_it_heard_last() -> None:
    party = GeniusAccepting()
    seat(party, seller())
    party.receive_message("they", Accept("they", price(2)))
    assert party.choose_action(Allowed(Accept)) == Accept("me", price(2))


def test_accepting_offers_from_java_s_stream_where_it_may_not_accept() -> None:
    party = GeniusAccepting()
    seat(party, seller(), seed=5)
    assert answer(party) == Offer("me", price(JavaRandom(5).next_int(11)))


def test_accepting_cannot_accept_before_it_has_heard_a_bid() -> None:
    party = GeniusAccepting()
    seat(party, seller())
    with pytest.raises(StrategyError, match="heard no bid"):
        party.choose_action(Allowed(Accept))


def test_ending_walks_away_as_soon_as_it_may() -> None:
    party = GeniusEnding()
    seat(party, seller(), seed=5)
    assert answer(party) == EndNegotiation("me")
    assert party.choose_action(Allowed(Offer)) == Offer("me", price(JavaRandom(5).next_int(11)))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("negotiator.parties.AcceptingNegotiationParty", GeniusAccepting),
        ("negotiator.parties.NegotiationEndingParty", GeniusEnding),
    ],
)
def test_they_are_found_by_their_names_in_genius(path: str, kind: type) -> None:
    assert registry.find("party", path) is kind
