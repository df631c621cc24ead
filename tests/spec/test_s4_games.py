"""The game layer: statements S4.1 to S4.20."""

import ast
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import genius_py.fronts.gametheory as gametheory
from genius_py.fronts.gametheory import Event, Game, InMemoryTransport, Outcome, Session, replay
from genius_py.fronts.gametheory.adapters.langgraph import build_graph, outcome_node, player_node
from genius_py.fronts.gametheory.types import GameError, InvalidAction, NotResolved, Observation
from tests.spec.games import always, compute_auction, dilemma, haggling, tournament

HOME = Path(gametheory.__file__).parent


def pair(actions: Any = ("x", "y"), **settings: Any) -> Game:
    """A game of a and b in which everybody who acts is paid 1."""
    game = Game(["a", "b"], actions, **settings)
    game.payoff(lambda acted: dict.fromkeys(acted, 1.0))
    return game


def events(session: Session) -> list[Event]:
    assert isinstance(session.transport, InMemoryTransport)
    return session.transport.events


def watched(game: Game, player: str, action: Any = "x") -> list[Observation]:
    """What a player's strategy gets to see; it always does the same."""
    seen: list[Observation] = []

    @game.strategy(player)
    def watch(observation: Observation) -> Any:
        seen.append(observation)
        return action

    return seen


def test_s4_1_the_public_names() -> None:
    assert gametheory.__all__ == [
        "Event",
        "Game",
        "InMemoryTransport",
        "Outcome",
        "Session",
        "replay",
    ]
    assert issubclass(InvalidAction, GameError)
    assert issubclass(NotResolved, GameError)


def test_s4_2_a_game_may_be_played_in_many_sessions() -> None:
    game = dilemma()
    one, other = Session(game), Session(game)
    for session, move in ((one, "cooperate"), (other, "defect")):
        for player in game.players:
            session.submit(player, move)
        session.resolve()
    assert one.utilities == {"alice": 3, "bob": 3}
    assert other.utilities == {"alice": 1, "bob": 1}


def test_s4_2_payoff_and_strategy_decorate_and_can_be_called() -> None:
    game = Game(["a"], ["x"])

    def payoff(actions: dict[str, Any]) -> dict[str, float]:
        return {"a": 2.0}

    def strategy(seen: Observation) -> str:
        return "x"

    assert game.payoff(payoff) is payoff
    assert game.strategy("a")(strategy) is strategy
    assert Session(game).run()[0].payoffs == {"a": 2.0}


def test_s4_2_actions_are_listed_or_a_function_says() -> None:
    even = pair(lambda player, action: action % 2 == 0 or player == "b")
    session = Session(even)
    session.submit("a", 2)
    session.submit("b", 3)
    with pytest.raises(InvalidAction, match="a cannot do 3"):
        session.submit("a", 3)


def test_s4_2_impossible_games_are_refused() -> None:
    for players, rounds in (([], 1), (["a", "a"], 1), (["a"], 0)):
        with pytest.raises(GameError):
            Game(players, ["x"], rounds=rounds)


@pytest.mark.parametrize(("player", "action"), [("carl", "x"), ("a", "z")])
def test_s4_3_unknown_players_and_actions_are_invalid(player: str, action: str) -> None:
    session = Session(pair())
    with pytest.raises(InvalidAction):
        session.submit(player, action)
    assert events(session) == []


def test_s4_3_submitting_gives_a_frozen_event() -> None:
    session = Session(pair())
    before = time.time()
    event = session.submit("a", "x", scope="sealed")
    assert (event.kind, event.round, event.player, event.payload, event.scope) == (
        "action",
        0,
        "a",
        "x",
        "sealed",
    )
    assert before <= event.ts <= time.time()
    assert events(session) == [event]
    with pytest.raises(AttributeError):
        event.player = "b"  # type: ignore[misc]


def test_s4_4_acting_again_replaces_the_action_but_not_the_event() -> None:
    session = Session(pair())
    for action in ("x", "y"):
        session.submit("a", action)
    session.submit("b", "x")
    assert session.resolve().actions == {"a": "y", "b": "x"}
    assert [event.payload for event in events(session) if event.player == "a"] == ["x", "y"]


def test_s4_5_all_must_have_acted() -> None:
    session = Session(pair())
    session.submit("a", "x")
    with pytest.raises(NotResolved, match="so far have acted: a"):
        session.resolve()
    session.submit("b", "x")
    assert session.resolve().payoffs == {"a": 1.0, "b": 1.0}


def test_s4_5_any_may_have_acted() -> None:
    session = Session(pair(resolves_when="any_acted"))
    with pytest.raises(NotResolved):
        session.resolve()
    session.submit("b", "x")
    assert session.resolve().actions == {"b": "x"}


def test_s4_5_a_timeout_needs_a_deadline() -> None:
    session = Session(pair(resolves_when="timeout"))
    session.submit("a", "x")
    with pytest.raises(GameError, match="needs resolve"):
        session.resolve()
    with pytest.raises(NotResolved):
        session.resolve(deadline=time.time() + 60)
    assert session.resolve(deadline=time.time() - 1).actions == {"a": "x"}


def test_s4_5_a_predicate_looks_at_the_standing_actions() -> None:
    session = Session(pair(resolves_when=lambda standing: standing.get("b") == "y"))
    for player in "ab":
        session.submit(player, "x")
    with pytest.raises(NotResolved):
        session.resolve()
    session.submit("b", "y")
    assert session.resolve().actions == {"a": "x", "b": "y"}


def test_s4_5_unknown_rules_and_missing_payoffs_are_errors() -> None:
    unknown = Session(pair(resolves_when="when_it_rains"))
    with pytest.raises(GameError, match="no rule 'when_it_rains'"):
        unknown.resolve()
    unpaid = Session(Game(["a"], ["x"]))
    unpaid.submit("a", "x")
    with pytest.raises(GameError, match="no payoff"):
        unpaid.resolve()


def test_s4_6_utilities_are_running_sums() -> None:
    session = Session(dilemma(rounds=2))
    assert session.utilities == {"alice": 0.0, "bob": 0.0}
    for moves in (("defect", "cooperate"), ("defect", "defect")):
        for player, move in zip(("alice", "bob"), moves, strict=True):
            session.submit(player, move)
        session.resolve()
    assert session.utilities == {"alice": 6, "bob": 1}
    assert session.history == [
        Outcome(0, {"alice": "defect", "bob": "cooperate"}, {"alice": 5, "bob": 0}),
        Outcome(1, {"alice": "defect", "bob": "defect"}, {"alice": 1, "bob": 1}),
    ]


def test_s4_6_a_payoff_for_somebody_else_is_kept_too() -> None:
    session = Session(compute_auction())
    session.run()
    assert session.utilities == {"gpu": 20.0, "desk": 0.0, "slow": 0.0, "scheduler": -50.0}


def test_s4_7_cooperating_against_a_defector_pays_nothing() -> None:
    session = Session(dilemma(), transport=InMemoryTransport())
    session.submit("alice", "cooperate", scope="sealed")
    session.submit("bob", "defect", scope="sealed")
    assert session.resolve().payoffs == {"alice": 0, "bob": 5}


def test_s4_7_tit_for_tat_against_a_defector_in_five_rounds() -> None:
    session = Session(tournament())
    assert len(session.run()) == 5
    assert session.utilities == {"alice": 4, "bob": 9}


@pytest.mark.parametrize(
    ("scope", "at_once", "afterwards"),
    [("public", True, True), ("sealed", False, True), ("private", False, False)],
)
def test_s4_8_who_sees_an_action_when(scope: Any, at_once: bool, afterwards: bool) -> None:
    game = pair(rounds=2)
    seen = watched(game, "b")
    session = Session(game)
    session.submit("a", "y", scope=scope)
    session.step()
    session.submit("a", "x")
    session.step()
    assert ("a" in seen[0]["visible_actions"]) is at_once
    assert ("a" in seen[1]["history"][0].actions) is afterwards
    assert session.history[0].actions == {"a": "y", "b": "x"}
    # What a private action paid is no secret.
    assert seen[1]["history"][0].payoffs == {"a": 1.0, "b": 1.0}


@pytest.mark.parametrize("scope", ["public", "sealed", "private"])
def test_s4_8_the_own_action_is_always_visible(scope: Any) -> None:
    game = pair(resolves_when=lambda standing: False, rounds=3)
    seen = watched(game, "a")
    session = Session(game)
    session.submit("a", "y", scope=scope)
    session.step()
    session.step()
    assert seen[0]["visible_actions"] == {"a": "y"}


def test_s4_8_subscribers_see_private_actions() -> None:
    transport, told = InMemoryTransport(), list[Event]()
    transport.subscribe(told.append)
    session = Session(pair(), transport)
    session.submit("a", "x", scope="private")
    assert told == transport.events


def test_s4_9_an_unknown_scope_is_invalid() -> None:
    game = pair()
    with pytest.raises(InvalidAction, match="no scope 'secret'"):
        Session(game).submit("a", "x", scope="secret")  # type: ignore[arg-type]
    with pytest.raises(InvalidAction, match="no scope 'secret'"):
        game.strategy("a", scope="secret")  # type: ignore[arg-type]


def test_s4_10_the_keys_of_an_observation() -> None:
    game = pair()
    seen = watched(game, "b")
    session = Session(game)
    session.submit("a", "y")
    session.step()
    assert seen == [{"round": 0, "history": [], "visible_actions": {"a": "y"}, "self": "b"}]


def test_s4_11_strategies_are_asked_in_order_and_see_what_is_public() -> None:
    game = pair()
    first, second = watched(game, "a"), watched(game, "b")
    Session(game).step()
    assert first[0]["visible_actions"] == {}
    assert second[0]["visible_actions"] == {"a": "x"}


def test_s4_11_who_has_acted_is_not_asked() -> None:
    game = pair()
    seen = watched(game, "a")
    always(game, b="y")
    session = Session(game)
    session.submit("a", "y")
    outcome = session.step()
    assert seen == []
    assert outcome is not None
    assert outcome.actions == {"a": "y", "b": "y"}


def test_s4_11_unresolved_rounds_pass_and_actions_stand() -> None:
    game = pair(rounds=3)
    seen = watched(game, "a")
    session = Session(game)
    assert session.step() is None
    assert session.round == 1
    assert session.step() is None
    assert seen[1]["visible_actions"] == {"a": "x"}
    session.submit("b", "y")
    outcome = session.step()
    assert outcome == Outcome(2, {"a": "x", "b": "y"}, {"a": 1.0, "b": 1.0})


def test_s4_12_the_last_round_is_resolved_whoever_has_acted() -> None:
    session = Session(pair(rounds=2))
    assert session.step() is None
    assert session.step() == Outcome(1, {}, {})


def deal_in_round_2(rounds: int = 5) -> Game:
    game = pair(resolves_when=lambda standing: standing.get("b") == "y", rounds=rounds)
    game.strategy("a")(lambda seen: "x")
    game.strategy("b")(lambda seen: "y" if seen["round"] >= 2 else "x")
    return game


def test_s4_12_a_game_goes_on_after_it_was_resolved_early() -> None:
    assert [outcome.round for outcome in Session(deal_in_round_2()).run()] == [2, 3, 4]


def test_s4_12_unless_it_is_to_stop_then() -> None:
    session = Session(deal_in_round_2())
    assert [outcome.round for outcome in session.run(stop_on_resolve=True)] == [2]
    assert [outcome.round for outcome in session.run(stop_on_resolve=True)] == [3]


def test_s4_13_after_the_last_round_no_step_is_left() -> None:
    session = Session(always(pair(), a="x", b="y"))
    session.run()
    for play_on in (session.step, session.run):
        with pytest.raises(GameError, match="All 1 rounds have been played"):
            play_on()


def test_s4_13_open_ended_sessions_go_on() -> None:
    session = Session(always(pair(), a="x", b="y"), open_ended=True)
    session.run()
    assert session.step() == Outcome(1, {"a": "x", "b": "y"}, {"a": 1.0, "b": 1.0})


def test_s4_13_a_referee_goes_on_in_any_case() -> None:
    session = Session(pair())
    for number in range(3):
        for player in "ab":
            session.submit(player, "x")
        assert session.resolve().round == number


def test_s4_14_a_replay_gives_the_history() -> None:
    for game in (tournament(), deal_in_round_2(), haggling(50, 45), compute_auction()):
        session = Session(game)
        session.run()
        assert replay(events(session)) == session.history


def test_s4_14_nothing_comes_of_nothing_and_of_what_was_not_resolved() -> None:
    session = Session(pair())
    assert replay(events(session)) == []
    session.submit("a", "x")
    assert replay(events(session)) == []


def test_s4_14_payoffs_are_read_not_computed() -> None:
    log = [
        Event("action", 0, "a", "x", "public", 1.0),
        Event("outcome", 0, "", {"a": 77.0}, "public", 2.0),
    ]
    assert replay(log) == [Outcome(0, {"a": "x"}, {"a": 77.0})]


def test_s4_14_events_of_different_times_differ_and_outcomes_do_not() -> None:
    early = Event("action", 0, "a", "x", "public", 1.0)
    assert early != Event("action", 0, "a", "x", "public", 2.0)
    sessions = [Session(tournament()) for _ in range(2)]
    for session in sessions:
        session.run()
    assert sessions[0].history == sessions[1].history


def test_s4_15_actions_are_copied_when_they_are_submitted() -> None:
    game = pair(lambda player, action: True)
    session = Session(game)
    offer = {"price": 3}
    session.submit("a", offer)
    offer["price"] = 99
    session.submit("b", {})
    assert session.resolve().actions["a"] == {"price": 3}
    assert events(session)[0].payload == {"price": 3}


def test_s4_15_neither_payoff_nor_strategy_can_change_what_was_done() -> None:
    game = Game(["a", "b"], lambda player, action: True, rounds=2)

    @game.payoff
    def payoff(actions: dict[str, Any]) -> dict[str, float]:
        actions["a"]["price"] = 99
        actions.clear()
        return {"a": 1.0}

    @game.strategy("b")
    def meddler(seen: Observation) -> str:
        seen["visible_actions"].get("a", {})["price"] = 99
        for outcome in seen["history"]:
            outcome.actions["a"]["price"] = 99
            outcome.payoffs["a"] = 99.0
        return "done"

    game.strategy("a")(lambda seen: {"price": 3})
    session = Session(game)
    session.run()
    assert [outcome.actions["a"] for outcome in session.history] == [{"price": 3}] * 2
    assert [outcome.payoffs for outcome in session.history] == [{"a": 1.0}] * 2


def test_s4_16_a_subscriber_that_raises_disturbs_nobody(caplog: pytest.LogCaptureFixture) -> None:
    transport, told = InMemoryTransport(), list[Event]()

    def broken(event: Event) -> None:
        raise RuntimeError("no")

    transport.subscribe(broken)
    transport.subscribe(told.append)
    session = Session(pair(), transport)
    assert session.submit("a", "x") in told
    assert "Subscriber" in caplog.text


def test_s4_16_a_subscriber_can_leave() -> None:
    transport, told = InMemoryTransport(), list[Event]()
    leave = transport.subscribe(told.append)
    session = Session(pair(), transport)
    session.submit("a", "x")
    leave()
    session.submit("b", "x")
    assert [event.player for event in told] == ["a"]


def test_s4_17_sessions_on_threads_do_not_mix() -> None:
    sessions = {}

    def play(move: str) -> None:
        game = Game(["a", "b"], ["kind", "mean"], rounds=50)
        game.payoff(lambda did: {p: {"kind": 3.0, "mean": 5.0}[m] for p, m in did.items()})
        sessions[move] = Session(always(game, a=move, b=move))
        sessions[move].run()

    threads = [threading.Thread(target=play, args=(move,)) for move in ("kind", "mean")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sessions["kind"].utilities == {"a": 150.0, "b": 150.0}
    assert sessions["mean"].utilities == {"a": 250.0, "b": 250.0}


def test_s4_17_a_session_starts_no_thread() -> None:
    before = threading.active_count()
    Session(tournament()).run()
    assert threading.active_count() == before


def test_s4_18_the_log_is_the_record_that_others_can_follow() -> None:
    transport, lines = InMemoryTransport(), list[str]()
    transport.subscribe(lambda e: lines.append(f"{e.kind} r{e.round} {e.player}: {e.payload}"))
    session = Session(dilemma(), transport)
    session.submit("alice", "defect")
    session.submit("bob", "defect")
    session.resolve()
    assert lines == [
        "action r0 alice: defect",
        "action r0 bob: defect",
        "outcome r0 : {'alice': 1, 'bob': 1}",
    ]


def test_s4_18_nodes_work_without_langgraph() -> None:
    session = Session(dilemma())
    state: dict[str, Any] = {"actions": {"alice": "cooperate", "bob": "defect"}, "note": "kept"}
    for node in (*(player_node(session, p) for p in ("alice", "bob")), outcome_node(session)):
        state = node(state)
    assert state["outcome"].payoffs == {"alice": 0, "bob": 5}
    assert state["note"] == "kept"


def test_s4_18_a_node_may_ask_the_players_strategy() -> None:
    session = Session(tournament())
    for player in ("alice", "bob"):
        player_node(session, player)({})
    assert outcome_node(session)({})["outcome"].actions == {"alice": "cooperate", "bob": "defect"}
    with pytest.raises(GameError, match="alice has no strategy"):
        player_node(Session(dilemma()), "alice")({})


def test_s4_18_without_langgraph_building_a_graph_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "langgraph.graph", None)
    with pytest.raises(ImportError, match=r"genius-py\[langgraph\]"):
        build_graph(Session(dilemma()))


def test_s4_18_a_graph_plays_a_round_with_the_real_langgraph() -> None:
    pytest.importorskip("langgraph", reason="the extra langgraph is not installed")
    session = Session(tournament(rounds=2))
    graph = build_graph(session)
    assert set(graph.get_graph().nodes) == {"__start__", "alice", "bob", "outcome", "__end__"}
    first = graph.invoke({"actions": {"alice": "defect", "bob": "cooperate"}, "note": "kept"})
    assert first["outcome"].payoffs == {"alice": 5, "bob": 0}
    assert first["note"] == "kept"
    assert {event.scope for event in events(session) if event.player} == {"sealed"}
    second = graph.invoke({"actions": {}})
    assert second["outcome"].actions == {"alice": "cooperate", "bob": "defect"}


def test_s4_19_the_dilemma_pays_what_its_table_says() -> None:
    for moves, paid in (
        (("cooperate", "cooperate"), (3, 3)),
        (("defect", "cooperate"), (5, 0)),
        (("defect", "defect"), (1, 1)),
    ):
        session = Session(dilemma())
        for player, move in zip(("alice", "bob"), moves, strict=True):
            session.submit(player, move, scope="sealed")
        assert tuple(session.resolve().payoffs.values()) == paid


@pytest.mark.parametrize(
    ("buyer_floor", "seller_floor", "deal"),
    [
        # 70, 70, 55, 55 by turns; the buyer, who would ask for 40 next, takes the 45 left for it.
        (40, 40, Outcome(4, {"buyer": "accept", "seller": 55}, {"buyer": 45, "seller": 55})),
        # Its floor makes it ask for 50 instead, and the seller takes the other half.
        (50, 45, Outcome(5, {"buyer": 50, "seller": "accept"}, {"seller": 50, "buyer": 50})),
    ],
)
def test_s4_19_buyer_and_seller_split_the_surplus_in_alternating_offers(
    buyer_floor: int, seller_floor: int, deal: Outcome
) -> None:
    session = Session(haggling(buyer_floor, seller_floor))
    assert session.run(stop_on_resolve=True) == [deal]


def test_s4_19_a_breakdown_costs_both() -> None:
    session = Session(haggling(60, 60))
    assert [outcome.payoffs for outcome in session.run()] == [{"buyer": -5.0, "seller": -5.0}]


@pytest.mark.parametrize(
    ("bids", "gains"),
    [
        ({}, {"gpu": 20.0, "desk": 0.0, "slow": 0.0}),
        ({"gpu": 60.0}, {"gpu": 0.0, "desk": 10.0, "slow": 0.0}),
        ({"slow": 10.0}, {"gpu": 0.0, "desk": 0.0, "slow": -50.0}),
    ],
    ids=["honest", "overbidding loses the job", "lowballing wins it at a loss"],
)
def test_s4_19_the_reverse_vickrey_auction_of_a_job(
    bids: dict[str, float], gains: dict[str, float]
) -> None:
    session = Session(compute_auction(**bids))
    session.run()
    price = -session.utilities.pop("scheduler")
    assert session.utilities == gains
    assert price == sorted({"gpu": 30.0, "desk": 50.0, "slow": 80.0, **bids}.values())[1]


def test_s4_20_submit_defaults_to_public() -> None:
    assert Session(pair()).submit("a", "x").scope == "public"


def test_s4_20_resolving_publishes_an_outcome() -> None:
    session = Session(pair(resolves_when="timeout"))
    session.resolve(deadline=0.0)
    (event,) = events(session)
    assert (event.kind, event.round, event.player, event.payload) == ("outcome", 0, "", {})


@pytest.mark.parametrize(
    "module", ["types.py", "core.py", "transport.py", "replay.py", "__init__.py"]
)
def test_s4_20_the_core_imports_the_standard_library_only(module: str) -> None:
    tree = ast.parse((HOME / module).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            named = [str(node.module)]
        else:
            continue
        assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names


def test_s4_20_it_works_where_nothing_else_is_installed(tmp_path: Path) -> None:
    (tmp_path / "gametheory").symlink_to(HOME, target_is_directory=True)
    code = (
        "import gametheory, sys; from gametheory.adapters import langgraph; "
        "assert not {'genius_py', 'attrs', 'numpy'} & set(sys.modules)"
    )
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import sys; sys.path.append({str(tmp_path)!r}); ",
    ]
    command[-1] += code
    subprocess.run(command, check=True)
