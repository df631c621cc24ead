import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genius_py.action import EndNegotiation
from genius_py.allowed import Allowed
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.report import page_data as module
from genius_py.report.page_data import SESSION, page_data
from genius_py.report.page_replays import STEP, Verbs, replay_data
from genius_py.report.page_spaces import PageSpaces, thinned
from genius_py.report.source import Reported, opened
from genius_py.session import Reply
from genius_py.tournament import Tournament, run_tournament
from tests.report.talking import NASTY


def data_of(reported: Reported, **settings: Any) -> dict[str, Any]:
    with opened(reported) as source:
        return page_data(source, **settings)


def session_rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [dict(zip(SESSION, row, strict=True)) for row in data["sessions"]]


@pytest.fixture(scope="module")
def data(results_file: Path) -> dict[str, Any]:
    return data_of(results_file)


def test_the_title_says_who_and_what_unless_one_is_given(results_file: Path) -> None:
    assert data_of(results_file)["title"] == "4 parties on 2 domains"
    one = run("SAOP", "flour_supply", parties=["boulware", "linear"], deadline=3)
    assert data_of(one)["title"] in (
        "boulware and linear on flour_supply",
        "linear and boulware on flour_supply",
    )
    assert data_of(one, title="Mine")["title"] == "Mine"


def test_the_leaderboard_is_that_of_the_ranking_with_its_intervals(data: dict[str, Any]) -> None:
    rows = [dict(zip(module.STANDING, row, strict=True)) for row in data["standings"][""]]
    assert [row["party"] for row in rows] == [0, 1, 2, 3]
    assert all(row["low"] <= row["utility"] <= row["high"] for row in rows)
    assert data["intervals"].startswith("Intervals are over 2 domains; ")
    assert data["standings"].keys() == {"", "0", "1"}
    assert len(data["comparisons"]) == 6


def test_every_session_leads_to_its_space_its_agreement_and_its_steps(
    data: dict[str, Any],
) -> None:
    rows = session_rows(data)
    assert len(rows) == 48
    for row in rows:
        space, replay = data["spaces"][row["space"]], data["replays"][row["replay"]]
        assert replay["space"] == row["space"]
        assert [seat[1] for seat in replay["seats"]] == list(row["roles"])
        if row["reason"] == "agreement":
            assert space["bids"][row["bid"]][-2:] == pytest.approx(row["utilities"])
        else:
            assert row["bid"] == -1


def test_sessions_of_one_domain_share_a_space_whoever_sits_there(data: dict[str, Any]) -> None:
    assert [space["name"] for space in data["spaces"]] == [
        "flour_supply",
        "integrative_negotiations",
    ]
    assert data["spaces"][0]["size"] == "960"
    assert len(data["spaces"][0]["points"]) % 2 == 0


def test_faults_name_their_session_and_party(data: dict[str, Any]) -> None:
    assert len(data["faults"]) == data["totals"]["faults"] == 6
    for session, party, seat, _, during, reason, is_fatal in data["faults"]:
        assert session_rows(data)[session]["parties"][seat - 1] == party
        assert data["parties"][party].endswith("talker.py:Talker")
        assert (during, reason) == ("choose_action", "raised ValueError: ran out of <words>")
        assert not is_fatal


def test_curves_are_known_for_all_domains_and_for_each(data: dict[str, Any]) -> None:
    assert data["concessions"].keys() == {"", "0", "1"}
    assert sorted(party for party, _ in data["concessions"][""]) == [0, 1, 2, 3]


def test_no_more_sessions_can_be_replayed_than_asked_for_and_faulty_ones_come_first(
    results_file: Path,
) -> None:
    data = data_of(results_file, most_replays=8)
    replayed = [row for row in session_rows(data) if row["replay"] >= 0]
    assert len(replayed) == len(data["replays"]) == 8
    assert sum(row["faults"] > 0 for row in replayed) == 6
    assert {row["repetition"] for row in replayed if not row["faults"]} == {0}


def test_what_can_be_replayed_is_bounded_in_bytes(
    results_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_BYTES", 20_000)
    replays = data_of(results_file)["replays"]
    size = len(json.dumps(replays, ensure_ascii=False).encode("utf-8", "replace"))
    assert 0 < size < 20_000 + size / len(replays) * 3


def test_scenarios_drawn_for_each_session_have_spaces_of_their_own(tmp_path: Path) -> None:
    tournament = Tournament(
        parties=["boulware", "conceder"],
        domains=["random:issues=2,values=3"],
        deadlines="4rounds",
        repetitions=2,
    )
    run_tournament(tournament, tmp_path / "drawn.sqlite", logs=True)
    data = data_of(tmp_path / "drawn.sqlite")
    assert [row["space"] for row in session_rows(data)] == [0, 1, 2, 3]
    run_tournament(tournament, tmp_path / "bare.sqlite")
    bare = data_of(tmp_path / "bare.sqlite")
    assert [row["space"] for row in session_rows(bare)] == [-1] * 4
    assert bare["replays"] == []
    assert bare["concessions"] == {"": [], "0": []}


def test_where_the_rules_decide_what_everybody_gets_no_bids_are_drawn() -> None:
    data = data_of(run("sealed_bid_auction", "ad_slot", deadline=2))
    assert data["spaces"][0]["points"] is None
    assert session_rows(data)[0]["reason"] == "agreement"


def test_a_space_that_cannot_be_listed_shows_some_bids_and_its_size_in_words() -> None:
    data = data_of(run("SAOP", "random:issues=40,values=10,parties=2,seed=1", deadline=2))
    (space,) = data["spaces"]
    assert space["size"] == "about 10^40"
    assert not space["is_listed"]
    assert 100 < len(space["points"]) / 2 <= 1500


def replayed(outcome: Outcome) -> tuple[list[dict[str, Any]], list[Any], list[str]]:
    """The steps with names, the seats, and the words for what is done."""
    spaces, verbs = PageSpaces(), Verbs()
    place = spaces.place("it", outcome.plan.scenario, [s.role for s in outcome.plan.parties])
    told: dict[str, Any] = replay_data(outcome, spaces, place, verbs)
    steps: list[dict[str, Any]] = [dict(zip(STEP, step, strict=False)) for step in told["steps"]]
    return steps, told["seats"], verbs.names


def test_steps_tell_what_was_done_with_its_move_message_and_notes(results_file: Path) -> None:
    with opened(results_file) as source:
        sessions = [s for s in source.sessions() if s.parties[0].endswith("Talker")]
        outcome = source.outcome(sessions[0])
    assert outcome is not None
    steps, seats, verbs = replayed(outcome)
    assert [verbs[step["verb"]] for step in steps[:4]] == ["inform", "inform", "note", "offer"]
    assert steps[0]["text"] == "NumberOfAgents: 2"
    assert steps[0]["seat"] == -1
    assert json.loads(steps[2]["text"]) == {"plan": "hold"}
    assert steps[3]["message"] == NASTY
    offers = [step for step in steps if verbs[step["verb"]] == "offer"]
    assert [step.get("move", "") for step in offers[:2]] == ["", ""]
    assert offers[3]["move"] in {"concession", "silent", "unfortunate"}
    assert verbs[steps[-1]["verb"]] == "end"
    assert seats[0][3] == 0


def test_a_mediator_has_a_seat_and_what_only_it_hears_says_so() -> None:
    outcome = run(
        "simple_mediator", "flour_supply", parties=["hill_climber", "hill_climber"], deadline=2
    )
    steps, seats, verbs = replayed(outcome)
    assert [seat[3] for seat in seats] == [1, 0, 0]
    votes = [step for step in steps if verbs[step["verb"]] == "vote for offer acceptance"]
    assert votes[0]["text"].endswith("; heard by mediator only")


def test_what_the_rules_tell_is_told_in_words() -> None:
    outcome = run("bilateral_trade", "translation_job", deadline=3)
    steps, _, verbs = replayed(outcome)
    assert verbs[steps[0]["verb"]] == "inform"
    assert steps[0]["text"].startswith("Trade: mode: full; my_role: initiator; ")
    assert "; providers: lingua, verbatim; " in steps[0]["text"]
    assert "; rounds (request: 2; negotiate: 8; " in steps[0]["text"]
    assert "'" not in steps[0]["text"]


def test_a_long_message_is_cut_and_says_so() -> None:
    class Chatter(NegotiationParty):
        def choose_action(self, allowed: Allowed) -> Reply:
            return Reply(EndNegotiation(self.id), "x" * 10_000)

    steps, _, _ = replayed(run("SAOP", "flour_supply", parties=[Chatter, "linear"], deadline=2))
    said = next(step["message"] for step in steps if step.get("message"))
    assert said.endswith("x... (6000 characters more)")
    assert len(said) < 4_100


def test_thinned_points_are_some_of_the_points_and_the_same_each_time() -> None:
    points = np.random.default_rng(1).random((5_000, 3))
    kept = thinned(points, 700)
    assert kept.shape == (700, 3)
    assert {tuple(point) for point in kept} <= {tuple(point) for point in points}
    assert np.array_equal(kept, thinned(points, 700))
    few = points[:20]
    assert np.array_equal(thinned(few, 700), few)
