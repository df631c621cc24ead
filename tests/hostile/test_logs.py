"""Logs that somebody has edited, cut or made up: refused in a sentence, never believed."""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest

from genius_py.action import Accept, Offer
from genius_py.errors import GeniusError, GeniusWarning, LogError, OptionError
from genius_py.log import Ending
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.plan import SeatPlan
from genius_py.seating import plan_session
from genius_py.session import Reply
from genius_py.testing import LegalParty, ScriptedParty
from genius_py.testing.scenarios import discrete_scenario, mixed_scenario
from genius_py.trace import dump_log, parse_log, read_log, replay, write_log
from tests.hostile.damage import GONE, leaves, with_part

SCENARIO = discrete_scenario()
BIDS = [SCENARIO.domain.bid_at(index) for index in range(3)]
STRANGE: list[Any] = [None, -1, 2.5, 10**30, True, "", "ann", [], [[]], {}, {"a": [1]}]


def talk() -> Outcome:
    """A session with a message, notes, a fault that was forgiven, and an agreement."""
    ann = ScriptedParty(
        Reply(Offer("ann", BIDS[1]), message="hi", notes={"plan": [1, None]}),
        OSError("no"),
        Accept("ann", BIDS[2]),
    )
    bob = ScriptedParty(Offer("bob", BIDS[2]), farewell={"note": "done"})
    plan, _ = plan_session("SAOP", SCENARIO, deadline=5, seed=3, retries=1)
    return SessionManager(plan, {"ann": lambda: ann, "bob": lambda: bob}).run()


def mediated() -> Outcome:
    """A faithful session with a mediator and a clock, in which all act at random."""
    plan, _ = plan_session(
        "simple_mediator", mixed_scenario(2), deadline="2rounds,30s", seed=1, faithful=True
    )
    makers = {seat.id: LegalParty for seat in plan.parties}
    return SessionManager(plan, makers, clock=lambda: 1.0).run()


def stored(lines: list[str], folder: Path) -> Path:
    file = folder / "log.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return file


def signed(lines: list[str]) -> list[str]:
    """The lines with a checksum that goes with them, as a forger would compute it."""
    above = "".join(f"{line}\n" for line in lines[:-1]).encode()
    last = json.loads(lines[-1])
    if isinstance(last, dict):
        last["sha256"] = hashlib.sha256(above).hexdigest()
    return [*lines[:-1], json.dumps(last)]


@pytest.fixture(scope="module", params=[talk, mediated])
def lines(request: pytest.FixtureRequest) -> list[str]:
    return list(dump_log(request.param()))


@pytest.mark.filterwarnings("ignore:.*discount factor of 7:genius_py.errors.GeniusWarning")
def test_no_field_of_a_file_can_be_changed_unnoticed(lines: list[str], tmp_path: Path) -> None:
    for number, line in enumerate(lines):
        data = json.loads(line)
        for path in leaves(data):
            for value in ("forged", 7, GONE):
                changed = json.dumps(with_part(data, path, value))
                file = stored([*lines[:number], changed, *lines[number + 1 :]], tmp_path)
                with pytest.raises(LogError):
                    read_log(file)


def test_no_line_of_a_file_can_be_dropped_doubled_or_moved_unnoticed(
    lines: list[str], tmp_path: Path
) -> None:
    for n in range(len(lines)):
        for changed in (
            lines[:n] + lines[n + 1 :],
            lines[: n + 1] + lines[n:],
            [*lines[:n], "{}", *lines[n:]],
            [*lines[:n], *lines[n + 1 : n + 2], lines[n], *lines[n + 2 :]],
        ):
            if changed != lines:
                with pytest.raises((LogError, GeniusWarning)):
                    replay(stored(changed, tmp_path))


def test_a_file_that_was_cut_off_is_read_as_far_as_it_goes(
    lines: list[str], tmp_path: Path
) -> None:
    outcome = parse_log(lines)
    whole = stored(lines, tmp_path).read_bytes()
    ends = [n for n, byte in enumerate(whole) if byte == ord("\n")]
    cut = tmp_path / "cut.jsonl"
    for length in (
        *range(ends[0], len(whole) - 1, 13),
        *ends[:-1],
        *(end + 1 for end in ends[:-1]),
    ):
        cut.write_bytes(whole[:length])
        kept = sum(end <= length for end in ends)
        with pytest.warns(GeniusWarning, match=f"cut off after line {kept}; it is read as far"):
            read = read_log(cut)
        assert read.plan == outcome.plan
        assert list(read.log) == outcome.log[: kept - 1]
        if not any(isinstance(event.detail, Ending) for event in read.log):
            with pytest.raises(LogError, match="interrupted"):
                replay(read)
    for length in range(0, ends[0], 13):
        cut.write_bytes(whole[:length])
        with pytest.raises(LogError):
            read_log(cut)


@pytest.mark.parametrize("tail", [b"", b"\r\n"])
def test_other_line_ends_are_no_change(lines: list[str], tail: bytes, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\r\n".join(line.encode() for line in lines) + tail)
    assert replay(file) == parse_log(lines)


@pytest.mark.filterwarnings("ignore::genius_py.errors.GeniusWarning")
def test_whatever_stands_in_a_log_nothing_but_our_own_errors_come_of_it(lines: list[str]) -> None:
    for number, line in enumerate(lines):
        data = json.loads(line)
        small = {key: part for key, part in data.items() if key != "scenario"}
        for part in {path[:n] for path in leaves(small) for n in range(len(path) + 1)}:
            for value in STRANGE:
                changed = json.dumps(with_part(data, part, value))
                with suppress(GeniusError):
                    replay(parse_log(signed([*lines[:number], changed, *lines[number + 1 :]])))


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"kind": ' * 100_000,
        '{"round": ' + "9" * 5000 + "}",
        '{"time": NaN}',
        '{"time": -Infinity}',
        "5",
        "null",
        '"end"',
        "{}",
        '{"kind": []}',
        '{"kind": "end", "detail": {}}',
        "\x00",
        "",
    ],
)
@pytest.mark.parametrize("place", [0, 1, 4])
def test_a_line_of_nonsense_is_named(line: str, place: int) -> None:
    lines = list(dump_log(talk()))
    with pytest.raises(LogError, match=rf"log:{place + 1}\b"):
        parse_log([*lines[:place], line, *lines[place + 1 :]])


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe{}", b"\n", b"\x00" * 10, "{}".encode("utf-16")]
)
def test_a_file_that_is_no_log_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(content)
    with pytest.raises(LogError):
        read_log(tmp_path / "log.jsonl")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path, tmp_path / "none", tmp_path / "loop", "a\0b", "x" * 5000):
        with pytest.raises(LogError, match="Cannot read the log"):
            read_log(path)


def test_a_log_that_cannot_be_written_is_an_error_of_ours(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "log.jsonl", "a\0b", Path("/dev/full")):
        if str(path) != "/dev/full" or path.exists():  # type: ignore[union-attr]
            with pytest.raises(LogError, match="Cannot write the log"):
                write_log(talk(), path)


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": None},
        {"seed": True},
        {"retries": 2.5},
        {"retries": "3"},
        {"faithful": "yes"},
        {"on_fault": []},
        {"seats": [SeatPlan("ann", "nobody", "random"), SeatPlan("bob", "bob", "random")]},
    ],
)
def test_an_impossible_plan_cannot_be_made(change: dict[str, Any]) -> None:
    plan = talk().plan
    with pytest.raises(GeniusError):
        attrs.evolve(plan, **change)


def test_a_seat_is_made_of_texts() -> None:
    for wrong in (None, 5, ["ann"]):
        for place in range(3):
            given: list[Any] = ["ann", "ann", "random"]
            given[place] = wrong
            with pytest.raises(OptionError):
                SeatPlan(*given)
