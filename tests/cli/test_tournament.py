import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Genius = Callable[..., Result]

CONFIG = """\
domains: [company_car, "random:issues=2,values=3"]
parties: [boulware, random, "conceder:e=[2,3]"]
deadline: 10rounds
repetitions: 2
"""
WORK = 2 * 2 * 12


@pytest.fixture(autouse=True)
def config(tmp_path: Path) -> None:
    (tmp_path / "tournament.yaml").write_text(CONFIG, encoding="utf-8")


def play(genius: Genius, *more: str) -> Result:
    return genius("tournament", "tournament.yaml", "-o", "r.sqlite", "--workers", "1", *more)


def test_a_tournament_ends_with_a_leaderboard(genius: Genius) -> None:
    result = play(genius)
    assert result.exit_code == 0
    assert f"{WORK} of {WORK} sessions" in result.stderr
    assert f"{WORK} sessions in r.sqlite" in result.stdout
    for party in ("boulware", "random", "conceder:e=2", "conceder:e=3"):
        assert party in result.stdout
    assert "Intervals are over 2 domains; of so few they are too narrow." in result.stdout


@pytest.mark.parametrize(("repetitions", "is_enough"), [(6, False), (7, True)])
def test_pairs_are_listed_where_the_test_could_tell_them_apart(
    genius: Genius, repetitions: int, is_enough: bool
) -> None:
    """Of three pairs the smallest p-value counts threefold: 6 / 2^n is below 0.05 from n = 7 on."""
    config = f"""\
domains: ["random:issues=2,values=3"]
parties: [boulware, random, conceder]
deadline: 10rounds
repetitions: {repetitions}
"""
    Path("tournament.yaml").write_text(config, encoding="utf-8")
    shown = play(genius).stdout
    too_few = "the signed-rank test of 3 pairs (Holm) takes at least 7." in shown
    assert too_few != is_enough
    assert ("Not told apart" in shown) == is_enough


@pytest.mark.parametrize("width", [50, 80, 120])
def test_a_narrow_terminal_gets_whole_figures_and_is_told_what_it_does_not_get(
    genius: Genius, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    standings = json.loads(play(genius, "--json").stdout)["leaderboard"]
    monkeypatch.setenv("COLUMNS", str(width))
    shown = genius("tournament", "--show", "r.sqlite").stdout
    lines = shown.splitlines()
    assert max(map(len, lines)) <= width
    for standing in standings:
        (row,) = (cells for cells in map(str.split, lines) if cells[1:2] == [standing["party"]])
        assert f"{standing['utility']:.4f}" in row
    assert "No room here for" in shown
    assert "rounds" in shown  # as the first that is left out


def test_ctrl_c_while_a_library_is_loaded_is_no_traceback(
    genius: Genius, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(results: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("initialization failed") from error

    monkeypatch.setattr("genius_py.cli.tournament.rank", interrupted)
    result = play(genius)
    assert result.exit_code == 130
    assert "Stopped." in result.stderr


def test_json_holds_the_ranking_unrounded(genius: Genius) -> None:
    told = json.loads(play(genius, "--json").stdout)
    assert told["sessions"] == WORK
    assert len(told["leaderboard"]) == 4
    assert len(told["pairs"]) == 6
    utilities = [standing["utility"] for standing in told["leaderboard"]]
    assert utilities == sorted(utilities, reverse=True)


def test_the_results_file_alone_continues_and_shows(genius: Genius) -> None:
    first = play(genius)
    again = genius("tournament", "-o", "r.sqlite", "--workers", "1")
    assert again.stdout == first.stdout
    assert genius("tournament", "--show", "r.sqlite").stdout == first.stdout


def test_a_dry_run_plays_nothing_and_tells_what_would_be(genius: Genius, tmp_path: Path) -> None:
    result = genius("tournament", "tournament.yaml", "--dry-run")
    assert result.exit_code == 0
    assert f"{WORK} sessions: 4 parties, 2 settings, 2 repetitions" in result.stdout
    assert "buyer, seller" in result.stdout
    assert "on one core" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["tournament.yaml"]


def test_a_dry_run_knows_what_is_finished(genius: Genius) -> None:
    play(genius)
    result = genius("tournament", "tournament.yaml", "-o", "r.sqlite", "--dry-run")
    assert f"{WORK} of these are finished already." in result.stdout
    assert "About 0.0 s" in result.stdout


def test_sessions_are_exported(genius: Genius, tmp_path: Path) -> None:
    play(genius, "--csv", "all.csv", "--genius-csv", "log.csv")
    assert len((tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()) == WORK + 1
    assert (tmp_path / "log.csv").read_text(encoding="utf-8").startswith("sep=;\nRun time (s);")


def test_a_tournament_is_reproduced(genius: Genius) -> None:
    play(genius)
    result = genius("tournament", "--reproduce", "r.sqlite", "--workers", "1")
    assert result.exit_code == 0
    assert f"{WORK} of {WORK} came out the same." in result.stdout


def test_what_does_not_come_out_again_is_shown(genius: Genius, tmp_path: Path) -> None:
    import sqlite3

    play(genius)
    with sqlite3.connect(tmp_path / "r.sqlite") as db:
        db.execute("UPDATE session SET rounds = 99 WHERE lineup = 1 AND repetition = 0")
    db.close()
    result = genius("tournament", "--reproduce", "r.sqlite", "--workers", "1")
    assert result.exit_code == 1
    assert "rounds was 99 and is" in result.stdout
    told = genius("tournament", "--reproduce", "r.sqlite", "--workers", "1", "--json")
    assert json.loads(told.stdout)["differing"] == 2


def test_another_tournament_does_not_go_into_the_same_file(genius: Genius, tmp_path: Path) -> None:
    play(genius)
    changed = CONFIG.replace("boulware, ", "linear, ")
    (tmp_path / "tournament.yaml").write_text(changed, encoding="utf-8")
    result = play(genius)
    assert result.exit_code == 2
    assert "name another file" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["tournament.yaml"], "--output"),
        ([], "Give CONFIG.yaml"),
        (["tournament.yaml", "--show", "r.sqlite"], "Give CONFIG.yaml"),
        (["absent.yaml", "-o", "r.sqlite"], "absent.yaml"),
        (["--show", "absent.sqlite"], "no results file"),
        (["tournament.yaml", "-o", "absent/r.sqlite"], "no folder"),
    ],
)
def test_what_cannot_be_done_is_said(genius: Genius, arguments: list[str], reason: str) -> None:
    result = genius("tournament", *arguments)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


def test_sessions_that_failed_are_played_again(genius: Genius, tmp_path: Path) -> None:
    flag = tmp_path / "works"
    (tmp_path / "agent.py").write_text(
        "import pathlib\n"
        "from genius_py.parties.boulware import Boulware\n\n\n"
        "class Late(Boulware):\n"
        "    def init(self, info):\n"
        f"        if not pathlib.Path({str(flag)!r}).exists():\n"
        "            raise ValueError('not yet')\n"
        "        super().init(info)\n",
        encoding="utf-8",
    )
    (tmp_path / "tournament.yaml").write_text(
        "domains: company_car\nparties: [boulware, 'agent.py:Late']\ndeadline: 5\n",
        encoding="utf-8",
    )
    assert "--retry-faults" in play(genius).stdout
    flag.touch()
    assert "--retry-faults" in play(genius).stdout
    assert "not scored" not in play(genius, "--retry-faults").stdout


def test_metrics_go_beside_the_sessions(genius: Genius) -> None:
    refused = play(genius, "--metric", "fairness")
    assert refused.exit_code == 2
    assert "--csv FILE" in refused.stderr
    refused = play(genius, "--metric", "fairness", "--csv", "m.csv")
    assert (refused.exit_code, "add --logs" in refused.stderr) == (2, True)
    refused = play(genius, "--metric", "fairnes", "--csv", "m.csv", "--logs")
    assert "Did you mean 'fairness'?" in refused.stderr
    assert not Path("r.sqlite").exists()
    assert play(genius, "--metric", "fairness", "--csv", "m.csv", "--logs").exit_code == 0
    head, *rows = Path("m.csv").read_text(encoding="utf-8").splitlines()
    assert head.endswith(",fairness_1,fairness_2")
    assert len(rows) == WORK
