import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from genius_py.domain import Domain
from genius_py.issue import TextIssue
from genius_py.tournament import Results, to_genius_csv
from genius_py.tournament.genius_csv import _rounded, analysis_of, columns
from genius_py.utility import CallableUtilitySpace

Player = Callable[..., Results]


def rows_of(results: Results, path: Path) -> list[dict[str, str]]:
    to_genius_csv(results, path)
    with path.open(encoding="utf-8", newline="") as file:
        assert file.readline() == "sep=;\n"
        return list(csv.DictReader(file, delimiter=";"))


def test_a_row_tells_a_session_as_genius_does(played: Player, tmp_path: Path) -> None:
    results = played(domains=["company_car"], deadlines="20rounds")
    rows = rows_of(results, tmp_path / "log.csv")
    assert list(rows[0]) == columns(2)
    for row, session in zip(rows, results.sessions(), strict=True):
        assert row["Round"] == str(session.rounds + 1)
        assert row["deadline"] == "20rounds"
        assert row["Agreement"] == ("No" if session.agreement is None else "Yes")
        assert (row["Agent 1"], row["Agent 2"]) == session.parties
        assert float(row["Utility 1"]) == session.utilities[0]
        assert float(row["Disc. Util. 2"]) == session.discounted[1]
        assert (row["Profile 1"], row["Profile 2"]) == session.roles
        assert row["Exception"] == ""


def test_a_session_that_failed_has_its_exception_and_reservation_values(
    played: Player, tmp_path: Path, agent: Callable[..., str]
) -> None:
    spec = agent("def choose_action(self, allowed):\n    raise ValueError('stuck')")
    results = played(parties=[spec, "random"], domains=["company_car"])
    row = rows_of(results, tmp_path / "log.csv")[0]
    assert "stuck" in row["Exception"]
    assert float(row["Utility 1"]) == 0.4
    assert row["Dist. to Nash"] == row["min.util."] == ""


def test_a_mediator_is_told_first_and_nobody_cut_off(played: Player, tmp_path: Path) -> None:
    results = played(
        parties=["accepting", "boulware"],
        domains=["company_car"],
        protocols="simple_mediator",
        repetitions=1,
    )
    row = rows_of(results, tmp_path / "log.csv")[0]
    agents = [row[f"Agent {number}"] for number in (1, 2, 3)]
    assert agents[1:] == ["accepting", "boulware"]


def test_drawn_scenarios_are_analysed_each_for_itself(played: Player, tmp_path: Path) -> None:
    rows = rows_of(played(domains=["random:issues=2,values=3"]), tmp_path / "log.csv")
    assert all(float(row["Dist. to Pareto"]) >= 0 for row in rows)


def test_of_bids_that_cannot_be_listed_the_first_are_analysed(
    played: Player, tmp_path: Path
) -> None:
    results = played(domains=["random:issues=12,values=6,seed=1"], repetitions=1)
    rows = rows_of(results, tmp_path / "log.csv")
    assert all(float(row["Dist. to Pareto"]) >= 0 for row in rows)
    assert all(float(row["Dist. to Nash"]) >= 0 for row in rows)


@pytest.mark.parametrize(
    ("number", "text"), [(0.123455, "0.12346"), (2.0, "2.00000"), (0.000005, "0.00001")]
)
def test_halves_are_rounded_as_java_does(number: float, text: str) -> None:
    assert _rounded(number) == text
    assert _rounded(np.nan) == "nan"


def test_without_utilities_there_is_no_analysis() -> None:
    domain = Domain("letters", [TextIssue("text")])
    profiles = [
        CallableUtilitySpace(domain=domain, function=lambda bid: len(str(bid["text"])) / 100)
    ] * 2
    assert analysis_of(profiles, 0.0) is None
