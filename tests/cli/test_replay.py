"""`genius-py replay`."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Genius = Callable[..., Result]

CAR = ("run", "--protocol", "SAOP", "--domain", "company_car")


def test_a_replay_shows_what_the_session_showed(genius: Genius) -> None:
    played = genius(*CAR, "--seed", "3", "--log", "session.jsonl", "--json", "--trace")
    replayed = genius("replay", "session.jsonl", "--json", "--trace")
    assert replayed.exit_code == 0
    assert replayed.stdout == played.stdout


def test_a_replay_needs_no_party(genius: Genius) -> None:
    genius("new", "party", "mine")
    genius(*CAR, "--party", "mine.py:Mine", "--log", "session.jsonl")
    Path("mine.py").unlink()
    result = genius("replay", "session.jsonl")
    assert result.exit_code == 0
    assert "Agreement in round" in result.stdout


def test_a_changed_log_fails_loudly(genius: Genius) -> None:
    genius(*CAR, "--log", "session.jsonl")
    log = Path("session.jsonl")
    lines = log.read_text(encoding="utf-8").splitlines()
    # The acceptance at the end becomes another walk away.
    event = json.loads(lines[-3])
    assert event["action"]["type"] == "Accept"
    event["action"] = {"type": "EndNegotiation", "party": event["party"]}
    lines[-3] = json.dumps(event)
    log.write_text("\n".join(lines), encoding="utf-8")
    result = genius("replay", "session.jsonl")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1


def test_what_is_no_log_is_refused(genius: Genius) -> None:
    Path("notes.txt").write_text("dear diary\n", encoding="utf-8")
    assert genius("replay", "notes.txt").exit_code == 2
    missing = genius("replay", "nowhere.jsonl")
    assert missing.exit_code == 2
    assert "nowhere.jsonl" in missing.stderr


def test_a_replay_can_be_drawn(genius: Genius) -> None:
    genius(*CAR, "--log", "session.jsonl")
    assert genius("replay", "session.jsonl", "--plot", "session.svg").exit_code == 0
    assert Path("session.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_a_failed_session_replays_as_failed(genius: Genius) -> None:
    Path("silent.py").write_text(
        "from genius_py.party import NegotiationParty\n\n\nclass Silent(NegotiationParty):\n"
        "    def choose_action(self, allowed):\n        return None\n",
        encoding="utf-8",
    )
    assert genius(*CAR, "--party", "silent.py:Silent", "--log", "session.jsonl").exit_code == 1
    result = genius("replay", "session.jsonl", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["reason"] == "fault"
