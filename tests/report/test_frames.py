"""Sessions, logs and frontiers as tables."""

import csv
import importlib.util
import json
from pathlib import Path

import attrs
import pandas as pd
import pytest

from genius_py import formats
from genius_py.analysis.of_outcome import OutcomeAnalysis, OutcomeSpace
from genius_py.errors import OptionError
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.report.frames import (
    frontier_frame,
    log_frame,
    outcome_frame,
    require_table,
    write_frame,
)


def played(seed: int = 1, deadline: int = 60) -> Outcome:
    return run(
        "SAOP", "company_car", parties=["boulware", "conceder"], seed=seed, deadline=deadline
    )


def test_a_session_is_a_row_with_all_digits() -> None:
    outcome = played()
    (row,) = outcome_frame([outcome]).to_dict("records")
    assert row["protocol"] == "alternating_offers"
    assert row["party_buyer"] == "boulware"
    assert row["utility_buyer"] == outcome.utilities["buyer"]
    assert json.loads(row["agreement"]) == dict(outcome.agreement or {})
    assert row["turns"] == outcome.turns
    assert row["surplus_share_buyer"] + row["surplus_share_seller"] == pytest.approx(1)
    assert row["pareto_optimal"] is True


def test_numbers_stay_numbers_where_they_are_missing() -> None:
    frame = outcome_frame([played(), played(deadline=1), run("AMOP", "wind_farm", deadline=3)])
    kinds = {name: str(kind) for name, kind in frame.dtypes.items()}
    for name in ("utility_buyer", "distance_to_nash", "surplus_share_buyer", "time"):
        assert kinds[name] == "float64"
    for name in ("seed", "rounds", "faults", "pareto_size"):
        assert kinds[name] == "Int64"
    assert kinds["pareto_optimal"] == "boolean"
    assert kinds["agreement"] == kinds["nash_bid"] == "string"
    assert frame["agreement"].isna().tolist()[1]
    assert frame["utility_buyer"].isna().tolist() == [False, False, True]
    assert frame["rounds"].sort_values().tolist() == sorted(frame["rounds"])


def test_every_key_of_the_analysis_is_a_column() -> None:
    columns = set(outcome_frame([played()]).columns)
    for field in attrs.fields(OutcomeAnalysis):
        if field.name not in ("surplus_shares", "nash_utilities"):  # these have one a party
            assert field.name in columns


def test_a_session_without_an_analysis_has_none() -> None:
    (row,) = outcome_frame([run("sealed_bid_auction", "ad_slot", deadline=2)]).to_dict("records")
    assert pd.isna(row["pareto_optimal"])
    assert pd.isna(row["distance_to_nash"])


def test_a_seed_too_large_for_a_column_is_missing() -> None:
    assert outcome_frame([played(seed=1 << 63)])["seed"].isna().all()


def test_no_session_is_no_row() -> None:
    assert len(outcome_frame([])) == 0


def test_an_event_is_a_row_and_offers_have_everybody_s_utility() -> None:
    outcome = played()
    frame = log_frame(outcome)
    assert len(frame) == len(outcome.log)
    offers = frame[frame["action"] == "Offer"]
    assert (offers["party"] == "buyer").any()
    first = offers.iloc[0]
    bid = outcome.plan.scenario.domain.bid(json.loads(first["bid"]))
    for party, profile in outcome.plan.scenario.profiles.items():
        assert first[f"utility_{party}"] == profile.utility(bid)
    assert json.loads(first["audience"]) == ["seller"]
    end = json.loads(frame.iloc[-1]["detail"])
    assert (frame.iloc[-1]["kind"], end["reason"]) == ("end", "agreement")
    assert str(frame["utility_buyer"].dtype) == "float64"
    assert str(frame["round"].dtype) == "Int64"


def test_votes_faults_and_messages_are_in_the_table() -> None:
    voting = log_frame(run("AMOP", "wind_farm", deadline=2))
    votes = voting[voting["action"] == "VoteForOfferAcceptance"]
    assert {json.loads(more)["vote"] for more in votes["more"]} <= {"ACCEPT", "REJECT"}
    failing = run("SAOP", "company_car", parties=["scripted:script=Accept last", "random"])
    frame = log_frame(failing)
    (fault,) = frame[frame["kind"] == "fault"]["detail"]
    assert json.loads(fault)["party"] == "buyer"


def test_a_point_of_the_frontier_is_a_row_with_what_it_solves() -> None:
    space = OutcomeSpace.require(formats.load("company_car").profiles)
    frame = frontier_frame(space)
    (nash,) = frame[frame["nash"]].to_dict("records")
    assert json.loads(nash["bid"]) == {"price": 40000}
    assert (nash["utility_buyer"], nash["utility_seller"]) == (0.5, 0.5)
    assert len(frame) == len(space.frontier)


def test_a_solution_that_there_is_not_has_no_point() -> None:
    scenario = formats.load("company_car")
    greedy = {role: attrs.evolve(p, reservation_value=0.9) for role, p in scenario.profiles.items()}
    frame = frontier_frame(OutcomeSpace.require(greedy))
    assert not frame["nash"].any()
    assert frame["utilitarian"].sum() == 1


def test_csv_keeps_all_digits_and_no_escape_bytes(tmp_path: Path) -> None:
    path = tmp_path / "sessions.csv"
    frame = outcome_frame([played(), played(deadline=1)])
    write_frame(frame, path)
    assert b"\x1b" not in path.read_bytes()
    assert b"\r" not in path.read_bytes()
    with path.open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert float(first["time"]) == frame["time"][0]
    assert float(first["utility_buyer"]) == frame["utility_buyer"][0]
    assert int(first["rounds"]) == frame["rounds"][0]
    assert second["agreement"] == ""


def test_parquet_keeps_every_type(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    for frame in (log_frame(played()), outcome_frame([played(), played(deadline=1)])):
        write_frame(frame, path)
        again = pd.read_parquet(path)
        assert again.dtypes.astype(str).tolist() == frame.dtypes.astype(str).tolist()
        pd.testing.assert_frame_equal(again, frame)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_message_that_utf_8_cannot_hold_is_written_as_an_escape(
    tmp_path: Path, suffix: str
) -> None:
    half = "half \ud83d of a pair"
    outcome = played()
    log = [
        e._replace(action=attrs.evolve(e.action, message=half)) if e.action else e
        for e in outcome.log
    ]
    frame = log_frame(attrs.evolve(outcome, log=type(outcome.log)(log)))
    write_frame(frame, tmp_path / f"log{suffix}")
    assert frame["message"].tolist()[0] == r"half \ud83d of a pair"


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"end its name in \.csv or \.parquet"):
        require_table(tmp_path / "table.xlsx")


@pytest.mark.parametrize("missing", ["pandas", "pyarrow"])
def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == missing else find("json")
    )
    with pytest.raises(OptionError, match=rf"needs {missing}; install it: pip install"):
        require_table("table.parquet")
