"""Phases and actions of a full trade: statements S1.10 to S1.24."""

from collections.abc import Mapping

import pytest

from genius_py.action import Forfeit, Pass
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.fronts.trade import BilateralTradeGame, Match
from genius_py.issue import RealIssue, TextIssue
from genius_py.protocols.bilateral_trade import BilateralTradeProtocol
from genius_py.protocols.trade_actions import AcceptProposal, PostRequest, Propose
from genius_py.testing import Driven, drive
from tests.spec.trades import (
    REQUEST,
    TERMS,
    agreed,
    competitive,
    delivered,
    do,
    requested,
)

WORK = Domain("work", [TextIssue("scope"), RealIssue("price", 0, 1000)])


def error(
    match: Match, agent: str, action: str, payload: Mapping[str, object] | None = None
) -> str:
    """The code with which it is refused, and that nothing has changed by trying."""
    before = {agent: match.visible_state(agent) for agent in match.agent_ids}, match.due
    result = match.act(agent, action, payload)
    assert not result.ok
    assert result.error is not None
    assert result.error_detail
    after = {agent: match.visible_state(agent) for agent in match.agent_ids}, match.due
    assert after == before
    return result.error


def silent(protocol: str, parties: tuple[str, ...] = ("ini", "pro"), **settings: object) -> Driven:
    return drive(protocol, domain=WORK, parties=parties, on_fault="forfeit", **settings)  # type: ignore[arg-type]


def play_silence(table: Driven) -> None:
    while table.asked:
        table.feed(Fault(table.asked[0].party.id, "says nothing"))


def test_s1_10_the_phases_follow_each_other() -> None:
    match = Match(BilateralTradeGame(), ("ini", "pro"))
    phases = [match.visible_state("ini")["phase"]]
    for agent, action, payload in (
        ("ini", "post_request", REQUEST),
        ("pro", "propose", TERMS),
        ("ini", "accept_proposal", {}),
        ("pro", "submit_deliverable", {"content": "Dix pages."}),
    ):
        do(match, agent, action, payload)
        phases.append(match.visible_state("ini")["phase"])
    assert phases == ["request", "negotiate", "negotiate", "deliver", "verify"]


@pytest.mark.parametrize(
    ("answers", "rounds"),
    [
        ((), 2),
        ((PostRequest("ini", "work", 50),), 8),
        (
            (PostRequest("ini", "work", 50), Propose("pro", "it", price=30), AcceptProposal("ini")),
            3,
        ),
    ],
    ids=["request", "negotiate", "deliver"],
)
def test_s1_10_each_phase_has_a_limit_of_rounds(answers: tuple[object, ...], rounds: int) -> None:
    table = silent("bilateral_trade", deadline=100)
    table.feed(*answers)  # type: ignore[arg-type]
    play_silence(table)
    assert table.outcome.detail == "max_rounds_exceeded"
    lost = [e.round for e in table.log if isinstance(e.action, Forfeit)]
    assert len(set(lost)) == rounds
    assert set(table.outcome.utilities.values()) == {0.0}


def test_s1_10_the_verification_has_two_rounds() -> None:
    table = silent("bilateral_trade", deadline=100)
    request, terms = PostRequest("ini", "work", 50), Propose("pro", "it", price=30)
    table.feed(request, terms, AcceptProposal("ini"))
    (turn,) = table.asked
    deliver = next(iter(turn.allowed))
    table.feed(deliver("pro", content="done"))  # type: ignore[call-arg]
    play_silence(table)
    assert sum(isinstance(action, Forfeit) for action in table.log.actions) == 2
    assert table.outcome.detail == "max_rounds_exceeded"
    assert table.outcome.utilities == {"ini": 0.0, "pro": 0.0}


def test_s1_11_only_the_initiator_posts_a_request_and_only_once() -> None:
    match = Match(BilateralTradeGame(), ("ini", "pro"))
    assert match.due == ("ini",)
    assert error(match, "pro", "post_request", REQUEST) == "not_your_turn"
    assert error(match, "ini", "propose", TERMS) == "invalid_action_type"
    do(match, "ini", "post_request", REQUEST)
    assert match.visible_state("pro")["request"] == REQUEST
    assert type(match.visible_state("pro")["request"]["max_budget"]) is float
    do(match, "pro", "propose", TERMS)
    assert error(match, "ini", "post_request", REQUEST) == "invalid_action_type"


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"description": "work"},
        {"max_budget": 50},
        {"description": "", "max_budget": 50},
        {"description": 3, "max_budget": 50},
        {"description": "work", "max_budget": -1},
        {"description": "work", "max_budget": "50"},
        {"description": "work", "max_budget": True},
        {"description": "work", "max_budget": float("nan")},
        {"description": "work", "max_budget": 50, "deadline": "today"},
    ],
)
def test_s1_11_a_malformed_request_is_refused(payload: dict[str, object]) -> None:
    match = Match(BilateralTradeGame(), ("ini", "pro"))
    assert error(match, "ini", "post_request", payload) == "invalid_payload"


@pytest.mark.parametrize(
    "payload",
    [
        {"price": 35},
        {"scope": "", "price": 35},
        {"scope": " ", "price": 35},
        {"scope": "work"},
        {"scope": "work", "price": -1},
        {"scope": "work", "price": "35"},
        {"scope": "work", "price": None},
    ],
)
def test_s1_12_a_malformed_proposal_is_refused(payload: dict[str, object]) -> None:
    assert error(requested(), "pro", "propose", payload) == "invalid_payload"


def test_s1_12_a_price_above_the_budget_breaks_a_rule_and_changes_nothing() -> None:
    match = requested(budget=100)
    assert error(match, "pro", "propose", {"scope": "work", "price": 150}) == "game_rule_violation"
    assert match.visible_state("pro")["proposal"] is None


@pytest.mark.parametrize("price", [0, 50])
def test_s1_12_the_budget_itself_and_nothing_are_prices(price: float) -> None:
    do(requested(budget=50), "pro", "propose", {"scope": "work", "price": price})


def test_s1_13_the_provider_opens_and_the_latest_proposal_stands() -> None:
    match = requested()
    assert match.due == ("pro",)
    do(match, "pro", "propose", TERMS)
    assert match.due == ("ini",)
    do(match, "ini", "propose", {"scope": "Five pages", "price": 20})
    assert match.visible_state("pro")["proposal"] == {
        "scope": "Five pages",
        "price": 20,
        "proposed_by": "ini",
    }
    do(match, "pro", "accept_proposal")
    assert match.visible_state("ini")["agreement"]["proposed_by"] == "ini"


def test_s1_14_nobody_accepts_without_a_proposal_or_his_own() -> None:
    match = requested(negotiate_turn_order="random")
    assert error(match, "ini", "accept_proposal") == "game_rule_violation"
    do(match, "pro", "propose", TERMS)
    assert error(match, "pro", "accept_proposal") == "game_rule_violation"
    do(match, "ini", "accept_proposal")
    assert match.visible_state("pro")["agreement"] == {**TERMS, "proposed_by": "pro"}


@pytest.mark.parametrize("leaving", ["ini", "pro"])
def test_s1_15_either_side_ends_a_classic_trade_by_leaving(leaving: str) -> None:
    match = requested(negotiate_turn_order="random")
    do(match, "pro", "propose", TERMS)
    do(match, leaving, "reject_and_exit", {"reason": "too dear"})
    assert match.outcome == {
        "payoffs": [{"agent_id": "ini", "utility": 0.0}, {"agent_id": "pro", "utility": 0.0}],
        "reason": "negotiation_failed",
    }


def test_s1_16_each_provider_has_its_own_proposal_on_the_table() -> None:
    match = competitive()
    do(match, "p1", "propose", {"scope": "a", "price": 30})
    do(match, "p2", "propose", {"scope": "b", "price": 25})
    do(match, "ini", "message_only", message="Better, please.")
    do(match, "p1", "propose", {"scope": "c", "price": 20})
    assert match.visible_state("ini")["proposals"] == {
        "p1": {"scope": "c", "price": 20},
        "p2": {"scope": "b", "price": 25},
    }


def test_s1_16_the_initiator_proposes_nothing_and_accepts_by_provider() -> None:
    match = competitive(negotiate_turn_order="random")
    do(match, "p1", "propose", {"scope": "a", "price": 30})
    assert error(match, "ini", "propose", TERMS) == "game_rule_violation"
    assert error(match, "p2", "accept_proposal", {"provider_id": "p1"}) == "game_rule_violation"
    assert error(match, "ini", "accept_proposal", {}) == "invalid_payload"
    for nobody in ("p2", "ini", "stranger"):
        payload = {"provider_id": nobody}
        assert error(match, "ini", "accept_proposal", payload) == "game_rule_violation"
    do(match, "ini", "accept_proposal", {"provider_id": "p1"})
    for agent in ("ini", "p1", "p2"):
        assert match.visible_state(agent)["agreement"] == {
            "scope": "a",
            "price": 30,
            "proposed_by": "p1",
            "provider_id": "p1",
        }


def test_s1_16_a_provider_that_left_cannot_be_chosen() -> None:
    match = competitive(negotiate_turn_order="random")
    do(match, "p1", "propose", {"scope": "a", "price": 30})
    do(match, "p2", "propose", {"scope": "b", "price": 25})
    do(match, "p2", "reject_and_exit", {"reason": "no"})
    accept = {"provider_id": "p2"}
    assert error(match, "ini", "accept_proposal", accept) == "game_rule_violation"


def test_s1_17_a_provider_that_leaves_takes_its_proposal_along() -> None:
    match = competitive()
    do(match, "p1", "propose", {"scope": "a", "price": 30})
    do(match, "p2", "propose", {"scope": "b", "price": 25})
    do(match, "ini", "message_only", message="Hm.")
    do(match, "p1", "propose", {"scope": "a", "price": 29})
    do(match, "p2", "reject_and_exit", {"reason": "too cheap for me"})
    state = match.visible_state("ini")
    assert state["active_providers"] == ["p1"]
    assert state["proposals"] == {"p1": {"scope": "a", "price": 29}}
    assert match.is_running


def test_s1_17_the_last_provider_to_leave_ends_it() -> None:
    match = competitive()
    do(match, "p1", "reject_and_exit", {})
    do(match, "p2", "reject_and_exit", {})
    assert match.outcome is not None
    assert match.outcome["reason"] == "all_providers_exited"
    assert [line["utility"] for line in match.outcome["payoffs"]] == [0, 0, 0]


def test_s1_17_the_initiator_ends_it_by_leaving() -> None:
    match = competitive()
    do(match, "p1", "propose", {"scope": "a", "price": 30})
    do(match, "p2", "message_only", message="Wait.")
    do(match, "ini", "reject_and_exit", {"reason": "no money"})
    assert match.outcome is not None
    assert match.outcome["reason"] == "initiator_exited"
    assert [line["utility"] for line in match.outcome["payoffs"]] == [0, 0, 0]


def test_s1_18_turns_start_at_the_first_provider_and_skip_who_has_nothing_to_do() -> None:
    match = competitive()
    order = []
    for deed in ("talk", "talk", "talk", "offer", "talk", "leave", "talk", "talk", "talk"):
        (agent,) = match.due
        order.append(agent)
        if deed == "offer":
            do(match, agent, "propose", TERMS)
        elif deed == "leave":
            do(match, agent, "reject_and_exit", {})
        else:
            do(match, agent, "message_only", message="Well.")
    # Nobody has proposed at first, so the initiator is skipped; p1 leaves and is skipped then.
    assert order == ["p1", "p2", "p1", "p2", "ini", "p1", "p2", "ini", "p2"]


def test_s1_18_a_round_is_over_when_the_turn_has_passed_the_initiator() -> None:
    protocol = BilateralTradeProtocol(allow_pass=True)
    table = drive(protocol, domain=WORK, parties=("ini", "p1", "p2"), deadline=50)
    table.feed(PostRequest("ini", "work", 50))
    rounds = []
    for _ in range(2):
        for party in ("p1", "p2"):
            rounds.append(protocol.round)
            table.feed(Pass(party))
    assert rounds == [1, 1, 2, 2]
    assert protocol.round == 3
    table.feed(Propose("p1", "it", price=30), Pass("p2"))
    assert (protocol.round, table.asked[0].party.id) == (3, "ini")
    table.feed(Pass("ini"))
    assert (protocol.round, table.asked[0].party.id) == (4, "p1")


def test_s1_19_round_robin_refuses_who_acts_out_of_turn() -> None:
    match = requested()
    assert error(match, "ini", "propose", TERMS) == "not_your_turn"
    assert error(match, "ini", "message_only") == "not_your_turn"
    assert error(match, "stranger", "propose", TERMS) == "agent_not_in_match"


def test_s1_19_in_random_order_all_who_can_do_something_may_act() -> None:
    classic = requested(negotiate_turn_order="random")
    assert set(classic.due) == {"ini", "pro"}
    several = competitive(negotiate_turn_order="random")
    assert set(several.due) == {"p1", "p2"}
    do(several, "p2", "propose", TERMS)
    assert set(several.due) == {"ini", "p1", "p2"}
    do(several, "p1", "reject_and_exit", {})
    assert set(several.due) == {"ini", "p2"}


def test_s1_19_the_other_phases_belong_to_their_role_in_any_order() -> None:
    match = Match(BilateralTradeGame(negotiate_turn_order="random"), ("ini", "pro"))
    assert match.due == ("ini",)
    do(match, "ini", "post_request", REQUEST)
    do(match, "pro", "propose", TERMS)
    do(match, "ini", "accept_proposal")
    assert match.due == ("pro",)
    do(match, "pro", "submit_deliverable", {"content": "done"})
    assert match.due == ("ini",)


def test_s1_19_the_runner_draws_who_is_next_by_the_seed() -> None:
    def order(seed: int) -> list[str]:
        spec = "bilateral_trade:negotiate_turn_order=random"
        table = drive(spec, domain=WORK, parties=("ini", "p1", "p2"), seed=seed, on_fault="forfeit")
        table.feed(PostRequest("ini", "work", 50))
        asked = []
        while table.asked:
            asked.append(table.asked[0].party.id)
            table.feed(Propose(asked[-1], "it", price=30))
        return asked

    assert order(1) == order(1)
    assert len({tuple(order(seed)) for seed in range(5)}) > 1
    assert {"p1", "p2", "ini"} == set(order(1))


@pytest.mark.parametrize("proposer", ["pro", "ini"])
def test_s1_20_the_provider_delivers_whoever_proposed(proposer: str) -> None:
    match = requested(negotiate_turn_order="random")
    do(match, proposer, "propose", TERMS)
    do(match, "ini" if proposer == "pro" else "pro", "accept_proposal")
    assert match.due == ("pro",)
    for payload in ({}, {"content": ""}, {"content": 7}):
        assert error(match, "pro", "submit_deliverable", payload) == "invalid_payload"
    do(match, "pro", "submit_deliverable", {"content": "Dix pages."})
    assert match.visible_state("ini")["deliverable"] == "Dix pages."
    assert error(match, "pro", "submit_deliverable", {"content": "Again."}) == "not_your_turn"


def test_s1_20_the_selected_provider_delivers() -> None:
    match = competitive()
    do(match, "p1", "propose", {"scope": "a", "price": 30})
    do(match, "p2", "propose", {"scope": "b", "price": 25})
    do(match, "ini", "accept_proposal", {"provider_id": "p2"})
    assert match.due == ("p2",)
    assert error(match, "p1", "submit_deliverable", {"content": "mine"}) == "not_your_turn"


def test_s1_21_the_initiator_verifies_what_has_been_delivered() -> None:
    match = agreed()
    assert error(match, "ini", "accept_delivery") == "not_your_turn"
    match = delivered()
    assert set(match.allowed_actions("ini")) >= {"accept_delivery", "dispute_delivery"}
    assert error(match, "pro", "accept_delivery") == "not_your_turn"
    do(match, "ini", "accept_delivery")
    assert match.visible_state("pro")["delivery_accepted"] is True
    match = delivered()
    do(match, "ini", "dispute_delivery", {"reason": "Nine pages only."})
    assert match.visible_state("pro")["delivery_accepted"] is False


@pytest.mark.parametrize("match", [requested(), agreed(), delivered()], ids=["n", "d", "v"])
def test_s1_22_talk_does_not_take_the_turn(match: Match) -> None:
    (agent,) = match.due
    do(match, agent, "message_only", message="One moment.")
    assert match.due == (agent,)


def test_s1_22_among_competitors_it_does_while_they_negotiate() -> None:
    match = competitive()
    do(match, "p1", "message_only", message="One moment.")
    assert match.due == ("p2",)
    do(match, "p2", "propose", TERMS)
    do(match, "ini", "accept_proposal", {"provider_id": "p2"})
    do(match, "p2", "message_only", message="Soon.")
    assert match.due == ("p2",)


def test_s1_22_a_pass_ends_a_turn() -> None:
    match = requested(allow_pass=True)
    do(match, "pro", "pass")
    assert match.due == ("ini",)


def test_s1_23_passing_belongs_to_price_only_unless_it_is_allowed() -> None:
    assert error(requested(), "pro", "pass") == "invalid_action_type"
    assert "pass" in requested(allow_pass=True).allowed_actions("pro")
    assert "pass" in Match(BilateralTradeGame("price_only"), ("b", "s")).allowed_actions("s")


@pytest.mark.parametrize(
    ("match", "agent", "action", "payload"),
    [
        (requested(), "pro", "submit_deliverable", {"content": "x"}),
        (requested(), "pro", "accept_delivery", {}),
        (agreed(), "pro", "propose", TERMS),
        (delivered(), "ini", "reject_and_exit", {"reason": "x"}),
        (delivered(), "ini", "dance", {}),
    ],
)
def test_s1_23_an_action_of_another_phase_has_the_wrong_type(
    match: Match, agent: str, action: str, payload: dict[str, object]
) -> None:
    assert error(match, agent, action, payload) == "invalid_action_type"


def test_s1_23_nothing_can_be_done_in_a_finished_match() -> None:
    match = delivered()
    do(match, "ini", "accept_delivery")
    assert not match.is_running
    assert error(match, "ini", "accept_delivery") == "match_not_running"
    assert error(match, "pro", "message_only") == "match_not_running"


def test_s1_24_eight_rounds_of_negotiation_and_it_has_failed() -> None:
    match = requested()
    for _ in range(8):
        do(match, "pro", "propose", TERMS)
        assert match.is_running
        do(match, "ini", "propose", {"scope": "less", "price": 1})
    assert match.outcome == {
        "payoffs": [{"agent_id": "ini", "utility": 0.0}, {"agent_id": "pro", "utility": 0.0}],
        "reason": "max_rounds_exceeded",
    }
