import pytest

from genius_py import registry
from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.parties.genius_agent import (
    GeniusAgentBoulware,
    GeniusAgentConceder,
    GeniusAgentHardliner,
    GeniusAgentLinear,
)
from tests.parties.table import answer, in_round, price, seat, seller, stacked


def seated(reservation_value: float = 0.0) -> GeniusAgentLinear:
    party = GeniusAgentLinear()
    seat(party, seller(reservation_value))
    return party


def test_it_concedes_from_its_best_bid_to_its_worst() -> None:
    party = seated()
    in_round(party, 3)
    assert answer(party) == Offer("me", price(7))


def test_it_concedes_no_further_than_to_its_reservation_value() -> None:
    party = seated(reservation_value=0.5)
    in_round(party, 8)
    assert answer(party) == Offer("me", price(6))


def test_it_accepts_what_is_worth_its_plan() -> None:
    party = seated()
    in_round(party, 3)
    assert answer(party, price(6)) == Offer("me", price(7))
    assert answer(party, price(7)) == Accept("me", price(7))


def test_the_adapter_has_no_answer_to_anything_but_an_offer() -> None:
    party = seated()
    party.receive_message("they", Accept("they", price(3)))
    assert party.choose_action(stacked(party, price(3))) is None
    party.receive_message("they", EndNegotiation("they"))
    assert party.choose_action(stacked(party, price(3))) is None


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        (GeniusAgentBoulware, 1 - 0.5**5),
        (GeniusAgentConceder, 1 - 0.5**0.5),
        (GeniusAgentLinear, 0.5),
        (GeniusAgentHardliner, 1.0),
    ],
)
def test_each_has_its_speed_and_its_name_in_genius(
    kind: type[GeniusAgentLinear], target: float
) -> None:
    party = kind()
    seat(party, seller())
    in_round(party, 5)
    action = answer(party)
    assert isinstance(action, Offer)
    assert party.utility(action.bid) == pytest.approx(target, abs=0.05)
    name = kind.__name__.removeprefix("Genius").removeprefix("Agent")
    assert registry.find("party", f"agents.TimeDependentAgent{name}") is kind
