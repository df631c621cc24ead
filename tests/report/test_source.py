import json
import sqlite3
from pathlib import Path

import pytest

from genius_py.errors import LogError, OptionError
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.parties.scripted import Scripted
from genius_py.report.source import opened
from genius_py.scenario import Scenario
from genius_py.tournament import Results
from genius_py.trace import write_log


def outcome(seed: int = 0, **settings: object) -> Outcome:
    return run("SAOP", "flour_supply", deadline=6, seed=seed, **settings)  # type: ignore[arg-type]


def test_a_results_file_is_told_by_its_content_whatever_its_name(results_file: Path) -> None:
    with opened(results_file) as source:
        sessions = list(source.sessions())
        assert len(sessions) == 48
        assert source.about["domains"] == ["flour_supply", "integrative_negotiations"]
        found = source.outcome(sessions[5])
        assert found is not None
        assert tuple(found.utilities.values()) == sessions[5].utilities
        assert source.scenario(sessions[5]) == found.plan.scenario
        assert source.ranking() is not None


def test_an_open_results_file_stays_open(results_file: Path) -> None:
    with Results(results_file) as results:
        with opened(results) as source:
            next(source.sessions())
        assert len(results) == 48


def test_outcomes_are_told_like_the_sessions_of_a_results_file(results_file: Path) -> None:
    with Results(results_file) as results:
        stored = list(results.sessions())
        with opened(results) as source:
            outcomes = [found for found in map(source.outcome, stored) if found is not None]
    with opened(outcomes) as source:
        told = list(source.sessions())
    for ours, theirs in zip(told, stored, strict=True):
        assert ours._replace(key=theirs.key) == theirs


def test_a_log_and_an_outcome_can_be_reported_on_together(tmp_path: Path) -> None:
    write_log(outcome(1), tmp_path / "one.jsonl")
    with opened([tmp_path / "one.jsonl", outcome(2)]) as source:
        assert [session.repetition for session in source.sessions()] == [0, 1]
        assert source.about["seed"] == "1 to 2"
        assert source.ranking() is None


def test_other_scenarios_of_the_same_name_are_other_domains() -> None:
    known = outcome()
    profiles = known.plan.scenario.profiles
    turned = Scenario(
        known.plan.scenario.domain, {role: profiles[role] for role in reversed([*profiles])}
    )
    other = run("SAOP", turned, deadline=6)
    with opened([known, other, outcome()]) as source:
        assert [session.domain for session in source.sessions()] == [
            "flour_supply",
            "flour_supply (2)",
            "flour_supply",
        ]


def test_a_session_that_failed_for_good_is_not_scored() -> None:
    with opened(outcome(parties=[lambda: Scripted("@ThrowInInit; Offer 0"), "linear"])) as source:
        (session,) = source.sessions()
    assert not session.is_scored
    assert session.faults[0].is_fatal
    assert session.distance_to_pareto is None


def test_agreements_are_json() -> None:
    found = outcome(parties=["accepting", "accepting"])
    with opened(found) as source:
        (session,) = source.sessions()
    assert session.agreement is not None
    assert found.agreement is not None
    assert dict(found.agreement) == json.loads(session.agreement)


@pytest.mark.parametrize("reported", [[], ()])
def test_nothing_cannot_be_reported_on(reported: list[Outcome]) -> None:
    with pytest.raises(OptionError, match="no session to report on"), opened(reported):
        pass


def test_a_results_file_is_reported_on_alone(results_file: Path) -> None:
    with (
        pytest.raises(OptionError, match="reported on alone"),
        opened([results_file, outcome()]),
    ):
        pass


def test_a_tournament_of_which_nothing_was_played_is_refused(tmp_path: Path) -> None:
    Results(tmp_path / "new.sqlite", create=True).close()
    with (
        pytest.raises(OptionError, match="no finished session yet"),
        opened(tmp_path / "new.sqlite"),
    ):
        pass


def test_what_is_neither_a_log_nor_results_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("hello\n")
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE t (x)").connection.close()
    for name in ("other.txt", "other.db", "missing"):
        with pytest.raises(LogError, match=name), opened(tmp_path / name):
            pass
