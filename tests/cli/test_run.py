"""`genius-py run`."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from genius_py.cli import main
from genius_py.trace import read_log
from tests.parties.scripted_model import offer, put_in_place

Genius = Callable[..., Result]

CAR = ("run", "--protocol", "SAOP", "--domain", "company_car")

KEYS = [
    "protocol",
    "domain",
    "parties",
    "seed",
    "deadline",
    "agreement",
    "reason",
    "detail",
    "agreeing_parties",
    "rounds",
    "turns",
    "time",
    "utilities",
    "discounted_utilities",
    "reservation_values",
    "analysis",
    "faults",
]

FAILING = """
from genius_py.action import EndNegotiation
from genius_py.parties.boulware import Boulware
from genius_py.party import NegotiationParty


class Raises(NegotiationParty):
    def choose_action(self, allowed):
        raise RuntimeError("no idea\\nat all")


class Leaves(NegotiationParty):
    def choose_action(self, allowed):
        return EndNegotiation(self.id, message="farewell")


class Hangs(NegotiationParty):
    def choose_action(self, allowed):
        while True:
            pass


class Sometimes(Boulware):
    made = 0

    def init(self, info):
        super().init(info)
        Sometimes.made += 1

    def propose(self):
        if Sometimes.made == 2:
            raise RuntimeError("not this time")
        return super().propose()
"""


@pytest.fixture
def parties(genius: Genius) -> Path:
    """A loose file of parties that do not negotiate well, in the current folder."""
    path = Path("parties.py")
    path.write_text(FAILING, encoding="utf-8")
    return path


def told(result: Result) -> dict[str, Any]:
    assert result.exit_code in (0, 1), result.stderr
    read: dict[str, Any] = json.loads(result.stdout)
    return read


def test_the_main_job_ends_in_an_agreement_between_the_batnas(genius: Genius) -> None:
    session = told(genius(*CAR, "--json"))
    assert 39000 <= session["agreement"]["price"] <= 41000
    assert session["reason"] == "agreement"


def test_json_has_exactly_the_documented_keys(genius: Genius) -> None:
    assert list(told(genius(*CAR, "--json"))) == KEYS
    assert list(told(genius(*CAR, "--json", "--trace"))) == [*KEYS, "actions"]


def test_json_names_what_was_asked_for(genius: Genius) -> None:
    session = told(
        genius(*CAR, "--json", "--party", "boulware:e=0.1@seller", "--party", "linear",
               "--seed", "7", "--deadline", "20")
    )  # fmt: skip
    assert session["protocol"] == "alternating_offers"
    assert session["domain"] == "company_car"
    assert session["parties"] == {"seller": "boulware:e=0.1", "buyer": "linear"}
    assert (session["seed"], session["deadline"]) == (7, "20rounds")
    assert session["utilities"].keys() == session["parties"].keys()


def test_json_does_not_round(genius: Genius) -> None:
    session = told(genius(*CAR, "--json", "--deadline", "7"))
    assert session["time"] == session["rounds"] / 8
    assert 0 <= session["analysis"]["distance_to_nash"] < 1
    assert session["analysis"]["nash_bid"] == {"price": 40000}


def test_the_trace_holds_every_action_in_order(genius: Genius) -> None:
    session = told(genius(*CAR, "--json", "--trace"))
    actions = session["actions"]
    assert len(actions) == session["turns"]
    assert list(actions[0]) == ["round", "turn", "time", "party", "action", "bid"]
    assert actions[0]["action"] == "Offer"
    assert actions[-1]["action"] == "Accept"
    assert actions[-1]["bid"] == session["agreement"]
    places = [(action["round"], action["turn"]) for action in actions]
    assert places == sorted(places)


def test_what_an_action_carries_besides_a_bid_is_in_the_trace(
    genius: Genius, parties: Path
) -> None:
    session = told(genius(*CAR, "--json", "--trace", "--party", "parties.py:Leaves"))
    (action,) = session["actions"]
    assert action["action"] == "EndNegotiation"
    assert action["bid"] is None
    assert action["message"] == "farewell"
    assert session["reason"] == "walkaway"


def test_the_protocol_may_be_left_to_the_domain(genius: Genius) -> None:
    assert told(genius("run", "--domain", "company_car", "--json"))["reason"] == "agreement"


def test_a_person_sees_agreement_shares_and_distance_from_nash(genius: Genius) -> None:
    result = genius(*CAR)
    session = told(genius(*CAR, "--json"))
    assert result.exit_code == 0
    assert f"Agreement in round {session['rounds']}" in result.stdout
    assert str(session["agreement"]["price"]) in result.stdout
    for seat, utility in session["utilities"].items():
        (row,) = (line for line in result.stdout.splitlines() if line.startswith(seat))
        assert f"{utility:.4f}" in row
    assert "Nash bargaining solution" in result.stdout
    assert result.stderr == ""


def test_moves_of_a_game_are_played_and_not_agreed_on(genius: Genius) -> None:
    lines = genius("run", "--domain", "prisoners_dilemma").stdout.splitlines()
    assert "Played up to round 5" in lines
    assert any(line.split() == ["issue", "played"] for line in lines)


def test_the_trace_for_a_person_is_one_line_a_turn(genius: Genius) -> None:
    lines = genius(*CAR, "--trace").stdout.splitlines()
    turns = told(genius(*CAR, "--json"))["turns"]
    assert sum("offers price:" in line or "accepts price:" in line for line in lines) == turns


def test_what_is_no_terminal_gets_no_escape_codes(genius: Genius) -> None:
    assert "\x1b" not in genius(*CAR, "--trace").stdout
    assert "\x1b" not in genius(*CAR, "--repeat", "2").stdout


@pytest.mark.parametrize("width", [40, 60])
def test_tables_fit_a_narrow_terminal(
    genius: Genius, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    result = genius("run", "--domain", "wind_farm", "--trace", "--deadline", "5")
    assert max(map(len, result.stdout.splitlines())) <= width


def test_a_value_that_the_terminal_cannot_encode_does_not_stop_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    genius = CliRunner(charset="ascii")
    genius.invoke(main, ["new", "domain", "shop"])
    path = Path("shop/scenario.yaml")
    text = path.read_text(encoding="utf-8").replace("collected", "ausgehändigt")
    path.write_text(text, encoding="utf-8")
    result = genius.invoke(main, ["show", "domain", "shop"])
    assert result.exit_code == 0
    assert r"ausgeh\xe4ndigt" in result.stdout


def test_the_same_seed_gives_the_same_session(genius: Genius) -> None:
    chance = (*CAR, "--party", "random", "--party", "random", "--json", "--trace", "--seed")
    assert genius(*chance, "3").stdout == genius(*chance, "3").stdout
    assert genius(*chance, "3").stdout != genius(*chance, "4").stdout


def test_repeat_plays_the_next_seeds(genius: Genius) -> None:
    several = told(genius(*CAR, "--party", "random", "--json", "--seed", "5", "--repeat", "3"))
    assert list(several) == ["sessions"]
    alone = told(genius(*CAR, "--party", "random", "--json", "--seed", "6"))
    assert [session["seed"] for session in several["sessions"]] == [5, 6, 7]
    assert several["sessions"][1] == alone


def test_repetitions_that_tell_nothing_new_are_called_that(genius: Genius) -> None:
    assert "All came out alike" in genius(*CAR, "--repeat", "3").stdout
    assert "alike" not in genius(*CAR, "--party", "random", "--repeat", "3").stdout


def test_repeat_shows_a_row_a_session_and_the_mean(genius: Genius) -> None:
    lines = genius(*CAR, "--party", "random", "--repeat", "3").stdout.splitlines()
    rows = [line.split() for line in lines if line.split()[1:2] == ["agreement"]]
    assert [row[0] for row in rows] == ["0", "1", "2"]
    (mean,) = (line.split() for line in lines if line.startswith("mean"))
    assert mean[1:5] == ["3", "of", "3", "agreed"]
    buyers = [float(row[3]) for row in rows]
    assert float(mean[6]) == pytest.approx(sum(buyers) / 3, abs=1e-4)


def test_no_progress_bar_where_nobody_watches(genius: Genius) -> None:
    assert genius(*CAR, "--repeat", "2").stderr == ""


def test_a_progress_bar_on_a_terminal(genius: Genius, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("genius_py.cli.run._is_watched", lambda: True)
    result = genius(*CAR, "--repeat", "2", "--json")
    assert "Sessions" in result.stderr
    assert len(json.loads(result.stdout)["sessions"]) == 2


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes descriptors")
def test_a_closed_stderr_keeps_nobody_from_playing() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -m genius_py "$@" 2>&-', sys.executable, *CAR, "--repeat", "2"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "2 of 2 agreed" in done.stdout


def test_a_log_can_be_read_and_its_place_is_told(genius: Genius) -> None:
    result = genius(*CAR, "--seed", "3", "--log", "session.jsonl")
    assert "Log: session.jsonl" in result.stdout
    assert read_log("session.jsonl").plan.seed == 3


def test_each_of_several_sessions_has_its_own_log(genius: Genius) -> None:
    result = genius(*CAR, "--seed", "3", "--repeat", "2", "--log", "session.jsonl")
    assert "Logs: session-3.jsonl to session-4.jsonl" in result.stdout
    assert [read_log(f"session-{seed}.jsonl").plan.seed for seed in (3, 4)] == [3, 4]
    assert not Path("session.jsonl").exists()


@pytest.mark.parametrize("option", ["--log", "--plot"])
def test_a_file_in_no_folder_is_refused_before_anything_is_played(
    genius: Genius, option: str
) -> None:
    result = genius(*CAR, option, "nowhere/session.png")
    assert result.exit_code == 2
    assert "no folder 'nowhere'" in result.stderr


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml")])
def test_a_plot_is_a_picture(genius: Genius, name: str, start: bytes) -> None:
    result = genius(*CAR, "--plot", name)
    assert f"Plot: {name}" in result.stdout
    assert Path(name).read_bytes().startswith(start)


def test_a_plot_of_another_kind_is_refused(genius: Genius) -> None:
    result = genius(*CAR, "--plot", "a.gif")
    assert result.exit_code == 2
    assert ".png or .svg" in result.stderr


def test_a_session_that_fails_by_a_fault_exits_with_1(genius: Genius, parties: Path) -> None:
    shown = genius(*CAR, "--party", "parties.py:Raises")
    assert shown.exit_code == 1
    assert "The session failed in round 1" in shown.stdout
    assert "buyer raised RuntimeError: no idea at all" in shown.stdout
    result = genius(*CAR, "--party", "parties.py:Raises", "--json")
    assert result.exit_code == 1
    session = told(result)
    assert session["reason"] == "fault"
    assert session["faults"] == [
        {
            "party": "buyer",
            "round": 1,
            "during": "choose_action",
            "reason": "raised RuntimeError: no idea\nat all",
            "place": "parties.py:9",
        }
    ]
    assert session["utilities"] == session["reservation_values"]
    assert session["analysis"] is None


def test_who_answered_wrongly_is_named_by_file_and_class(genius: Genius) -> None:
    Path("mine.py").write_text(
        "from genius_py.action import Offer\nfrom genius_py.party import NegotiationParty\n\n\n"
        "class Mine(NegotiationParty):\n    def choose_action(self, allowed):\n"
        "        return Offer(self.id, {'price': 40000})\n",
        encoding="utf-8",
    )
    result = genius(*CAR, "--party", "mine.py:Mine")
    assert result.exit_code == 1
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("Round 1")]
    assert "make one with self.domain.bid(price=...)" in line
    assert line.endswith("(mine.py:Mine)")


def test_a_failed_session_is_left_out_of_the_means(genius: Genius, parties: Path) -> None:
    result = genius(*CAR, "--party", "parties.py:Sometimes", "--repeat", "3")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    rows = [line.split() for line in lines if line.split()[1:2] == ["agreement"]]
    assert [row[0] for row in rows] == ["0", "2"]
    (mean,) = (line.split() for line in lines if line.startswith("mean"))
    assert mean[1:5] == ["2", "of", "2", "agreed"]
    assert float(mean[6]) == pytest.approx(sum(float(row[3]) for row in rows) / 2, abs=1e-4)
    assert "1 failed session left out of the means." in lines


def test_where_all_sessions_failed_there_are_no_means(genius: Genius, parties: Path) -> None:
    lines = genius(*CAR, "--party", "parties.py:Raises", "--repeat", "2").stdout.splitlines()
    (mean,) = (line.split() for line in lines if line.startswith("mean"))
    assert mean[1:] == ["0", "of", "0", "agreed", "-", "-", "-", "-"]
    assert "2 failed sessions left out of the means." in lines


def test_forfeits_and_retries_are_counted(genius: Genius, parties: Path) -> None:
    forfeiting = ("--on-fault", "forfeit", "--retries", "1", "--deadline", "4")
    result = genius(*CAR, "--party", "parties.py:Raises", *forfeiting)
    assert result.exit_code == 0
    assert "No agreement: the deadline passed after 4 rounds" in result.stdout
    assert "... and 3 more faults" in result.stdout
    session = told(genius(*CAR, "--party", "parties.py:Raises", *forfeiting, "--json"))
    assert len(session["faults"]) == 2 * 4


def test_who_walked_away_is_named(genius: Genius, parties: Path) -> None:
    result = genius(*CAR, "--party", "linear", "--party", "parties.py:Leaves")
    assert result.exit_code == 0
    assert "No agreement: seller walked away in round 1" in result.stdout


def test_a_party_that_hangs_is_cut_off(genius: Genius, parties: Path) -> None:
    limits = ("--isolate", "process", "--party-timeout", "0.2", "--json")
    result = genius(*CAR, "--party", f"{parties.resolve()}:Hangs", *limits)
    assert result.exit_code == 1
    assert "within 0.2 s" in told(result)["faults"][0]["reason"]


def test_a_time_limit_needs_a_process(genius: Genius) -> None:
    result = genius(*CAR, "--party-timeout", "1")
    assert result.exit_code == 2
    assert "--isolate process" in result.stderr


def test_mediators_are_seated_and_shown(genius: Genius) -> None:
    result = genius("run", "--protocol", "simple_mediator", "--domain", "company_car")
    assert result.exit_code == 0
    assert any(line.startswith("mediator") for line in result.stdout.splitlines())
    session = told(
        genius("run", "--protocol", "simple_mediator", "--domain", "company_car", "--json")
    )
    assert list(session["parties"]) == ["buyer", "seller"]


def test_discounts_have_a_column_where_there_are_any(genius: Genius) -> None:
    assert "discounted" not in genius(*CAR).stdout
    assert "discounted" in genius("run", "--domain", "festival_booking").stdout


def test_a_domain_too_large_to_list_is_analysed_exactly(genius: Genius) -> None:
    session = told(genius("run", "--domain", "random:issues=12,values=10,seed=1", "--json"))
    assert session["analysis"]["complete"] is True
    assert session["agreement"] is not None
    assert session["analysis"]["nash_bid"].keys() == session["agreement"].keys()


def test_a_faithful_session_is_analysed_as_genius_does_it(genius: Genius) -> None:
    session = told(genius(*CAR, "--json", "--faithful", "--deadline", "1"))
    assert session["agreement"] is None
    assert session["analysis"]["social_welfare"] == 0
    assert session["analysis"]["distance_to_nash"] == pytest.approx(0.5**0.5)


def test_who_takes_no_part_is_told_once(genius: Genius) -> None:
    pair = ("--party", "boulware", "--party", "conceder", "--deadline", "5", "--repeat", "2")
    result = genius("run", "--domain", "wind_farm", *pair)
    assert result.exit_code == 0
    assert result.stderr.count("bird_trust takes no part") == 1
    assert genius("run", "--domain", "wind_farm", *pair[:2], "--deadline", "5").stderr == ""


def test_a_random_domain_of_three_is_played(genius: Genius) -> None:
    result = genius("run", "--domain", "random:issues=3,values=4,parties=3,seed=5", "--json")
    assert list(told(result)["parties"]) == ["party1", "party2", "party3"]


def test_a_genius_xml_takes_its_profiles_from_options(genius: Genius, golden: Path) -> None:
    laptop = golden / "inputs" / "laptop"
    result = genius(
        "run", "--protocol", "SAOP", "--domain", str(laptop / "laptop_domain.xml"),
        "--profile", str(laptop / "laptop_buyer_utility.xml"),
        "--profile", str(laptop / "laptop_seller_utility.xml"),
        "--party", "boulware", "--party", "conceder", "--json",
    )  # fmt: skip
    assert told(result)["agreement"].keys() == {"Laptop", "Harddisk", "External Monitor"}


def test_a_party_of_twelve_lines_in_a_loose_file_plays(genius: Genius) -> None:
    Path("my_agent.py").write_text(
        '''\
from genius_py.action import Accept, Offer
from genius_py.party import NegotiationParty


class MyAgent(NegotiationParty):
    """Takes the first offer that is worth having."""

    def choose_action(self, allowed):
        bid = self.domain.random_bid(self.rng)
        if Accept in allowed:
            bid = allowed[Accept]["bid"].values[0]
        worth_it = self.utility_space.utility(bid) > self.utility_space.reservation_value
        return Accept(self.id, bid) if Accept in allowed and worth_it else Offer(self.id, bid)
''',
        encoding="utf-8",
    )
    session = told(genius(*CAR, "--party", "my_agent.py:MyAgent", "--json"))
    assert session["parties"]["buyer"] == "my_agent.py:MyAgent"
    assert session["faults"] == []


def test_it_runs_in_a_fresh_process_in_any_folder(tmp_path: Path) -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "genius_py", *CAR, "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(finished.stdout)["reason"] == "agreement"
    assert finished.stderr == ""


def test_a_number_that_is_not_finite_is_null_in_json() -> None:
    from genius_py.cli._record import dumped

    written = dumped({"a": float("inf"), "b": [float("nan"), 0.1]})
    assert json.load(io.StringIO(written)) == {"a": None, "b": [None, 0.1]}


def test_what_asking_a_model_came_to_stands_under_the_outcome(
    genius: Genius, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = ("run", "--domain=company_car", "--party=llm:model=script", "--party=boulware")
    put_in_place(monkeypatch, ["no", offer(36_000)])
    shown = genius(*played, "--deadline=3rounds").stdout
    assert "buyer asked a language model: 3 turns, 4 replies (1 unreadable, 0 illegal), 0" in shown
    put_in_place(monkeypatch, ["no", offer(36_000)])
    told = json.loads(genius(*played, "--deadline=3rounds", "--json").stdout)
    assert told["models"]["buyer"]["retries"] == 1
