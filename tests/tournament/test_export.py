import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from genius_py.errors import OptionError
from genius_py.tournament import Results, to_csv, to_pandas, to_parquet
from genius_py.tournament.export import columns

Player = Callable[..., Results]


def test_csv_has_a_row_for_each_session_with_all_digits(played: Player, tmp_path: Path) -> None:
    results = played()
    to_csv(results, tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, session in zip(rows, results.sessions(), strict=True):
        assert (row["party_1"], row["party_2"]) == session.parties
        assert float(row["utility_2"]) == session.utilities[1]
        assert float(row["time"]) == session.time
        if session.agreement is not None:
            assert json.loads(row["agreement"]) == json.loads(session.agreement)


METRIC = """
from genius_py.metrics.base import OutcomeMetric


class Length(OutcomeMetric):
    \"\"\"How many actions there were, or NaN for whoever is named party2.\"\"\"

    name = "length"

    def measure(self, outcome):
        if len(outcome.utilities) > 2:
            raise ValueError("a crowd")
        first, second = outcome.utilities
        return {first: outcome.turns, second: float("nan")}
"""


def test_metrics_are_calculated_from_stored_logs(played: Player, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(METRIC, encoding="utf-8")
    mine = f"{tmp_path / 'mine.py'}:Length"
    results = played(logs=True)
    to_csv(results, tmp_path / "all.csv", metrics=["surplus_share", mine])
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    agreed = [row for row in rows if row["reason"] == "agreement"]
    assert agreed
    for row in agreed:
        shares = [float(row[f"surplus_share_{seat}"] or "nan") for seat in (1, 2)]
        assert sum(shares) == pytest.approx(1, nan_ok=True)
    assert [float(row[f"{mine}_1"]) for row in rows] == [float(row["turns"]) for row in rows]
    assert {row[f"{mine}_2"] for row in rows} == {""}


def test_without_logs_or_with_a_metric_that_fails_nothing_is_written(
    played: Player, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(METRIC, encoding="utf-8")
    target = tmp_path / "all.csv"
    with pytest.raises(OptionError, match="holds no logs"):
        to_csv(played(), target, metrics=["fairness"])
    crowd = played(
        "crowd.sqlite", parties=["boulware", "random", "linear"], domains=["wind_farm"], logs=True
    )
    with pytest.raises(OptionError, match=r"Length' fails at .* on wind_farm: ValueError: a crowd"):
        to_csv(crowd, target, metrics=[f"{tmp_path / 'mine.py'}:Length"])
    assert not target.exists()


def test_metrics_are_numbers_in_parquet(played: Player, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow (genius-py[tournament])")
    to_parquet(played(logs=True), tmp_path / "all.parquet", metrics=["fairness"])
    table = parquet.read_table(tmp_path / "all.parquet")
    assert table.column_names[-2:] == ["fairness_1", "fairness_2"]
    assert str(table.schema.field("fairness_2").type) == "double"


def test_seats_that_are_not_there_are_empty(played: Player, tmp_path: Path) -> None:
    results = played(
        parties=["boulware", "random", "linear"], domains=["random:issues=2,values=2", "wind_farm"]
    )
    to_csv(results, tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        thirds = {row["domain"]: row["party_3"] for row in csv.DictReader(file)}
    assert thirds["random:issues=2,values=2"] == ""
    assert thirds["wind_farm"] != ""


def test_faults_are_json(played: Player, tmp_path: Path, agent: Callable[..., str]) -> None:
    spec = agent("def choose_action(self, allowed):\n    raise ValueError('stuck, \"so\"')")
    results = played(parties=[spec, "random"])
    to_csv(results, tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        (fault,) = json.loads(next(csv.DictReader(file))["faults"])
    assert 'stuck, "so"' in fault["reason"]


def test_pandas_has_numbers_where_numbers_are(played: Player) -> None:
    pytest.importorskip("pandas", reason="needs pandas (genius-py[tournament])")
    results = played()
    frame = to_pandas(results)
    assert list(frame.columns) == columns(results)
    assert len(frame) == len(results)
    assert frame["utility_1"].dtype == "float64"
    assert frame["rounds"].dtype == "int64"


def test_parquet_holds_the_same_table(played: Player, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow (genius-py[tournament])")
    results = played()
    to_parquet(results, tmp_path / "all.parquet")
    table = parquet.read_table(tmp_path / "all.parquet")
    assert table.column_names == columns(results)
    sessions = list(results.sessions())
    assert table["utility_1"].to_pylist() == [s.utilities[0] for s in sessions]
    assert table["is_scored"].to_pylist() == [s.is_scored for s in sessions]


def test_what_parquet_needs_is_named(
    played: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(OptionError, match="pyarrow"):
        to_parquet(played(), tmp_path / "all.parquet")
