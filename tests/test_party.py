"""The contract of a party: one method to override, and what it finds at hand."""

import pytest

from genius_py.action import Action, EndNegotiation, Offer
from genius_py.allowed import Allowed
from genius_py.manager import SessionManager
from genius_py.party import NegotiationParty
from genius_py.seating import plan_session
from genius_py.session import Seat, Turn
from genius_py.testing.scenarios import discrete_scenario

SCENARIO = discrete_scenario()


class Short(NegotiationParty):
    """Offers at random.

    More than one line need not be told.
    """

    def choose_action(self, allowed: Allowed) -> Action:
        return Offer(self.id, self.domain.random_bid(self.rng))


def seated() -> Short:
    plan, _ = plan_session("SAOP", SCENARIO, deadline=3)
    manager = SessionManager(plan, {"ann": Short, "bob": Short})
    manager.run()
    party = manager.parties["ann"]
    assert isinstance(party, Short)
    return party


def test_the_shortest_party_overrides_one_method() -> None:
    assert seated().info.history[-1].round == 3


def test_a_party_that_overrides_nothing_is_told_what_it_must() -> None:
    with pytest.raises(NotImplementedError, match="NegotiationParty must override choose_action"):
        NegotiationParty().choose_action(Allowed(EndNegotiation))


def test_what_a_party_needs_is_at_hand() -> None:
    party = seated()
    assert party.id == "ann"
    assert party.domain == SCENARIO.domain
    assert party.utility_space == SCENARIO.profile("ann")
    assert party.time == 3 / 4
    assert party.rng is party.info.rng


def test_a_party_describes_itself_by_the_first_line_of_its_docstring() -> None:
    assert Short().get_description() == "Offers at random."

    class Nameless(Short):
        pass

    Nameless.__doc__ = None
    assert Nameless().get_description() == "Nameless"


def test_a_batch_is_answered_turn_by_turn_unless_a_party_knows_better() -> None:
    class Leaving(NegotiationParty):
        def choose_action(self, allowed: Allowed) -> Action:
            return EndNegotiation(allowed.refusal)

    turns = [Turn(Seat("ann"), Allowed(EndNegotiation, refusal=text)) for text in ("a", "b")]
    answers = Leaving.choose_actions([(Leaving(), turn) for turn in turns])
    assert answers == [EndNegotiation("a"), EndNegotiation("b")]
    assert Leaving().batch_key == Leaving().batch_key != Short().batch_key
