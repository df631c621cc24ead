import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from genius_py.cli.compare import _split
from tests.parties.scripted_model import offer, put_in_place

Genius = Callable[..., Result]

SMALL = (
    "--party=boulware:e=0.1",
    "--bots=conceder,random",
    "--domains=company_car,random:issues=2,values=3,seed=1",
    "--deadline=10rounds",
    "--workers=1",
)


def test_the_answer_is_a_leaderboard_and_a_sentence_for_each_bot(genius: Genius) -> None:
    result = genius("compare", *SMALL, "--repeat=2")
    assert result.exit_code == 0
    *_, one, other = result.stdout.splitlines()
    assert one.startswith("boulware:e=0.1 ")
    assert " conceder" in one
    assert " random" in other
    assert "pairs" in other


def test_a_bot_that_is_tried_itself_is_left_out_of_the_usual_ones(genius: Genius) -> None:
    arguments = ("--party", "Boulware", "--domains=company_car", "--deadline=2", "--workers=1")
    told = json.loads(genius("compare", *arguments, "--json").stdout)
    assert [v["bot"] for v in told["verdicts"]] == ["conceder", "linear", "tit-for-tat", "micro"]
    result = genius("compare", *arguments, "--bots", "boulware")
    assert result.exit_code == 2
    assert "'boulware' is named twice; give each challenger and each bot once." in result.stderr


@pytest.mark.parametrize("form", ["--json", "--workers=1"])
def test_it_is_not_done_where_every_session_failed(genius: Genius, form: str) -> None:
    Path("late.py").write_text(
        "from genius_py.parties.boulware import Boulware\n"
        "class Late(Boulware):\n"
        "    def init(self, info):\n"
        "        raise ValueError('not today')\n",
        encoding="utf-8",
    )
    asked = ("--party=late.py:Late", "--bots=boulware", "--domains=company_car")
    result = genius("compare", *asked, form)
    assert result.exit_code == 1
    assert "boulware" in result.stdout
    assert "No session could be scored. In the first" in result.stderr
    assert "not today" in result.stderr


def test_json_holds_the_verdicts(genius: Genius) -> None:
    told = json.loads(genius("compare", *SMALL, "--json").stdout)
    assert [verdict["bot"] for verdict in told["verdicts"]] == ["conceder", "random"]
    assert told["verdicts"][0]["verdict"].endswith(".")
    assert len(told["leaderboard"]) == 3


def test_what_asking_a_model_came_to_stands_under_the_leaderboard(
    genius: Genius, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--party=llm:model=script", "--bots=boulware", "--domains=company_car")
    put_in_place(monkeypatch, ["no", offer(36_000)])
    shown = genius("compare", *asked, "--deadline=3rounds").stdout
    (place,) = [n for n, line in enumerate(shown.splitlines()) if line.startswith("asking a model")]
    heads, row = (shown.splitlines()[place + n].split() for n in (0, 1))
    assert heads[3:5] == ["turns", "replies"]
    assert row[0] == "llm:model=script"
    assert int(row[2]) == int(row[1]) + 1
    put_in_place(monkeypatch, ["no", offer(36_000)])
    result = genius("compare", *asked, "--deadline=3rounds", "--json")
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("script: ")]
    assert re.fullmatch(
        r"script: \d+ requests \(\d+ from the cache, 0 failed\), \d+ batches of \d\.\d, "
        r"0 \+ 0 tokens, \d+\.\d s",
        line,
    )
    told = json.loads(result.stdout)
    counted = {row["party"]: row["models"] for row in told["leaderboard"]}
    assert counted["boulware"] is None
    assert counted["llm:model=script"]["retries"] == 1
    nobody = genius("compare", *SMALL)
    assert "asking a model" not in nobody.stdout
    assert "requests" not in nobody.stderr


def test_with_a_file_nothing_is_played_twice(genius: Genius, tmp_path: Path) -> None:
    first = genius("compare", *SMALL, "-o", "kept.sqlite")
    again = genius("compare", *SMALL, "-o", "kept.sqlite")
    assert (tmp_path / "kept.sqlite").is_file()
    assert again.stdout == first.stdout
    assert "12 of 12 sessions, 0.0/s" in again.stderr


def test_somebody_must_be_named(genius: Genius) -> None:
    result = genius("compare")
    assert result.exit_code == 2
    assert "--llm MODEL" in result.stderr


@pytest.mark.parametrize(
    ("listed", "parts"),
    [
        ("boulware,linear", ["boulware", "linear"]),
        ("boulware:e=0.1,k=0.05,linear", ["boulware:e=0.1,k=0.05", "linear"]),
        ("boulware:e=[0.1,0.2],linear", ["boulware:e=[0.1,0.2]", "linear"]),
        (
            "random:issues=2,values=3,company_car,random:seed=1",
            ["random:issues=2,values=3", "company_car", "random:seed=1"],
        ),
    ],
)
def test_commas_of_options_do_not_part_specs(listed: str, parts: list[str]) -> None:
    assert _split(listed) == parts
