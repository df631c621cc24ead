"""Games of the game layer, played by the engine: the same numbers, with its parties and logs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import OptionError
from genius_py.fronts.gametheory import Game, Session
from genius_py.fronts.gametheory.on_engine import play, scenario_of
from genius_py.fronts.gametheory.types import InvalidAction, Observation
from genius_py.issue import IntegerIssue, RealIssue
from genius_py.log import Reason
from genius_py.manager import run
from genius_py.testing import check_domain
from genius_py.trace import dump_log, parse_log, replay
from tests.spec.games import COSTS, always, compute_auction, dilemma, haggling, tournament


def priced(*players: str, high: float = 100) -> dict[str, Any]:
    """An issue of numbers for each player."""
    return {player: RealIssue(player, 0, high) for player in players}


def test_a_game_is_a_domain_whose_bids_are_joint_moves() -> None:
    scenario = scenario_of(dilemma(rounds=5), name="dilemma")
    assert scenario.roles == scenario.domain.issue_names == ("alice", "bob")
    joint = scenario.domain.bid(alice="cooperate", bob="defect")
    assert [scenario.profile(p).utility(joint) for p in scenario.roles] == [0, 5]
    check_domain(scenario)


def test_the_engine_plays_a_game_with_any_party() -> None:
    scenario = scenario_of(dilemma(rounds=5))
    outcome = run("normal_form", scenario, parties=["copycat", "grim_trigger"])
    assert outcome.utilities == {"alice": 15.0, "bob": 15.0}


def test_tit_for_tat_against_a_defector_in_five_rounds() -> None:
    outcome = play(tournament())
    assert outcome.utilities == {"alice": 4.0, "bob": 9.0}
    assert outcome.rounds == 5


def test_a_party_may_take_the_place_of_a_strategy() -> None:
    outcome = play(tournament(), {"bob": "constant:move=cooperate"})
    assert outcome.utilities == {"alice": 15.0, "bob": 15.0}


def test_the_log_of_a_table_game_can_be_written_and_replayed() -> None:
    outcome = play(tournament())
    assert replay(parse_log(list(dump_log(outcome)))).log == outcome.log


def test_strategies_see_on_the_engine_what_they_see_in_a_session() -> None:
    def watched(seen: list[Observation]) -> Game:
        game = tournament(rounds=3)

        @game.strategy("alice", scope="public")
        def alice(observation: Observation) -> str:
            seen.append(observation)
            return "cooperate"

        @game.strategy("bob", scope="public")
        def bob(observation: Observation) -> str:
            seen.append(observation)
            return "defect"

        return game

    here: list[Observation] = []
    there: list[Observation] = []
    Session(watched(here)).run()
    play(watched(there))
    assert there == here


@given(
    moves=st.lists(st.sampled_from(["cooperate", "defect"]), min_size=8, max_size=8),
    scope=st.sampled_from(["public", "sealed"]),
)
def test_session_and_engine_pay_the_same(moves: list[str], scope: Any) -> None:
    def scripted() -> Game:
        game = dilemma(rounds=4)
        for player, own in (("alice", moves[:4]), ("bob", moves[4:])):
            game.strategy(player, scope=scope)(lambda seen, own=own: own[seen["round"]])
        return game

    session = Session(scripted())
    session.run()
    assert play(scripted()).utilities == session.utilities


def test_alternating_offers_come_to_the_same_deal() -> None:
    issues = {player: IntegerIssue(player, -2, 100) for player in ("buyer", "seller")}
    words = {-1: "accept", -2: "wait"}
    for floors in ((40, 40), (50, 45), (60, 60)):
        session = Session(haggling(*floors))
        session.run(stop_on_resolve=True)
        outcome = play(_coded(haggling(*floors), words), issues=issues, stop_on_resolve=True)
        assert outcome.utilities == session.utilities
        assert outcome.rounds == session.round


def _coded(game: Game, words: dict[int, str]) -> Game:
    """The same game, in which words are numbers."""
    numbers = {word: number for number, word in words.items()}

    def decoded(actions: dict[str, Any]) -> dict[str, Any]:
        return {player: words.get(action, action) for player, action in actions.items()}

    coded = Game(
        game.players,
        lambda player, action: game.is_valid(player, words.get(action, action)),
        resolves_when=lambda standing: game.is_resolved(decoded(standing)),
        rounds=game.rounds,
    )
    coded.payoff(lambda actions: game.payoffs(decoded(actions)))
    for player, (strategy, scope) in game.strategies.items():

        def act(seen: Observation, strategy: Any = strategy) -> Any:
            visible = decoded(seen["visible_actions"])
            action = strategy({**seen, "visible_actions": visible})
            return numbers.get(action, action)

        coded.strategy(player, scope)(act)
    return coded


@pytest.mark.parametrize("bids", [{}, {"gpu": 60.0}, {"slow": 10.0}])
def test_the_job_auction_pays_the_same(bids: dict[str, float]) -> None:
    session = Session(compute_auction(**bids))
    session.run()
    outcome = play(compute_auction(**bids), issues=priced(*COSTS))
    assert outcome.utilities == {player: session.utilities[player] for player in COSTS}


def test_other_actions_than_texts_may_be_listed() -> None:
    game = Game(["a", "b"], [1, 2.5, ("up", 3)])
    game.payoff(lambda did: {p: float(did[p] == ("up", 3)) for p in did})
    outcome = play(always(game, a=("up", 3), b=2.5))
    assert outcome.utilities == {"a": 1.0, "b": 0.0}
    assert outcome.agreement is not None
    assert outcome.agreement["a"] == "('up', 3)"


def test_actions_that_read_the_same_cannot_be_told_apart() -> None:
    game = Game(["a"], [1, "1"])
    game.payoff(lambda did: {"a": 0.0})
    with pytest.raises(OptionError, match="read the same"):
        scenario_of(game)


def test_a_function_of_valid_actions_needs_issues() -> None:
    with pytest.raises(OptionError, match="The actions of gpu are not listed"):
        scenario_of(compute_auction())
    with pytest.raises(OptionError, match="The actions of desk are not listed"):
        scenario_of(compute_auction(), issues=priced("gpu"))


def test_the_function_still_decides_what_is_valid() -> None:
    game = Game(["a"], lambda player, action: action > 5)
    game.payoff(lambda did: {"a": float(did["a"])})
    outcome = play(always(game, a=3.0), issues=priced("a"))
    assert outcome.reason is Reason.FAULT
    assert "moved 3.0, which the game does not allow" in outcome.faults[0].reason


def test_somebody_must_move() -> None:
    with pytest.raises(OptionError, match="alice has no strategy"):
        play(dilemma())
    with pytest.raises(InvalidAction, match="'carl' does not play"):
        play(dilemma(), {"carl": "constant"})


def test_issues_bear_the_names_of_their_players() -> None:
    with pytest.raises(OptionError, match="an issue of this name"):
        scenario_of(compute_auction(), issues=dict.fromkeys(COSTS, RealIssue("bid", 0, 9)))
