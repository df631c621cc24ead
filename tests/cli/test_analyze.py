"""`genius-py analyze`."""

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from genius_py import formats
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, TableUtilitySpace
from tests.cli.terminal import on_terminal

Genius = Callable[..., Result]

CAKE = Domain("cake", [DiscreteIssue("cut", ["a", "b", "c", "d"])])
WORTH = {"ann": (1.0, 0.6, 0.1, 0.4), "bob": (0.0, 0.7, 1.0, 0.5)}


def told(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    read: dict[str, Any] = json.loads(result.stdout)
    return read


def row(result: Result, start: str) -> list[str]:
    (line,) = (line for line in result.stdout.splitlines() if line.startswith(start))
    return line.removeprefix(start).split()


@pytest.fixture
def cake(genius: Genius) -> str:
    """A domain of four cuts, of which d is worse than b for both."""
    profiles = {
        party: TableUtilitySpace(domain=CAKE, table=worth, reservation_value=0.2)
        for party, worth in WORTH.items()
    }
    formats.save(Scenario(CAKE, profiles), "cake.yaml")
    return "cake.yaml"


@pytest.fixture
def log(genius: Genius, cake: str) -> str:
    """A session in which ann offers a, then d, which bob accepts."""
    genius("run", "--domain", cake, "--party", "scripted:script=Offer 0;Offer 3",
           "--party", "scripted:script=Offer 2;Accept last", "--deadline", "4",
           "--log", "s.jsonl")  # fmt: skip
    return "s.jsonl"


def test_a_domain_has_its_solutions_picture_and_sentence(genius: Genius, cake: str) -> None:
    result = genius("analyze", cake)
    assert result.exit_code == 0
    assert row(result, "best for ann") == ["1.0000", "0.0000", "cut:", "a"]
    assert row(result, "Nash  ") == ["0.6000", "0.7000", "cut:", "b"]
    assert row(result, "no agreement") == ["0.2000", "0.2000"]
    assert "1.00  worth to bob\n" in result.stdout
    assert ". bids   o Pareto frontier   U utilitarian" in result.stdout
    assert result.stdout.splitlines()[-1] == (
        "There is something to agree on: 2 of 4 bids give everybody the reservation value; "
        "the Pareto frontier has 3 points; opposition 0.5000."
    )


def test_the_json_of_a_domain_has_all_of_it(genius: Genius, cake: str) -> None:
    analysis = told(genius("analyze", cake, "--json"))
    assert list(analysis) == [
        "domain", "n_outcomes", "parties", "reservation_values", "complete", "error", "examined",
        "has_zopa", "opposition", "utopia", "nadir", "solutions", "peers", "pareto_size",
        "frontier",
    ]  # fmt: skip
    assert analysis["n_outcomes"] == 4
    assert analysis["utopia"] == {"ann": 1.0, "bob": 1.0}
    assert analysis["solutions"]["nash"] == {
        "utilities": {"ann": 0.6, "bob": 0.7},
        "bid": {"cut": "b"},
    }
    assert [point["bid"]["cut"] for point in analysis["frontier"]] == ["a", "b", "c"]
    assert list(analysis["peers"]) == [
        "genius_nash", "genius_kalai", "negmas_kalai_smorodinsky", "negolog_nash",
        "negolog_kalai",
    ]  # fmt: skip
    assert analysis["peers"]["genius_kalai"]["bid"] == {"cut": "b"}


def test_other_platforms_points_are_theirs(genius: Genius) -> None:
    # Equal shares for Genius; the largest smallest share of the best, negmas and textbook, differ.
    worth = {"ann": (0.16, 0.3, 0.5, 1.0), "bob": (1.0, 0.31, 0.9, 0.1)}
    profiles = {party: TableUtilitySpace(domain=CAKE, table=w) for party, w in worth.items()}
    formats.save(Scenario(CAKE, profiles), "odd.yaml")
    analysis = told(genius("analyze", "odd.yaml", "--json"))
    assert analysis["peers"]["genius_kalai"]["bid"] == {"cut": "c"}
    assert analysis["peers"]["negolog_kalai"]["bid"] == {"cut": "c"}
    assert analysis["peers"]["negolog_nash"]["bid"] == {"cut": "c"}


def test_a_domain_of_any_size_is_analysed(genius: Genius) -> None:
    analysis = told(genius("analyze", "random:issues=40,values=10,seed=1", "--json"))
    assert analysis["n_outcomes"] == 10**40
    assert analysis["complete"] is True
    assert analysis["peers"]["negmas_kalai_smorodinsky"] is None  # it would have to list them
    assert len(analysis["solutions"]["nash"]["bid"]) == 40


def test_what_is_not_exact_says_so(genius: Genius) -> None:
    spec = "random:issues=20,values=10,parties=4,seed=1"
    result = genius("analyze", spec)
    assert "Approximate: no bid is better for everybody by more than 0." in result.stdout
    assert "worth to" not in result.stdout  # no picture of four
    analysis = told(genius("analyze", spec, "--json"))
    assert analysis["complete"] is False
    assert 0 < analysis["error"] < 0.5


def test_bids_that_do_not_fit_the_terminal_are_left_out(
    genius: Genius, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    result = genius("analyze", "festival_booking")
    assert max(map(len, result.stdout.splitlines())) <= 60
    assert row(result, "Kalai-Smorodinsky") == ["0.7120", "0.6820"]
    assert row(result, "set_length") == ["90", "minutes"]  # of the Nash bargaining solution
    monkeypatch.setenv("COLUMNS", "30")
    narrow = genius("analyze", "festival_booking")
    assert max(map(len, narrow.stdout.splitlines())) <= 30
    assert "worth to" not in narrow.stdout


def test_a_log_is_judged_in_a_sentence(genius: Genius, log: str) -> None:
    result = genius("analyze", log)
    assert result.exit_code == 0
    assert "Agreement in round 2" in result.stdout
    assert (
        "0.2828 from the Pareto frontier; 0.2828 from the Nash bargaining solution; "
        "bob got 60 % of the surplus.\n"
    ) in result.stdout
    assert row(result, "Nash  ")[:3] == ["0.6000", "0.7000", "0.2828"]
    assert row(result, "offers") == ["2", "1"]
    assert row(result, "first offer, to itself") == ["1.0000", "1.0000"]
    assert row(result, "concession per turn") == ["0.6000", "-"]
    assert row(result, "concession moves") == ["100", "%", "-"]
    assert "1 offers of ann   2 offers of bob" in result.stdout
    assert "A agreement" in result.stdout


def test_the_json_of_a_log_is_that_of_run_and_more(genius: Genius, log: str) -> None:
    session = told(genius("analyze", log, "--json"))
    replayed = told(genius("replay", log, "--json"))
    assert {key: session[key] for key in replayed} == replayed
    assert [*session][len(replayed) :] == ["solutions", "process", "metrics"]
    assert session["solutions"]["nash"]["distance"] == session["analysis"]["distance_to_nash"]
    ann = session["process"]["ann"]
    assert ann["offers"] == 2
    assert ann["own_utilities"] == [1.0, 0.4]
    assert ann["others_utilities"] == [0.0, 0.5]
    assert ann["concessions"] == [0.6]
    assert ann["moves"]["concession"] == 1.0
    assert session["metrics"]["concession_per_turn"] == {"ann": 0.6, "bob": None}
    assert session["metrics"]["unfortunate_moves"]["ann"] == 0.0


def test_a_metric_that_fails_is_null(genius: Genius) -> None:
    genius("run", "--protocol", "sealed_bid_auction", "--domain", "ad_slot", "--log", "a.jsonl")
    session = told(genius("analyze", "a.jsonl", "--json"))
    assert session["analysis"] is None
    assert session["solutions"] is None
    assert set(session["metrics"]) >= {"social_welfare", "opponent_model_pearson"}
    assert genius("analyze", "a.jsonl").exit_code == 0


def test_a_faithful_log_says_by_whose_rule_it_is_judged(genius: Genius) -> None:
    genius("run", "--domain", "company_car", "--faithful", "--log", "f.jsonl")
    assert "Judged as Java Genius does it" in genius("analyze", "f.jsonl").stdout


def test_a_log_of_three_has_no_picture_of_two(genius: Genius) -> None:
    genius("run", "--domain", "wind_farm", "--protocol", "AMOP", "--log", "w.jsonl")
    result = genius("analyze", "w.jsonl")
    assert "how they went about it" in result.stdout
    assert "worth to" not in result.stdout


def test_a_session_without_offers_has_its_row(genius: Genius, cake: str) -> None:
    genius("run", "--domain", cake, "--party", "scripted:script=EndNegotiation", "--party",
           "random", "--log", "n.jsonl")  # fmt: skip
    assert row(genius("analyze", "n.jsonl"), "offers") == ["0", "0"]


def test_several_logs_have_a_line_each(genius: Genius) -> None:
    genius("run", "--domain", "company_car", "--repeat", "2", "--log", "r.jsonl")
    result = genius("analyze", "r-0.jsonl", "r-1.jsonl")
    assert row(result, "r-1.jsonl")[:2] == ["company_car", "agreement"]
    sessions = told(genius("analyze", "r-0.jsonl", "r-1.jsonl", "--json"))["sessions"]
    assert [session["seed"] for session in sessions] == [0, 1]


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_plot_of_a_domain_or_of_logs_is_a_picture(
    genius: Genius, log: str, suffix: str, start: bytes
) -> None:
    for source in ("wind_farm", log):
        result = genius("analyze", source, "--plot", f"p.{suffix}")
        assert f"Plot: p.{suffix}" in result.stdout
        assert Path(f"p.{suffix}").read_bytes().startswith(start)
        Path(f"p.{suffix}").unlink()
    genius("analyze", log, log, "--plot", f"p.{suffix}")
    assert Path(f"p-1.{suffix}").read_bytes() == Path(f"p-2.{suffix}").read_bytes()


def read_csv(name: str) -> list[dict[str, str]]:
    with Path(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_frontier_of_a_domain_is_exported(genius: Genius, cake: str) -> None:
    assert "Table: f.csv" in genius("analyze", cake, "--export", "f.csv").stdout
    rows = read_csv("f.csv")
    assert [json.loads(point["bid"])["cut"] for point in rows] == ["a", "b", "c"]
    assert [point["nash"] for point in rows] == ["False", "True", "False"]


def test_sessions_and_their_events_are_exported(genius: Genius, log: str) -> None:
    genius("analyze", log, log, "--export", "s.csv", "--events", "e.csv")
    sessions, events = read_csv("s.csv"), read_csv("e.csv")
    assert [session["log"] for session in sessions] == [log, log]
    assert json.loads(sessions[0]["agreement"]) == {"cut": "d"}
    offers = [event for event in events if event["action"] == "Offer"]
    assert [float(offer["utility_ann"]) for offer in offers] == [1.0, 0.1, 0.4] * 2


@pytest.mark.parametrize("option", ["--plot", "--export", "--events"])
def test_a_file_of_another_kind_or_place_is_refused_at_once(
    genius: Genius, log: str, option: str
) -> None:
    for name, reason in (("x.doc", "end its name in"), ("no/x.csv", "There is no folder")):
        result = genius("analyze", log, option, name)
        assert result.exit_code == 2
        assert reason in result.stderr
        assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["s.jsonl", "cake.yaml"], "'cake.yaml' is no session log; of other things, give one"),
        (["cake.yaml", "--events", "e.csv"], "--events is for session logs"),
        (["s.jsonl", "--profile", "p.xml"], "--profile is for domains"),
        (["nowhere"], "No file, folder or bundled domain is named 'nowhere'"),
        (["other.jsonl"], "this is no genius-py session log"),
        (["cut.jsonl"], "The log has no end"),
        (["bare.yaml"], "has no profiles"),
        (["silent.yaml"], "has no evaluator"),
        ([], "Missing argument"),
    ],
)
def test_what_cannot_be_analysed_is_refused(
    genius: Genius, log: str, arguments: list[str], reason: str
) -> None:
    Path("other.jsonl").write_text("{}\n", encoding="utf-8")
    lines = Path(log).read_text(encoding="utf-8").splitlines(keepends=True)
    Path("cut.jsonl").write_text("".join(lines[:3]), encoding="utf-8")
    formats.save(Scenario(CAKE, {}), "bare.yaml")
    silent = AdditiveUtilitySpace(domain=CAKE, weights=[1.0], evaluators=[None])
    formats.save(Scenario(CAKE, {"ann": silent, "bob": silent}), "silent.yaml")
    result = genius("analyze", *arguments)
    assert result.exit_code == 2
    assert reason in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_a_log_is_known_by_what_is_in_it(genius: Genius, log: str) -> None:
    Path(log).rename("session.json")
    assert "Agreement in round 2" in genius("analyze", "session.json").stdout


def test_colours_are_for_terminals_only(log: str) -> None:
    command = [sys.executable, "-m", "genius_py", "analyze", log]
    piped = subprocess.run(command, capture_output=True, check=True)
    assert b"\x1b" not in piped.stdout
    seen = on_terminal(
        ["analyze", log], Path.cwd(), {"TERM": "xterm-256color", "COLUMNS": "70", "NO_COLOR": ""}
    )
    assert b"\x1b[" in seen
