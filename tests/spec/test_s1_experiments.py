"""Experiments, their logs and their averages: statements S1.60 to S1.66."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import attrs
import pytest

from genius_py import replay
from genius_py.errors import OptionError
from genius_py.fronts.trade import (
    Agent,
    BilateralTradeGame,
    ExperimentConfig,
    ExperimentResult,
    ExperimentRunner,
    MatchResult,
    PartyAgent,
    TradeError,
)
from genius_py.fronts.trade.prompts import preset, presets

Say = Mapping[str, Any] | str | Exception


@attrs.define
class Script:
    """An agent that replies with what it is told, the last reply again and again."""

    agent_id: str
    replies: Sequence[Say]
    observations: list[Mapping[str, Any]] = attrs.field(factory=list)

    def act(self, observation: Mapping[str, Any]) -> str | Mapping[str, Any]:
        reply = self.replies[min(len(self.observations), len(self.replies) - 1)]
        self.observations.append(observation)
        if isinstance(reply, Exception):
            raise reply
        return reply


def action(name: str, message: str = "", to: Sequence[str] = (), **payload: object) -> Say:
    return {"action": name, "payload": payload, "message": message, "to": list(to)}


REQUEST = action("post_request", description="Ten pages", max_budget=50)
OFFER = action("propose", scope="All ten", price=35)
ACCEPT = action("accept_proposal")
DELIVER = action("submit_deliverable", content="Dix pages.")
PAY = action("accept_delivery")
LEAVE = action("reject_and_exit", reason="no")


def play(
    initiator: Sequence[Say] = (REQUEST, ACCEPT, PAY),
    provider: Sequence[Say] = (OFFER, DELIVER),
    game: BilateralTradeGame | None = None,
    **config: Any,
) -> ExperimentResult:
    agents = [Script("ini", initiator), Script("pro", provider)]
    ticks = count(1)
    runner = ExperimentRunner(ExperimentConfig(**config), clock=ticks.__next__)
    return runner.run(agents, game=game or BilateralTradeGame())


def events(result: ExperimentResult) -> list[dict[str, Any]]:
    (match,) = result.matches
    assert match.log_file is not None
    told: list[dict[str, Any]] = json.loads(match.log_file.read_text())["events"]
    return told


def test_s1_60_the_settings_of_the_seed_and_their_defaults() -> None:
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(ExperimentConfig).parameters.items()
    }
    assert list(defaults)[:6] == [
        "game_id",
        "num_matches",
        "log_directory",
        "open_dashboard",
        "max_turns_per_match",
        "max_messages_per_turn",
    ]
    assert defaults["num_matches"] == defaults["num_workers"] == 1
    assert defaults["max_messages_per_turn"] == defaults["max_stale_turns"] == 10
    assert defaults["max_message_pings"] == 5


def test_s1_60_a_full_game_has_twenty_turns_by_default_and_a_price_only_one_no_limit() -> None:
    silent = (action("propose", scope="x", price=1),)
    full = play((REQUEST, *silent), silent, BilateralTradeGame(negotiate_rounds=50))
    assert full.matches[0].reason == "max_turns_exceeded"
    assert full.matches[0].session.turns == 20
    haggling = BilateralTradeGame("price_only")
    price_only = play((action("pass"),), (action("propose", price=99),), haggling)
    assert price_only.matches[0].reason == "max_rounds_exceeded"
    assert price_only.matches[0].session.turns == 200


@pytest.mark.parametrize(
    "setting", [{"num_matches": 0}, {"game_id": "chess"}, {"num_workers": 1.5}, {"seed": -1}]
)
def test_s1_60_impossible_settings_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=str(next(iter(setting.values())))):
        ExperimentConfig(**setting)


def test_s1_60_matches_are_alike_however_many_are_played_at_once() -> None:
    def played(workers: int) -> tuple[MatchResult, ...]:
        agents = [PartyAgent("buy", "zero_intelligence"), PartyAgent("sell", "zero_intelligence")]
        config = ExperimentConfig(num_matches=6, num_workers=workers, seed=4)
        game = BilateralTradeGame.from_params()
        return ExperimentRunner(config).run(agents, game=game).matches

    assert played(1) == played(3)
    assert len({str(match.outcome) for match in played(1)}) > 1


def test_s1_61_an_illegal_action_costs_the_turn_and_nothing_is_asked_again() -> None:
    dear = action("propose", scope="x", price=51)
    provider = Script("pro", (dear, OFFER, DELIVER))
    initiator = Script("ini", (REQUEST, action("propose", scope="y", price=5), ACCEPT, PAY))
    runner = ExperimentRunner(ExperimentConfig())
    (match,) = runner.run([initiator, provider], game=BilateralTradeGame()).matches
    assert [str(fault.reason) for fault in match.session.faults] == [
        "raised game_rule_violation: said Propose with price 51.0, but the price must be a number "
        "from 0 to 50"
    ]
    assert [type(a).__name__ for a in match.session.log.actions][1:4] == [
        "Forfeit",
        "Propose",
        "Propose",
    ]
    assert match.reason == "trade_completed"


def test_s1_61_messages_and_passes_are_no_turns() -> None:
    talk = action("message_only", "One moment.")
    result = play((REQUEST, ACCEPT, PAY), (talk, talk, OFFER, DELIVER), max_turns_per_match=5)
    assert result.matches[0].reason == "trade_completed"
    assert result.matches[0].session.turns == 7


def test_s1_61_after_so_much_talk_only_real_actions_are_left() -> None:
    talk = action("message_only", "One moment.")
    provider = Script("pro", (talk, talk, talk, OFFER, DELIVER))
    runner = ExperimentRunner(ExperimentConfig(max_stale_turns=2))
    (match,) = runner.run([Script("ini", (REQUEST, ACCEPT, PAY)), provider]).matches
    assert "message_only" in provider.observations[1]["allowed_actions"]
    assert "message_only" not in provider.observations[2]["allowed_actions"]
    assert match.session.faults


def test_s1_61_an_agent_sends_so_many_messages_in_a_turn() -> None:
    talk = action("message_only", "One moment.")
    limits: list[dict[str, Any]] = [{"max_messages_per_turn": 3}, {"max_message_pings": 3}]
    for limit in limits:
        provider = Script("pro", (talk,))
        agents: list[Agent] = [
            Script("ini", (REQUEST, action("propose", scope="x", price=1))),
            provider,
        ]
        ExperimentRunner(ExperimentConfig(**limit)).run(agents)
        allowed = ["message_only" in seen["allowed_actions"] for seen in provider.observations[:4]]
        assert allowed == [True, True, True, False]


def test_s1_62_when_the_turns_are_used_up_nobody_gets_anything() -> None:
    (match,) = play(max_turns_per_match=3).matches
    assert match.outcome == {
        "payoffs": [{"agent_id": "ini", "utility": 0.0}, {"agent_id": "pro", "utility": 0.0}],
        "reason": "max_turns_exceeded",
    }
    assert match.status == "finished"


def test_s1_62_an_agent_that_raises_costs_its_match() -> None:
    (match,) = play(provider=(OFFER, ConnectionError("server down"))).matches
    assert match.error == "the agent pro failed: ConnectionError: server down"
    assert match.outcome["error"] == match.error
    assert match.payoffs == {"ini": 0.0, "pro": 0.0}
    assert match.status == "finished"
    assert match.has_agreement


def test_s1_63_the_log_of_a_match_and_its_file(tmp_path: Path) -> None:
    (match,) = play(log_directory=tmp_path).matches
    file = tmp_path / f"{match.match_id}.json"
    assert match.log_file == file
    told = json.loads(file.read_text())
    assert set(told) == {"match_id", "game_id", "agent_ids", "events", "outcome", "metadata"}
    assert (told["match_id"], told["game_id"]) == (match.match_id, "bilateral-trade")
    assert told["agent_ids"] == ["ini", "pro"]
    assert told["outcome"] == match.outcome
    assert told["metadata"]["game"] == BilateralTradeGame().config
    for event in told["events"]:
        assert set(event) == {"timestamp_ns", "event_type", "agent_id", "data"}
    stamps = [event["timestamp_ns"] for event in told["events"]]
    assert stamps == sorted(stamps)
    assert [event["event_type"] for event in told["events"]] == [
        "match_started",
        *["action"] * 5,
        "match_ended",
    ]


def test_s1_63_actions_are_logged_with_their_errors(tmp_path: Path) -> None:
    dear = action("propose", scope="x", price=51)
    result = play(provider=(dear, OFFER, DELIVER), initiator=(REQUEST, OFFER, ACCEPT, PAY),
                  log_directory=tmp_path)  # fmt: skip
    refused = [e for e in events(result) if e["data"].get("ok") is False]
    assert [(e["agent_id"], e["data"]["error"]) for e in refused] == [
        ("pro", "game_rule_violation")
    ]
    assert "51.0" in refused[0]["data"]["error_detail"]
    done = [e["data"] for e in events(result) if e["data"].get("ok")]
    assert done[0] == {
        "action": "post_request",
        "payload": {"description": "Ten pages", "max_budget": 50.0},
        "ok": True,
        "error": None,
        "error_detail": None,
    }


def test_s1_63_what_is_private_is_replaced_by_a_marker(tmp_path: Path) -> None:
    agents = [
        Script("ini", (REQUEST, action("accept_proposal", provider_id="p1"), PAY)),
        Script("p1", (action("propose", scope="secret one", price=31.25), DELIVER)),
        Script("p2", (action("message_only", "Ask for 48!", to=["p1"]),)),
    ]
    config = ExperimentConfig(log_directory=tmp_path)
    game = BilateralTradeGame(sealed_proposals=True)
    result = ExperimentRunner(config).run(agents, game=game)
    told = [e["data"] for e in events(result)]
    assert {
        "action": "propose",
        "payload": {"scope": "<private>", "price": "<private>"},
    }.items() <= (next(data for data in told if data.get("action") == "propose").items())
    assert {"text": "<private>", "to": ["p1"]} in told
    (match,) = result.matches
    assert match.log_file is not None
    text = match.log_file.read_text()
    assert "secret one" not in text
    assert "Ask for 48" not in text


def test_s1_63_the_engines_log_lies_beside_it_and_replays(tmp_path: Path) -> None:
    (match,) = play(log_directory=tmp_path).matches
    assert match.log_file is not None
    again = replay(match.log_file.with_suffix(".jsonl"))
    assert again.utilities == match.payoffs
    assert again.detail == match.reason


@attrs.define
class Thinker:
    """An agent that looks at the state alone."""

    agent_id: str
    think: Callable[[Mapping[str, Any]], Say]

    def act(self, observation: Mapping[str, Any]) -> str | Mapping[str, Any]:
        reply = self.think(observation["state"])
        assert not isinstance(reply, Exception)
        return reply


def provide(state: Mapping[str, Any]) -> Say:
    return OFFER if state["agreement"] is None else DELIVER


def test_s1_64_averages_are_over_all_matches_and_over_those_with_an_agreement() -> None:
    wishes = iter((ACCEPT, LEAVE, LEAVE, LEAVE))

    def buy_once(state: Mapping[str, Any]) -> Say:
        if state["request"] is None:
            return REQUEST
        return next(wishes) if state["agreement"] is None else PAY

    config = ExperimentConfig(num_matches=4)
    agents = [Thinker("ini", buy_once), Thinker("pro", provide)]
    result = ExperimentRunner(config).run(agents)
    assert result.payoff_matrix().tolist() == [[-35, 35], [0, 0], [0, 0], [0, 0]]
    assert result.payoff_matrix("agreements").tolist() == [[-35, 35]]
    assert result.mean_payoffs() == {"ini": -8.75, "pro": 8.75}
    assert result.mean_payoffs("agreements") == {"ini": -35.0, "pro": 35.0}
    assert result.no_deal_count == 3
    assert result.completion_rate == 1.0
    assert result.reasons == {"negotiation_failed": 3, "trade_completed": 1}


def test_s1_64_matches_that_ran_out_count_as_nothing_and_not_as_missing() -> None:
    result = play(max_turns_per_match=3)
    assert result.completion_rate == 0.0
    assert result.mean_payoffs() == {"ini": 0.0, "pro": 0.0}
    assert result.summary()["reasons"] == {"max_turns_exceeded": 1}


def test_s1_64_there_is_no_average_over_nothing() -> None:
    result = play((REQUEST, LEAVE))
    assert result.mean_payoffs("agreements") == {"ini": None, "pro": None}
    assert result.payoff_matrix("agreements").shape == (0, 2)


def test_s1_64_a_match_is_found_by_its_id() -> None:
    result = play(num_matches=2)
    assert result.match(result.matches[1].match_id) is result.matches[1]
    with pytest.raises(TradeError, match="match_not_found") as raised:
        result.match("another")
    assert raised.value.code == "match_not_found"


@pytest.mark.parametrize(
    "reply",
    [
        "I think so.\n```json\n"
        '{"action": "propose", "payload": {"scope": "All ten", "price": 35}}\n```',
        '<think>{"action": "reject_and_exit"}</think>'
        '{"action": "propose", "payload": {"scope": "All ten", "price": 35}}',
        'First {"action": "propose", "payload": {"scope": "x", "price": 2}}, no: '
        '{"action": "propose", "payload": {"scope": "All ten", "price": 35}}',
        '{"message": "Here.", "action": "propose", "payload": {"scope": "All ten", "price": 35}}',
    ],
)
def test_s1_65_a_reply_is_one_json_object_anywhere_in_the_text(reply: str) -> None:
    (match,) = play(provider=(reply, DELIVER)).matches
    assert match.payoffs == {"ini": -35.0, "pro": 35.0}
    assert not match.session.faults


@pytest.mark.parametrize(
    "reply", ["", "I propose 35.", '{"act": "propose"}', '{"action": "dance"}', '{"action": 3}',
              '{"action": "propose", "payload": 3}', '{"action": "propose"', "{}"]
)  # fmt: skip
def test_s1_65_an_unreadable_reply_is_asked_for_once_more_with_the_reason(reply: str) -> None:
    provider = Script("pro", (reply, OFFER, DELIVER))
    runner = ExperimentRunner(ExperimentConfig())
    (match,) = runner.run([Script("ini", (REQUEST, ACCEPT, PAY)), provider]).matches
    assert match.reason == "trade_completed"
    assert not match.session.faults
    assert provider.observations[0]["refusal"] == ""
    assert provider.observations[1]["refusal"]


def test_s1_65_after_that_the_turn_is_passed_and_no_action_invented() -> None:
    haggling = BilateralTradeGame("price_only", negotiate_rounds=2)
    (match,) = play(("hm",), ("hm",), haggling).matches
    assert {type(a).__name__ for a in match.session.log.actions} == {"Pass"}
    (match,) = play((REQUEST, "hm"), ("hm",)).matches
    assert {type(a).__name__ for a in match.session.log.actions[1:]} == {"Forfeit"}
    assert match.session.faults[0].reason.startswith("raised invalid_action_type")


def test_s1_66_there_is_a_prompt_for_every_role() -> None:
    assert set(presets()) == {
        f"bilateral_trade/{role}"
        for role in (
            "initiator",
            "provider",
            "competitive_initiator",
            "competitive_provider",
            "competitive_provider_colluder",
            "buyer_rational",
            "seller_rational",
        )
    }
    assert len({preset(name) for name in presets()}) == 7
    assert "in private" in preset("bilateral_trade/competitive_provider_colluder")
    with pytest.raises(LookupError, match="bilateral_trade/initiator"):
        preset("bilateral_trade/pirate")
