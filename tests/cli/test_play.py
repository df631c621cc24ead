"""`genius-py play`: from a pipe, and at a pseudo-terminal as a person sits at one."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from click.testing import CliRunner, Result

from genius_py.cli import main
from genius_py.log import Reason
from genius_py.trace import read_log, replay

if TYPE_CHECKING:
    import pexpect
else:
    pexpect = pytest.importorskip("pexpect", reason="pexpect is not installed")

Sit: TypeAlias = "Callable[..., pexpect.spawn[str]]"

GAME = ("play", "--domain", "flour_supply", "--deadline", "5")


def play(*arguments: str, typed: str) -> Result:
    return CliRunner().invoke(main, [*GAME, *arguments], input=typed)


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Starts ``genius-py play`` at a terminal of 120 columns."""
    seats: list[pexpect.spawn[str]] = []

    def sit(*arguments: str, game: Sequence[str] = GAME) -> "pexpect.spawn[str]":
        seats.append(
            pexpect.spawn(
                sys.executable,
                ["-m", "genius_py", *game, *arguments],
                cwd=tmp_path,
                # The pseudo-terminal answers no questions about where its cursor is.
                env={**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"},
                dimensions=(40, 120),
                encoding="utf-8",
                timeout=30,
            )
        )
        return seats[-1]

    yield sit
    for seat in seats:
        seat.close(force=True)


def test_a_person_completes_words_and_comes_to_an_agreement(sit: Sit, tmp_path: Path) -> None:
    terminal = sit("--against", "conceder", "--log", "session.jsonl")
    terminal.expect("You are mill; at the table: bakery")
    terminal.expect("What do you do")
    terminal.send("off\t\r")
    terminal.expect(r"worth to you\s+1\.000")
    terminal.expect("Change it")
    terminal.send("pri\t46\t\r")
    terminal.expect(r"worth to you\s+0\.860")
    terminal.expect("Change it")
    terminal.send("send\r")
    terminal.expect("bakery offers .* to you")
    terminal.expect("What do you do")
    terminal.send("history\r")
    terminal.expect("mill offers price_per_tonne: 460")
    terminal.expect("What do you do")
    terminal.send("acc\t\r")
    terminal.expect("less than no agreement")
    terminal.send("yes\r")
    terminal.expect("Agreed: ")
    terminal.expect("worth to bakery")
    terminal.expect("Pareto frontier .*Nash.* your offers")
    terminal.expect("Agreement in round 2")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    outcome = replay(tmp_path / "session.jsonl")
    assert outcome.reason is Reason.AGREEMENT
    assert [seat.party for seat in outcome.plan.parties] == ["person", "conceder"]


def test_the_worth_of_each_value_stands_in_the_menu(
    sit: Sit,
) -> None:
    terminal = sit()
    terminal.expect("What do you do")
    terminal.send("offer\r")
    terminal.expect("Change it")
    terminal.send("contract ")
    terminal.expect("contract one year.*0.800")


def test_a_person_votes_at_a_terminal(sit: Sit) -> None:
    terminal = sit("--protocol", "AMOP", "--against", "boulware")
    terminal.expect("What do you do.*offer for voting")
    terminal.send("offer\r")
    terminal.expect("Change it")
    terminal.send("send\r")
    terminal.expect("bakery puts to the vote")
    terminal.expect("To be answered: price_per_tonne: 500")
    terminal.expect("What do you do.*accept / reject")
    terminal.send("acc\t\r")
    terminal.expect("bakery rejects")
    terminal.expect("To be answered: ")
    terminal.expect("What do you do.*accept / reject")
    terminal.send("accept\r")
    terminal.expect("less than no agreement")
    terminal.send("yes\r")
    terminal.expect("Agreed: ")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_a_person_bids_at_a_terminal(sit: Sit) -> None:
    game = ["play", "--domain", "vintage_guitar", "--against", "increment"]
    terminal = sit(game=game)
    terminal.expect("What do you do.*place bid / drop out")
    terminal.send("bid\r")
    terminal.expect(r"price \(a whole number from 1050 to 4000, or back\)")
    terminal.send("back\r")
    terminal.expect("What do you do")
    terminal.send("bid\r1100\r")
    terminal.expect("museum bids 1050")
    terminal.expect("What do you do.*stand")
    terminal.send("drop\r")
    terminal.expect("Agreed: buyer: museum")
    terminal.expect("english_auction.* on vintage_guitar")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_leaving_is_no_fault_of_a_party(sit: Sit, key: str) -> None:
    terminal = sit()
    terminal.expect("What do you do")
    terminal.send(key)
    terminal.expect("Stopped.")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130


def test_from_a_pipe_the_same_words_are_understood() -> None:
    result = play(typed="offer\nprice 480\nsend\nwalk\nyes\n")
    assert result.exit_code == 0
    assert "No agreement: mill walked away in round 2" in result.stdout


def test_the_picture_of_what_was_possible_is_the_result_and_the_talk_is_not() -> None:
    result = play(typed="walk\nyes\n")
    assert "What do you do?" in result.stderr
    assert "What do you do?" not in result.stdout
    assert "o Pareto frontier   N Nash" in result.stdout
    assert "The Nash bargaining solution is" in result.stdout


def test_the_end_of_a_pipe_leaves_the_game() -> None:
    result = play(typed="offer\n")
    assert result.exit_code == 130
    assert "Stopped." in result.stderr


def test_the_role_can_be_chosen() -> None:
    result = play("--role", "bakery", "--against", "hardliner", typed="walk\nyes\n")
    assert "You are bakery; at the table: mill." in result.stderr
    assert "(5 issues, 960 bids), the deadline 5 rounds." in result.stderr
    assert result.stdout.splitlines()[0].endswith("worth to mill")


def test_a_wrong_role_is_refused_before_anything_is_played() -> None:
    result = play("--role", "miller", typed="")
    assert result.exit_code == 2
    assert (
        "Error: Domain 'flour_supply' has no role 'miller'; it has mill, bakery." in result.stderr
    )


def test_opponents_fill_the_other_seats_in_turn(tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    arguments = ["play", "--domain", "wind_farm", "--role", "council", "--log", str(log)]
    arguments += ["--against", "linear", "--against", "hardliner"]
    result = CliRunner().invoke(main, arguments, input="walk\nyes\n")
    assert result.exit_code == 0
    assert "worth to the others, on average" in result.stdout
    seats = {seat.role: seat.party for seat in read_log(log).plan.parties}
    assert seats == {"developer": "linear", "council": "person", "bird_trust": "hardliner"}


def test_any_protocol_can_be_played() -> None:
    result = play("--protocol", "simple_mediator", typed="accept\n" * 5)
    assert result.exit_code == 0
    assert "Which vote" not in result.stderr
