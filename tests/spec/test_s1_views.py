"""What each agent sees: statements S1.50 to S1.54."""

import json
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from genius_py.allowed import Allowed
from genius_py.fronts.trade import BilateralTradeGame, Match
from genius_py.manager import SessionManager
from genius_py.protocols.trade_actions import AcceptProposal, Propose
from genius_py.testing import LegalParty
from tests.spec.trades import (
    REQUEST,
    TERMS,
    agreed,
    competitive,
    delivered,
    do,
    haggling,
    requested,
)

CLASSIC = {
    "request",
    "proposal",
    "agreement",
    "deliverable",
    "delivery_accepted",
    "action_history",
    "num_agents",
    "agent_ids",
    "initiator",
    "providers",
    "my_role",
}


def test_s1_50_both_sides_of_a_classic_trade_see_the_same_state() -> None:
    match = delivered()
    do(match, "ini", "accept_delivery")
    initiator, provider = match.visible_state("ini"), match.visible_state("pro")
    assert initiator | {"my_role": ""} == provider | {"my_role": ""}
    assert initiator["my_role"] == "initiator"
    assert provider["my_role"] == "provider"
    assert set(initiator) - {"phase"} == CLASSIC
    assert initiator["request"] == REQUEST
    assert initiator["proposal"] == initiator["agreement"] == {**TERMS, "proposed_by": "pro"}
    assert initiator["deliverable"] == "Dix pages."
    assert initiator["delivery_accepted"] is True


def test_s1_50_the_history_tells_who_did_what() -> None:
    history = agreed().visible_state("pro")["action_history"]
    assert history == [
        {"agent_id": "ini", "action": "post_request", "payload": REQUEST},
        {"agent_id": "pro", "action": "propose", "payload": TERMS},
        {"agent_id": "ini", "action": "accept_proposal", "payload": {}},
    ]


def test_s1_50_before_anything_has_happened_everything_is_empty() -> None:
    state = Match(BilateralTradeGame(), ("ini", "pro")).visible_state("pro")
    for key in CLASSIC - {"num_agents", "agent_ids", "initiator", "providers", "my_role"}:
        assert not state[key]


def test_s1_51_competitors_see_all_proposals_unless_they_are_sealed() -> None:
    match = competitive()
    do(match, "p1", "propose", {"scope": "a", "price": 30})
    state = match.visible_state("p2")
    assert set(state) - {"phase"} == CLASSIC | {
        "proposals",
        "active_providers",
        "selected_provider",
    }
    assert state["proposals"] == {"p1": {"scope": "a", "price": 30}}
    assert state["active_providers"] == ["p1", "p2"]
    assert state["selected_provider"] is None


def test_s1_51_sealed_proposals_are_for_the_initiator() -> None:
    match = competitive(sealed_proposals=True)
    do(match, "p1", "propose", {"scope": "a", "price": 31.25})
    do(match, "p2", "propose", {"scope": "b", "price": 28.75})
    assert set(match.visible_state("ini")["proposals"]) == {"p1", "p2"}
    assert match.visible_state("p1")["proposals"] == {"p1": {"scope": "a", "price": 31.25}}
    do(match, "ini", "accept_proposal", {"provider_id": "p2"})
    loser = match.visible_state("p1")
    assert loser["selected_provider"] == "p2"
    assert loser["agreement"] == {"proposed_by": "p2", "provider_id": "p2"}
    assert "28.75" not in json.dumps(loser)
    winner = match.visible_state("p2")
    assert winner["agreement"] == {
        "scope": "b",
        "price": 28.75,
        "proposed_by": "p2",
        "provider_id": "p2",
    }
    assert "31.25" not in json.dumps(winner)


class Spy(LegalParty):
    """Writes down whatever reaches it."""

    def __init__(self) -> None:
        super().__init__()
        self.saw: list[str] = []

    def receive_message(self, sender: str | None, action: Any) -> None:
        self.saw.append(repr(action))

    def choose_action(self, allowed: Allowed) -> Any:
        rules = {kind.__name__: {k: repr(v) for k, v in r.items()} for kind, r in allowed.items()}
        self.saw += [repr(rules), repr(list(self.info.history))]
        return super().choose_action(allowed)

    def negotiation_ended(self, agreement: Any) -> None:
        self.saw += [repr(agreement), repr(list(self.info.history))]


def _same(spy: Spy) -> Spy:
    return spy


@given(seed=st.integers(0, 2**31), order=st.sampled_from(("round_robin", "random")))
def test_s1_51_no_competitors_price_occurs_anywhere_in_a_providers_view(
    seed: int, order: Any
) -> None:
    game = BilateralTradeGame(sealed_proposals=True, negotiate_turn_order=order)
    ids = ("ini", "p1", "p2", "p3")
    spies = {agent: Spy() for agent in ids}
    plan = game.plan(dict.fromkeys(ids, "spy"), seed=seed)
    manager = SessionManager(plan, {agent: partial(_same, spy) for agent, spy in spies.items()})
    outcome = manager.run()
    prices = {
        agent: {
            repr(action.price)
            for action in outcome.log.actions
            if isinstance(action, Propose) and action.party == agent
        }
        for agent in ids
    }
    for agent in ids[1:]:
        history = list(outcome.log.seen_by(agent))
        state = game.visible_state(agent, ids, history)
        seen = "\n".join([*spies[agent].saw, repr(history), json.dumps(state)])
        for competitor in set(ids[1:]) - {agent}:
            assert not [price for price in prices[competitor] if price in seen]
    assert all(price in "\n".join(spies["ini"].saw) for agent in ids for price in prices[agent])


def test_s1_52_a_reservation_value_is_its_owners_alone() -> None:
    match = haggling(reservation_values={"buyer": 81.5, "seller": 33.25})
    buyer, seller = match.visible_state("buy"), match.visible_state("sell")
    assert buyer["my_reservation_value"] == 81.5
    assert seller["my_reservation_value"] == 33.25
    assert "33.25" not in json.dumps(buyer)
    assert "81.5" not in json.dumps(seller)


def test_s1_52_the_budget_is_known_to_both_unless_it_is_hidden() -> None:
    match = haggling(max_budget=87.5)
    assert match.visible_state("buy")["max_budget"] == 87.5
    assert match.visible_state("sell")["max_budget"] == 87.5
    match = haggling(max_budget=87.5, hide_budget=True)
    assert match.visible_state("buy")["max_budget"] == 87.5
    assert "max_budget" not in match.visible_state("sell")


def test_s1_52_a_hidden_budget_does_not_show_in_what_is_refused() -> None:
    match = haggling(max_budget=87.5, hide_budget=True)
    do(match, "sell", "propose", {"price": 90})
    assert "accept_proposal" not in match.allowed_actions("buy")
    do(match, "buy", "pass")
    do(match, "sell", "propose", {"price": 87.5})
    do(match, "buy", "accept_proposal")
    assert match.outcome is not None
    assert match.outcome["payoffs"][0] == {"agent_id": "buy", "utility": 0.0}


def test_s1_52_a_hidden_budget_reaches_the_seller_by_no_way() -> None:
    game = BilateralTradeGame("price_only", max_budget=87.5, hide_budget=True)
    spies = {"buy": Spy(), "sell": Spy()}
    plan = game.plan(dict.fromkeys(spies, "spy"))
    manager = SessionManager(plan, {agent: partial(_same, spy) for agent, spy in spies.items()})
    manager.run()
    assert "87.5" not in "\n".join(spies["sell"].saw)
    assert "87.5" not in repr(spies["sell"].info.utility_space)
    assert "87.5" in "\n".join(spies["buy"].saw)


def said(match: Match, agent: str) -> list[str]:
    history = match.visible_state(agent)["action_history"]
    return [line["message"] for line in history if line["action"] == "message_only"]


def test_s1_53_messages_are_for_all_or_for_those_who_are_named() -> None:
    match = competitive()
    do(match, "p1", "message_only", message="Hello all.")
    do(match, "p2", "message_only", message="Shall we both ask for 48?", to=("p1",))
    assert said(match, "ini") == ["Hello all."]
    assert said(match, "p1") == said(match, "p2") == ["Hello all.", "Shall we both ask for 48?"]
    assert match.visible_state("p1")["action_history"][-1]["to"] == ["p1"]


def test_s1_53_the_order_of_the_names_makes_no_difference() -> None:
    match = Match(BilateralTradeGame(), ("ini", "p1", "p2", "p3"))
    do(match, "ini", "post_request", REQUEST)
    do(match, "p1", "message_only", message="Us three.", to=("p3", "p2"))
    assert said(match, "p2") == said(match, "p3") == ["Us three."]
    assert said(match, "ini") == []


def test_s1_53_nobody_talks_out_of_turn_or_to_strangers() -> None:
    match = requested()
    assert match.act("ini", "message_only", message="Hurry!").error == "not_your_turn"
    match = competitive()
    result = match.act("p1", "message_only", message="Psst.", to=("stranger",))
    assert result.error == "game_rule_violation"
    price_only = haggling()
    assert price_only.act("buy", "message_only", message="Hurry!").error == "not_your_turn"


def test_s1_53_a_message_beside_an_action_is_heard_by_all_who_hear_that() -> None:
    match = competitive(sealed_proposals=True)
    do(match, "p1", "propose", TERMS, message="My best.")
    assert match.visible_state("ini")["action_history"][-1]["message"] == "My best."
    assert "My best." not in json.dumps(match.visible_state("p2"))


def test_s1_54_what_cannot_be_done_is_not_among_the_allowed_actions() -> None:
    match = Match(BilateralTradeGame(), ("ini", "pro"))
    assert match.allowed_actions("ini") == ["post_request", "message_only"]
    assert match.allowed_actions("pro") == []
    do(match, "ini", "post_request", REQUEST)
    assert match.allowed_actions("ini") == []
    assert match.allowed_actions("pro") == ["propose", "reject_and_exit", "message_only"]
    do(match, "pro", "propose", TERMS)
    assert match.allowed_actions("ini") == [
        "accept_proposal",
        "propose",
        "reject_and_exit",
        "message_only",
    ]
    do(match, "ini", "accept_proposal")
    assert match.allowed_actions("pro") == ["submit_deliverable", "message_only"]
    do(match, "pro", "submit_deliverable", {"content": "done"})
    assert match.allowed_actions("ini") == ["accept_delivery", "dispute_delivery", "message_only"]
    do(match, "ini", "accept_delivery")
    assert match.allowed_actions("ini") == []


def test_s1_54_competitors_may_not_accept_and_initiators_not_propose() -> None:
    match = competitive(negotiate_turn_order="random")
    do(match, "p1", "propose", TERMS)
    assert match.allowed_actions("p1") == ["propose", "reject_and_exit", "message_only"]
    assert match.allowed_actions("ini") == ["accept_proposal", "reject_and_exit", "message_only"]
    rule = match.allowed("ini")[AcceptProposal]["provider_id"]
    assert str(rule) == "p1"


def test_s1_54_each_field_says_what_it_may_hold() -> None:
    match = requested(budget=50)
    shown = {name: str(rule) for name, rule in match.allowed("pro").choices(Propose).items()}
    assert shown == {"price": "a number from 0 to 50", "scope": "a text of 1 to 2000 characters"}
