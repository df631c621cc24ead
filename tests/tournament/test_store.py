import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from genius_py.errors import LogError, OptionError
from genius_py.formats import load, save
from genius_py.tournament import Plan, Results, plan_tournament, run_plan
from genius_py.tournament.play import play
from genius_py.tournament.played import log_lines
from genius_py.trace import parse_log
from tests.tournament.tournaments import DOMAIN, small

Player = Callable[..., Results]


def test_sessions_come_back_with_their_names(played: Player) -> None:
    results = played(domains=[DOMAIN], repetitions=1)
    sessions = list(results.sessions())
    assert len(sessions) == len(results) == 6
    assert [s.parties for s in sessions[:2]] == [("boulware", "conceder"), ("conceder", "boulware")]
    (again,) = play([next(iter(results.plan()))])
    first = sessions[0]
    assert first.utilities == again.utilities
    assert (first.reason, first.agreement, first.time) == (
        again.reason,
        again.agreement,
        again.time,
    )
    assert first.domain == DOMAIN


def test_rows_lie_in_the_order_of_the_plan_whatever_was_finished_first(
    played: Player, tmp_path: Path
) -> None:
    plan = plan_tournament(small())
    with Results(tmp_path / "shuffled.sqlite", create=True) as shuffled:
        registered = shuffled.register(plan)
        for block in reversed(list(registered.blocks())):
            shuffled.add(play(block[::-1]))
        assert list(shuffled.sessions()) == list(played().sessions())


def test_what_is_stored_already_stays(played: Player) -> None:
    results = played(domains=[DOMAIN], repetitions=1)
    before = list(results.sessions())
    match = next(results.register(results.plan()).blocks())[0]
    (session,) = play([match])
    results.add([session._replace(rounds=99)])
    assert list(results.sessions()) == before


def test_a_batch_is_stored_as_a_whole_or_not_at_all(played: Player, tmp_path: Path) -> None:
    with Results(tmp_path / "half.sqlite", create=True) as results:
        registered = results.register(plan_tournament(small()))
        batch = play(next(registered.blocks()))
        broken = batch[-1]._replace(reason=None)  # type: ignore[arg-type]
        with pytest.raises(sqlite3.IntegrityError):
            results.add([*batch[:-1], broken])
        assert len(results) == 0
        results.add(batch)
        assert len(results) == len(batch)


def test_a_full_disk_is_told_and_what_had_been_stored_stays(tmp_path: Path) -> None:
    with Results(tmp_path / "small.sqlite", create=True) as results:
        registered = results.register(plan_tournament(small(repetitions=20)))
        first, *others = registered.blocks()
        results.add(play(first))
        (pages,) = next(results.select("PRAGMA page_count"))
        next(results.select(f"PRAGMA max_page_count = {pages}"))
        batch = play([match for block in others for match in block])
        with pytest.raises(LogError, match=r"small.sqlite' cannot be written: .*full.* goes on"):
            results.add(batch)
        assert len(results) == len(first)
        next(results.select("PRAGMA max_page_count = 100000"))
        results.add(batch)
        assert len(results) == len(registered.plan)


def test_a_tournament_can_grow(played: Player, tmp_path: Path) -> None:
    results = played()
    before = {(s.parties, s.domain, s.repetition): s for s in results.sessions()}
    grown = plan_tournament(
        small(
            parties=["boulware", "conceder", "random", "linear"],
            domains=[DOMAIN, "random:issues=2,values=2", "company_car"],
            repetitions=3,
        )
    )
    run_plan(grown, results)
    after = {(s.parties, s.domain, s.repetition): s for s in results.sessions()}
    assert before.items() <= after.items()
    assert len(after) == len(grown)


@pytest.mark.parametrize(
    "changed",
    [
        {"parties": ["boulware", "conceder"]},
        {"domains": [DOMAIN]},
        {"repetitions": 1},
        {"seed": 2},
        {"deadlines": "6rounds"},
        {"faithful": True},
    ],
)
def test_a_file_holds_one_tournament(played: Player, changed: dict[str, object]) -> None:
    results = played()
    with pytest.raises(OptionError, match="other parties"):
        results.register(plan_tournament(small(**changed)))
    assert results.tournament == small()


def test_the_plan_comes_out_of_the_file_alone(tmp_path: Path, played: Player) -> None:
    domain = tmp_path / "own.yaml"
    save(load("company_car"), domain)
    results = played(domains=[str(domain)])
    domain.unlink()
    plan = results.plan()
    assert [m.seed for m in plan] == [
        m.seed for block in results.register(plan).blocks() for m in block
    ]
    assert plan.settings[0].scenario == load("company_car")


def test_logs_are_kept_when_wished(played: Player) -> None:
    results = played(logs=True, domains=[DOMAIN], repetitions=1)
    sessions = list(results.sessions())
    for session in sessions:
        log = results.log(session.key)
        assert log is not None
        outcome = parse_log(log_lines(log))
        assert tuple(outcome.utilities.values()) == session.utilities
    assert played("without.sqlite").log(sessions[0].key) is None


def test_versions_are_told(played: Player) -> None:
    (versions,) = played().versions
    assert versions.startswith("genius-py ")
    assert "numpy" in versions


def test_faults_come_with_their_session(played: Player, agent: Callable[..., str]) -> None:
    spec = agent("def choose_action(self, allowed):\n    raise ValueError('stuck')")
    results = played(parties=[spec, "boulware", "conceder"])
    for session in results.sessions():
        assert bool(session.faults) == (spec in session.parties)
        for fault in session.faults:
            assert session.parties[fault.seat - 1] == spec


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no results file"):
        Results(tmp_path / "absent.sqlite")
    with pytest.raises(OptionError, match="no folder"):
        Results(tmp_path / "absent" / "results.sqlite", create=True)
    text = tmp_path / "text.sqlite"
    text.write_text("no database at all, but a text that is long enough", encoding="utf-8")
    with pytest.raises(LogError, match="no results file"):
        Results(text, create=True)
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE about (what TEXT)")
    other.close()
    with pytest.raises(LogError, match="no results file"):
        Results(tmp_path / "other.sqlite", create=True)


def test_seats_of_all_sizes_share_a_file(played: Player) -> None:
    results = played(parties=["boulware", "random", "linear"], domains=[DOMAIN, "wind_farm"])
    assert {len(s.utilities) for s in results.sessions()} == {2, 3}
    assert {len(s.roles) for s in results.sessions()} == {2, 3}


def test_planned_is_not_played(plan: Callable[..., Plan], tmp_path: Path) -> None:
    with Results(tmp_path / "empty.sqlite", create=True) as results:
        with pytest.raises(LogError, match="no tournament"):
            _ = results.tournament
        results.register(plan())
        assert len(results) == 0
        assert results.seconds is None
