from genius_py import registry
from genius_py.action import Accept, Feedback, GiveFeedback, Offer, OfferForFeedback
from genius_py.allowed import Allowed
from genius_py.parties.accepting import Accepting
from tests.parties.table import answer, price, seat, seller


def seated() -> Accepting:
    party = Accepting()
    seat(party, seller(reservation_value=0.9))
    return party


def test_it_accepts_even_what_is_below_its_reservation_value() -> None:
    assert answer(seated(), price(0)) == Accept("me", price(0))


def test_it_opens_with_any_bid() -> None:
    party = seated()
    offers = {party.propose() for _ in range(200)}
    assert offers == {price(amount) for amount in range(11)}
    assert isinstance(answer(party), Offer)


def test_it_finds_nothing_worse() -> None:
    party = seated()
    for amount in (9, 0):
        party.receive_message("mediator", OfferForFeedback("mediator", price(amount)))
        said = party.choose_action(Allowed(GiveFeedback))
        assert said == GiveFeedback("me", Feedback.SAME)


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "accepting"), Accepting)
