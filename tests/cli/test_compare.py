import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from genius_py.cli.compare import _split

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


def test_json_holds_the_verdicts(genius: Genius) -> None:
    told = json.loads(genius("compare", *SMALL, "--json").stdout)
    assert [verdict["bot"] for verdict in told["verdicts"]] == ["conceder", "random"]
    assert told["verdicts"][0]["verdict"].endswith(".")
    assert len(told["leaderboard"]) == 3


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
