"""A provider that underbids whoever is cheapest."""

from __future__ import annotations

import pytest

from genius_py.errors import OptionError
from genius_py.manager import run
from genius_py.parties.undercutter import Undercutter
from genius_py.protocols.trade_actions import Propose, RejectAndExit
from genius_py.testing import check_party
from tests.parties.trading import asked, seated, sells

RIVALS = ("me", "a", "b")
COMPETING = (Propose, RejectAndExit)


def competing(step: float = 0.1, limit: float = 20) -> Undercutter:
    return seated(Undercutter(step), sells(limit), negotiation=10, providers=RIVALS)


def test_without_a_rival_it_is_a_plain_trader() -> None:
    assert asked(competing(), *COMPETING) == Propose("me", "some work", price=92)


def test_it_goes_a_step_below_the_cheapest_rival() -> None:
    party = competing()
    party.receive_message("a", Propose("a", "all", price=60))
    party.receive_message("b", Propose("b", "all", price=70))
    assert asked(party, *COMPETING) == Propose(
        "me", "some work", price=52
    )  # a step is a tenth of 80


def test_what_the_initiator_proposes_is_no_rivals() -> None:
    party = competing()
    party.receive_message("you", Propose("you", "all", price=30))
    assert asked(party, *COMPETING) == Propose("me", "some work", price=92)


def test_it_never_goes_below_its_reservation_price() -> None:
    party = competing(limit=50)
    party.receive_message("a", Propose("a", "all", price=51))
    assert asked(party, *COMPETING) == Propose("me", "some work", price=50)


def test_a_dear_rival_does_not_make_it_dearer_than_a_trader() -> None:
    party = competing(step=0.01)
    party.receive_message("a", Propose("a", "all", price=100))
    assert asked(party, *COMPETING) == Propose("me", "some work", price=92)


@pytest.mark.parametrize("step", [0, -1, 1.5])
def test_an_impossible_step_is_refused(step: float) -> None:
    with pytest.raises(OptionError, match="step"):
        Undercutter(step)


def test_it_wins_against_a_trader_of_the_same_costs_unless_proposals_are_sealed() -> None:
    def winner(options: str) -> str:
        spec = f"bilateral_trade:task_value=9{options}"
        parties = ["trader", "trader@lingua", "undercutter@verbatim"]
        outcome = run(spec, "translation_job", parties=parties)
        return max(("lingua", "verbatim"), key=outcome.utilities.__getitem__)

    assert winner("") == "verbatim"  # although its own costs are higher
    assert winner(",sealed_proposals=true") == "lingua"


def test_it_keeps_the_contract() -> None:
    check_party("undercutter", isolated=False)
