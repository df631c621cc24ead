import sqlite3
from collections.abc import Callable
from pathlib import Path

from genius_py.tournament import Results, plan_tournament, reproduce, run_plan
from genius_py.tournament.plan import source_digest
from tests.tournament.tournaments import DOMAIN, small

Player = Callable[..., Results]


def test_a_tournament_comes_out_the_same(played: Player) -> None:
    found = reproduce(played())
    assert (found.compared, found.differing) == (24, 0)
    assert found.stored_with == found.played_with


def test_one_that_grew_comes_out_the_same(played: Player) -> None:
    results = played(parties=["random", "boulware"], domains=[DOMAIN])
    run_plan(plan_tournament(small(repetitions=3)), results)
    assert reproduce(results).differing == 0


def test_an_unfinished_one_is_compared_as_far_as_it_goes(tmp_path: Path, played: Player) -> None:
    results = played()
    with sqlite3.connect(results.path) as db:
        db.execute("DELETE FROM session WHERE lineup = 2")
    db.close()
    found = reproduce(results)
    assert (found.compared, found.differing) == (20, 0)


def test_what_was_changed_is_shown(played: Player) -> None:
    results = played()
    with sqlite3.connect(results.path) as db:
        db.execute("UPDATE session SET utility_1 = 0.123 WHERE lineup = 1 AND setting = 1")
    db.close()
    found = reproduce(results)
    assert found.differing == 2
    told = str(found.differences[0])
    assert told.startswith(f"boulware - conceder on {DOMAIN}, repetition 0: utilities was (0.123")


def test_a_party_whose_file_changed_cannot_be_compared(
    played: Player, agent: Callable[..., str]
) -> None:
    results = played(parties=[agent("pass"), "random"], domains=[DOMAIN])
    agent("pass  # edited since")
    source_digest.cache_clear()
    found = reproduce(results)
    assert found.differing == found.compared == 4
    assert "has changed" in str(found.differences[0])
