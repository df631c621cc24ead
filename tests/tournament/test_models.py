"""Language models in a tournament: what asking them came to stands beside every score."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import ModelFailure
from genius_py.report.html import render_report
from genius_py.report.page_data import STANDING, page_data
from genius_py.report.source import opened
from genius_py.tournament import (
    Results,
    comparison,
    plan_tournament,
    rank,
    run_plan,
    to_csv,
    verdicts,
)
from genius_py.tournament.ranking import Standing
from genius_py.tournament.reproduction import reproduce
from tests.parties.scripted_model import offer, put_in_place

MODEL = "llm:fallback=boulware,model=script,talk=True"
BOTS = ["boulware", "conceder"]
HARDLY = json.dumps({**json.loads(offer(35_000)), "message": "I pay 41,000 at most."})
"""What both roles may say: worth much to the buyer, nothing to the seller; it tells a limit."""


class Played:
    """One repetition on the company car: four sessions with the model, two without."""

    def __init__(self, path: Path, script: list[str | ModelFailure]) -> None:
        self.results = Results(path, create=True)
        tournament = comparison([MODEL], BOTS, ["company_car"], deadline="3rounds")
        run_plan(plan_tournament(tournament), self.results, logs=True)

    def standing(self, party: str) -> Standing:
        (found,) = [s for s in rank(self.results).standings if s.party == party]
        return found


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Played]]:
    """Play with a model that says this."""
    opened_: list[Played] = []

    def played(*script: str | ModelFailure) -> Played:
        put_in_place(monkeypatch, script)
        opened_.append(Played(tmp_path / f"{len(opened_)}.sqlite", list(script)))
        return opened_[-1]

    yield played
    for one in opened_:
        one.results.close()


# The four sessions go in lockstep. As the buyer the model is asked the same in two of them, which
# is asked once; then come the sellers, and then the one of them whose reply was refused.
SOME = [HARDLY, "no", HARDLY, "no", HARDLY]


def test_every_session_keeps_what_each_seat_asked(play: Callable[..., Played]) -> None:
    results = play(*SOME).results
    asked = [session for session in results.sessions() if MODEL in session.parties]
    assert len(asked) == 4
    for session in asked:
        ((seat, counts),) = session.models
        assert session.parties[seat - 1] == MODEL
        assert counts.turns > 0
    assert sum(session.models[0].counts.fallbacks for session in asked) == 1
    assert all(session.models == () for session in results.sessions() if session not in asked)


def test_the_leaderboard_has_scores_with_and_without_sessions_that_needed_the_fallback(
    play: Callable[..., Played],
) -> None:
    played = play(*SOME)
    standing = played.standing(MODEL)
    alone: list[float] = []
    aided: list[float] = []
    for session in played.results.sessions():
        for seat, counts in session.models:
            (aided if counts.fallbacks else alone).append(session.utilities[seat - 1])
    assert (len(alone), len(aided)) == (3, 1)
    assert standing.sessions == 4
    assert standing.utility == pytest.approx(sum(alone + aided) / 4)
    assert standing.unaided == 3
    assert standing.unaided_utility == pytest.approx(sum(alone) / 3)
    assert standing.models is not None
    assert (standing.models.fallbacks, standing.models.unreadable) == (1, 2)
    assert standing.models.leaks > 0
    assert standing.models.refused == pytest.approx(2 / standing.models.replies)


def test_bots_ask_nobody_and_know_which_of_their_sessions_were_spoilt(
    play: Callable[..., Played],
) -> None:
    played = play(*SOME)
    for bot in BOTS:
        assert played.standing(bot).models is None
    assert sorted(played.standing(bot).unaided for bot in BOTS) == [3, 4]


def test_a_verdict_says_what_is_left_without_such_pairs(play: Callable[..., Played]) -> None:
    one, other = verdicts(play(*SOME).results, [MODEL], BOTS)
    assert {one.aided, other.aided} == {0, 1}
    for verdict in (one, other):
        if verdict.aided:
            assert verdict.unaided_difference is None
            assert str(verdict).endswith("In every pair a fallback played for a model.")
        else:
            assert verdict.unaided_difference == verdict.difference
            assert "fallback" not in str(verdict).partition(" and ")[2]


def test_a_session_whose_model_failed_is_not_scored_and_its_counts_are_known(
    play: Callable[..., Played],
) -> None:
    standing = play(HARDLY, ModelFailure("server down (500)"), HARDLY).standing(MODEL)
    assert (standing.sessions, standing.unscored) == (3, 1)
    assert standing.models is not None
    assert standing.models.turns > standing.models.replies


def test_what_was_counted_is_exported(play: Callable[..., Played], tmp_path: Path) -> None:
    to_csv(play(*SOME).results, tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    asked = [json.loads(row["models"]) for row in rows if row["models"]]
    assert len(asked) == 4
    assert asked[0][0].keys() >= {"seat", "turns", "replies", "fallbacks", "leaks"}


def test_sessions_that_failed_are_forgotten_with_their_counts(play: Callable[..., Played]) -> None:
    results = play(HARDLY, ModelFailure("server down"), HARDLY).results
    ((before,),) = results.select("SELECT count(*) FROM model")
    assert results.forget_failed() == 1
    ((after,),) = results.select("SELECT count(*) FROM model")
    assert (before, after) == (4, 3)


def test_counts_are_reproduced(play: Callable[..., Played]) -> None:
    results = play(HARDLY).results
    assert reproduce(results).differing == 0


def test_the_page_has_it_for_who_asks_a_model(play: Callable[..., Played]) -> None:
    results = play(*SOME).results
    with opened(results) as source:
        data: dict[str, Any] = page_data(source)
    for rows in data["standings"].values():
        for row in rows:
            told = dict(zip(STANDING, row, strict=True))
            is_model = data["parties"][told["party"]] == MODEL
            assert (told["fallbacks"] == 1) == is_model
            assert (told["leaks"] is None) != is_model
    assert '"Fallback turns"' in render_report(results)


def test_a_report_on_outcomes_counts_too(play: Callable[..., Played]) -> None:
    results = play(*SOME).results
    with opened(results) as source:
        outcomes = [source.outcome(session) for session in source.sessions()]
    with opened([outcome for outcome in outcomes if outcome is not None]) as source:
        again = [session.models for session in source.sessions()]
    assert again == [session.models for session in results.sessions()]
