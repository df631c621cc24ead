import pytest

from genius_py import registry
from genius_py.action import Accept, NoAction, Offer, OfferForVoting, Reject
from genius_py.allowed import Allowed
from genius_py.parties.genius_time_dependent import (
    GeniusBoulware,
    GeniusConceder,
    GeniusNonDeterministicConceder,
)
from tests.parties.table import answer, hear, in_round, price, seat, seller


def seated(reservation_value: float = 0.0) -> GeniusConceder:
    party = GeniusConceder()
    seat(party, seller(reservation_value))
    return party


def test_the_first_round_counts_as_time_0() -> None:
    assert seated().target() == 1.0


def test_the_target_knows_neither_the_range_of_utilities_nor_the_reservation_value() -> None:
    party = seated(reservation_value=0.95)
    in_round(party, 5)
    assert party.target() == pytest.approx(1 - 0.4**0.5)
    assert answer(party) == Offer("me", price(4))


def test_seconds_are_not_moved() -> None:
    party = GeniusConceder()
    seat(party, seller(), rounds=None, seconds=10.0)
    in_round(party, 1)  # the clock of the table stands at half time
    assert party.target() == pytest.approx(1 - 0.5**0.5)


def test_only_what_is_worth_more_than_the_plan_is_accepted() -> None:
    party = seated()
    in_round(party, 5)
    assert answer(party, price(4)) == Offer("me", price(4))
    assert answer(party, price(5)) == Accept("me", price(5))


def test_where_it_cannot_offer_it_rejects_what_it_heard_last() -> None:
    party = seated()
    assert party.choose_action(Allowed(OfferForVoting)) == OfferForVoting("me", price(10))
    hear(party, price(2))
    assert party.choose_action(Allowed(Accept, Reject)) == Reject("me", price(2))


def test_where_it_can_do_nothing_it_does_nothing() -> None:
    assert seated().choose_action(Allowed(Reject)) == NoAction("me")


def test_boulware_concedes_late() -> None:
    party = GeniusBoulware()
    seat(party, seller())
    in_round(party, 9)
    assert party.target() == pytest.approx(1 - 0.8**5)


def test_the_nondeterministic_one_draws_from_the_bids_near_the_target() -> None:
    party = GeniusNonDeterministicConceder()
    seat(party, seller())
    in_round(party, 5)
    # The target is 0.37; Genius's range of 0.32 to 0.42 holds one bid above it.
    drawn = {party.plan() for _ in range(100)}
    assert drawn == {price(4), price(5)}


@pytest.mark.parametrize(
    ("path", "cls"),
    [
        ("negotiator.parties.BoulwareNegotiationParty", GeniusBoulware),
        ("negotiator.parties.ConcederNegotiationParty", GeniusConceder),
        (
            "negotiator.parties.NonDeterministicConcederNegotiationParty",
            GeniusNonDeterministicConceder,
        ),
    ],
)
def test_they_are_found_by_their_names_in_genius(path: str, cls: type) -> None:
    assert registry.find("party", path) is cls
