"""Parties that do what a test tells them."""

import pytest

from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.manager import SessionManager
from genius_py.seating import plan_session
from genius_py.session import Reply
from genius_py.testing import ScriptedParty
from genius_py.testing.scenarios import one_bid_scenario

DEAL = one_bid_scenario().domain.bid_at(0)


def play(ann: ScriptedParty, bob: ScriptedParty) -> SessionManager:
    plan, makers = plan_session(
        "SAOP", one_bid_scenario(), parties=[lambda: ann, lambda: bob], deadline=3
    )
    manager = SessionManager(plan, makers)
    manager.run()
    return manager


def test_moves_are_made_in_order_and_the_last_one_repeats() -> None:
    ann = ScriptedParty(Offer("ann", DEAL, message="first"), Offer("ann", DEAL))
    bob = ScriptedParty(Offer("bob", DEAL))
    actions = play(ann, bob).outcome.log.actions
    said = [action.message for action in actions if action.party == "ann"]
    assert said == ["first", "", ""]


def test_it_remembers_what_it_was_asked_and_told() -> None:
    ann, bob = ScriptedParty(Offer("ann", DEAL)), ScriptedParty(Accept("bob", DEAL))
    play(ann, bob)
    assert [Accept in allowed for allowed in bob.asked] == [True]
    assert [sender for sender, _ in bob.heard] == [None, "ann"]
    assert ann.ended == bob.ended == [DEAL]


def test_a_move_may_be_a_function_or_an_error() -> None:
    ann = ScriptedParty(lambda party, allowed: Reply(EndNegotiation(party.id), message="bye"))
    assert play(ann, ScriptedParty(None)).outcome.log.actions[0].message == "bye"
    (fault,) = play(ScriptedParty(OSError("no")), ScriptedParty(None)).outcome.faults
    assert fault.reason == "raised OSError: no"


@pytest.mark.parametrize(
    ("party", "during"),
    [
        (ScriptedParty(None, ill=OSError("no")), "init"),
        (ScriptedParty(None, deaf=OSError("no")), "receive_message"),
        (ScriptedParty(EndNegotiation("ann"), farewell=OSError("no")), "negotiation_ended"),
    ],
)
def test_it_can_fail_at_any_moment(party: ScriptedParty, during: str) -> None:
    (fault,) = play(party, ScriptedParty(None)).outcome.faults
    assert (fault.party, fault.during, fault.reason) == ("ann", during, "raised OSError: no")
