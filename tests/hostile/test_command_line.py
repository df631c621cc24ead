"""The command line in a hostile world: parties that print and leave, full disks, closed pipes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli.terminal import on_terminal

LOUD = """
import atexit, os, subprocess, sys
from genius_py.parties.boulware import Boulware

print("at import")
atexit.register(print, "at exit")


class Loud(Boulware):
    def propose(self):
        print("by print")
        os.write(1, b"by descriptor\\n")
        subprocess.run(["echo", "by another process"], check=True)
        sys.stdout = sys.__stdout__
        print("by the first stdout")
        return super().propose()
"""

UMLAUTS = """
name: Häuser
issues:
  größe: [groß, klein, 中]
profiles:
  käufer: {weights: {größe: 1}, evaluations: {größe: {groß: 1, klein: 0, 中: 0.5}}}
  verkäufer: {weights: {größe: 1}, evaluations: {größe: {groß: 0, klein: 1, 中: 0.6}}}
"""

CAR = ("run", "--domain", "company_car", "--deadline", "5")

Process = subprocess.CompletedProcess[str]
Genius = Callable[..., Result]
Started = Callable[..., Process]


@pytest.fixture
def started(tmp_path: Path) -> Started:
    """Runs ``genius-py ARGUMENTS...`` in a process of its own, after a line of shell."""

    def run(*arguments: str, shell: str = "", env: Mapping[str, str] | None = None) -> Process:
        command = f'"$0" -m genius_py "$@" {shell}'
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", command, sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            stdin=subprocess.DEVNULL,
        )

    return run


class TestPrinting:
    """What parties print is not the result, however they do it."""

    def test_it_goes_to_stderr(self, started: Started, tmp_path: Path) -> None:
        (tmp_path / "loud.py").write_text(LOUD, encoding="utf-8")
        finished = started(*CAR, "--party", "loud.py:Loud", "--json")
        assert finished.returncode == 0
        assert json.loads(finished.stdout)["parties"]["buyer"] == "loud.py:Loud"
        for how in ("at import", "by print", "by descriptor", "by another process", "at exit"):
            assert how in finished.stderr.splitlines()
        assert "by the first stdout" in finished.stderr

    @pytest.mark.parametrize(
        "arguments",
        [
            ("show", "party", "loud.py:Loud"),
            ("compare", "--party", "loud.py:Loud", "--bots", "linear", "--domains", "company_car"),
        ],
    )
    def test_of_no_command(
        self, genius: Genius, tmp_path: Path, arguments: tuple[str, ...]
    ) -> None:
        (tmp_path / "loud.py").write_text(LOUD.replace("atexit.register", "print"))
        result = genius(*arguments)
        assert result.exit_code == 0
        assert "at import" in result.stderr
        assert "at import" not in result.stdout
        assert "by print" not in result.stdout

    def test_where_stderr_is_closed_it_is_lost(self, started: Started, tmp_path: Path) -> None:
        (tmp_path / "loud.py").write_text(LOUD, encoding="utf-8")
        finished = started(*CAR, "--party", "loud.py:Loud", "--json", shell="2>&-")
        assert json.loads(finished.stdout)["reason"] == "deadline"

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
    def test_a_party_that_forks_does_not_double_the_result(
        self, started: Started, tmp_path: Path
    ) -> None:
        (tmp_path / "forking.py").write_text(
            "import os\n"
            "from genius_py.parties.boulware import Boulware\n"
            "class Forking(Boulware):\n"
            "    def init(self, info):\n"
            "        super().init(info)\n"
            "        child = os.fork()\n"
            "        if child: os.waitpid(child, 0)\n",
            encoding="utf-8",
        )
        finished = started(*CAR, "--party", "forking.py:Forking", "--json")
        assert json.loads(finished.stdout)["reason"] == "deadline"

    def test_after_the_command_stdout_is_as_before(self) -> None:
        program = (
            "import os, sys; from genius_py.cli import main; before = sys.stdout\n"
            "main(['list', 'domains'], standalone_mode=False)\n"
            "assert sys.stdout is before; os.write(1, b'written'); print('printed')"
        )
        finished = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        assert "company_car" in finished.stdout
        assert finished.stdout.endswith("writtenprinted\n")


class TestLeaving:
    """Nobody but the program itself decides its exit code."""

    @pytest.mark.parametrize("code", ["sys.exit(0)", "raise SystemExit", "sys.exit('bye')"])
    def test_a_party_that_leaves_at_import_is_named(
        self, genius: Genius, tmp_path: Path, code: str
    ) -> None:
        (tmp_path / "leaving.py").write_text(f"import sys\n{code}\n", encoding="utf-8")
        result = genius(*CAR, "--party", "leaving.py:Mine")
        assert result.exit_code == 2
        assert "Error: leaving.py cannot be imported: SystemExit" in result.stderr
        assert "(leaving.py, line 2)" in result.stderr

    def test_rules_that_leave_are_named(self, genius: Genius, tmp_path: Path) -> None:
        (tmp_path / "leaving.py").write_text(
            "import sys\n"
            "from genius_py.protocols.alternating_offers import *\n"
            "class Rules(StackedAlternatingOffersProtocol):\n"
            "    name = 'rules'\n"
            "    def is_finished(self, session, parties):\n"
            "        sys.exit(0)\n",
            encoding="utf-8",
        )
        result = genius(*CAR, "--protocol", "leaving.py:Rules")
        assert result.exit_code == 2
        assert "sys.exit(0) was called by" in result.stderr
        assert "leaving.py, line 6." in result.stderr

    @pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
    def test_ctrl_c_ends_a_run_in_a_line_and_keeps_what_was_played(self, tmp_path: Path) -> None:
        (tmp_path / "slow.py").write_text(
            "import os, signal\n"
            "from genius_py.parties.boulware import Boulware\n"
            "class Slow(Boulware):\n"
            "    made = 0\n"
            "    def init(self, info):\n"
            "        super().init(info)\n"
            "        Slow.made += 1\n"
            "        if Slow.made == 3:\n"
            "            os.kill(os.getpid(), signal.SIGINT)\n",
            encoding="utf-8",
        )
        arguments = [*CAR, "--party", "slow.py:Slow", "--repeat", "9", "--log", "log.jsonl"]
        finished = subprocess.run(
            [sys.executable, "-m", "genius_py", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 128 + signal.SIGINT
        assert finished.stdout == ""
        assert finished.stderr.split("\n")[-2] == "Stopped. The logs of 2 sessions are kept."
        assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == [
            "log-0.jsonl",
            "log-1.jsonl",
        ]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
class TestFullDisk:
    """What cannot be written is told in a line."""

    @pytest.mark.parametrize(
        "arguments", [(*CAR, "--json", "--trace"), ("list", "parties"), ("run", "--help"), ("-h",)]
    )
    def test_stdout(self, started: Started, arguments: tuple[str, ...]) -> None:
        finished = started(*arguments, shell=">/dev/full")
        assert finished.returncode == 2
        assert finished.stderr == "Error: stdout: No space left on device.\n"

    @pytest.mark.parametrize(
        ("option", "name"), [("--log", "log.jsonl"), ("--plot", "plot.svg"), ("--plot", "p.png")]
    )
    def test_a_file_of_a_run(self, genius: Genius, tmp_path: Path, option: str, name: str) -> None:
        (tmp_path / name).symlink_to("/dev/full")
        result = genius(*CAR, option, name)
        assert result.exit_code == 2
        assert name in result.stderr
        assert result.stderr.endswith("No space left on device.\n")
        assert len(result.stderr.splitlines()) == 1

    @pytest.mark.parametrize(
        "arguments",
        [
            ("analyze", "company_car", "--export", "out.csv"),
            ("analyze", "log.jsonl", "--events", "out.csv"),
            ("report", "log.jsonl", "-o", "out.csv"),
            ("convert", "company_car", "out.yaml", "--force"),
        ],
    )
    def test_any_other_file(
        self, genius: Genius, tmp_path: Path, arguments: tuple[str, ...]
    ) -> None:
        genius(*CAR, "--log", "log.jsonl")
        for name in ("out.csv", "out.yaml"):
            (tmp_path / name).symlink_to("/dev/full")
        result = genius(*arguments)
        assert result.exit_code == 2
        assert result.stderr.endswith(": No space left on device.\n")
        assert "out." in result.stderr


class TestFiles:
    """Files are tried before anything is played, and none is written over another."""

    @pytest.mark.parametrize("option", ["--log", "--plot"])
    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("", "is empty"),
            ("  ", "is empty"),
            ("nowhere/x.svg", "There is no folder 'nowhere'"),
            ("there", "is a directory"),
            ("x" * 300 + ".svg", "cannot be written: File name too long"),
            ("there/../there", "is a directory"),
        ],
    )
    def test_one_that_cannot_be_written_is_refused(
        self, genius: Genius, tmp_path: Path, option: str, name: str, told: str
    ) -> None:
        (tmp_path / "there").mkdir()
        (tmp_path / "mine.py").write_text(
            "from genius_py.parties.boulware import Boulware\n"
            "class Mine(Boulware):\n"
            "    def init(self, info): open('played', 'w')\n",
            encoding="utf-8",
        )
        result = genius(*CAR, "--party", "mine.py:Mine", option, name)
        assert result.exit_code == 2
        assert told in result.stderr
        assert option in result.stderr
        assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.py", "there"]

    @pytest.mark.parametrize(
        "arguments",
        [
            ("play", "--domain", "company_car", "--log", "no/x"),
            ("analyze", "company_car", "--export", "no/x.csv"),
            ("analyze", "log.jsonl", "--events", "no/x.csv"),
            ("report", "log.jsonl", "--output", "no/x.html"),
            ("tournament", "config.yaml", "--output", "no/x.sqlite"),
            ("tournament", "config.yaml", "--output", "x.sqlite", "--csv", "no/x"),
            ("tournament", "config.yaml", "--output", "x.sqlite", "--parquet", "no/x"),
            ("tournament", "config.yaml", "--output", "x.sqlite", "--genius-csv", "no/x"),
            ("compare", "--party", "linear", "--output", "no/x.sqlite"),
            ("replay", "log.jsonl", "--plot", "no/x.svg"),
        ],
    )
    def test_so_in_every_command(self, genius: Genius, arguments: tuple[str, ...]) -> None:
        result = genius(*arguments)
        assert result.exit_code == 2
        assert "There is no folder 'no'; make it, or name another." in result.stderr

    def test_trying_a_file_leaves_it_as_it_was(self, genius: Genius, tmp_path: Path) -> None:
        (tmp_path / "old.jsonl").write_text("mine", encoding="utf-8")
        (tmp_path / "link.jsonl").symlink_to("nothing.jsonl")
        for name in ("old.jsonl", "new.jsonl", "link.jsonl"):
            assert genius(*CAR, "--log", name, "--party", "nobody").exit_code == 2
        assert sorted(path.name for path in tmp_path.iterdir()) == ["link.jsonl", "old.jsonl"]
        assert (tmp_path / "link.jsonl").is_symlink()
        assert (tmp_path / "old.jsonl").read_text(encoding="utf-8") == "mine"

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ((*CAR, "--log", "a.svg", "--plot", "./a.svg"), "--log and --plot are"),
            (("run", "--domain", "game.yaml", "--log", "game.yaml"), "--domain and --log are"),
            ((*CAR, "--log", "mine.py", "--party", "mine.py:Mine"), "--party and --log are"),
            (("report", "a.jsonl", "b.jsonl", "-o", "b.jsonl"), "RESULTS... and --output are"),
            (("analyze", "a.jsonl", "--export", "x.csv", "--events", "x.csv"), "--events are"),
            (("tournament", "game.yaml", "-o", "game.yaml"), "--output are the same file"),
            (("tournament", "game.yaml", "-o", "x", "--csv", "y", "--genius-csv", "y"), "--csv"),
            (("replay", "a.svg", "--plot", "a.svg"), "LOG and --plot are the same file"),
        ],
    )
    def test_no_file_is_written_over_another(
        self, genius: Genius, tmp_path: Path, arguments: tuple[str, ...], told: str
    ) -> None:
        there = ("game.yaml", "mine.py", "a.jsonl", "b.jsonl", "a.svg")
        for name in there:
            (tmp_path / name).write_text("mine", encoding="utf-8")
        result = genius(*arguments)
        assert result.exit_code == 2
        assert told in result.stderr
        assert "would be written over; name two." in result.stderr
        for name in there:
            assert (tmp_path / name).read_text(encoding="utf-8") == "mine"

    @pytest.mark.parametrize(("name", "shell"), [("x", ">x"), ("/dev/stdout", "| cat")])
    def test_nor_over_the_result(self, started: Started, name: str, shell: str) -> None:
        finished = started(*CAR, "--log", name, shell=shell)
        assert finished.returncode == 2
        assert f"'{name}' is where the result goes; name another file." in finished.stderr

    def test_a_log_may_go_to_a_pipe(self, started: Started) -> None:
        finished = started(*CAR, "--json", shell="--log >(cat >&2) | cat")
        assert json.loads(finished.stdout)["reason"] == "deadline"
        assert '"genius-py session log"' in finished.stderr


class TestOptions:
    """What could only be meant otherwise is refused."""

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ((*CAR, "--protocol", ""), "Invalid value for '--protocol': It is empty"),
            ((*CAR, "--party", ""), "Invalid value for '--party': It is empty"),
            ((*CAR, "--mediator", " "), "Invalid value for '--mediator': It is empty"),
            ((*CAR, "--profile", ""), "Invalid value for '--profile': It is empty"),
            (("run", "--domain", ""), "Invalid value for '--domain': It is empty"),
            (("convert", "company_car", ""), "Invalid value for 'OUT': It is empty"),
            (("analyze", ""), "Invalid value for 'DOMAIN|LOG...': It is empty"),
            (("new", "party", "x", "--folder", ""), "Invalid value for '--folder': It is empty"),
            (("compare", "--party", "linear", "--bots", ""), "'--bots': It is empty"),
            (("model", "show", ""), "Invalid value for 'NAME': It is empty"),
            ((*CAR, "--seed", "1", "--seed", "2"), "--seed is given 2 times"),
            ((*CAR, "--domain", "wind_farm"), "--domain is given 2 times"),
            ((*CAR, "--deadline", "9"), "--deadline is given 2 times"),
            (("compare", "--party", "linear", *["--bots", "micro"] * 3), "--bots is given 3 times"),
            ((*CAR[:-1], "10r,20r"), "'10r,20r' says twice how many rounds"),
            ((*CAR[:-1], "9" * 5000), "a number of 5000 digits never comes"),
            ((*CAR, "--party", "boulware:e=1,e=2"), "gives e twice; give it once"),
            ((*CAR, "--protocol", "SAOP:finish_round=maybe"), "must be true or false, not 'maybe'"),
            (("run", "--domain", "random:issues=1000000"), "at most 1000 issues, not 1000000"),
            (
                ("run", "company_car"),
                "'company_car' stands alone; did you mean --domain company_car?",
            ),
            (
                (*CAR, "--party", "linear", "micro"),
                "'micro' stands alone; did you mean --party micro?",
            ),
            ((*CAR, "--party", "boulware", "e=1"), "did you mean --party boulware:e=1?"),
            ((*CAR, "--json", "all"), "'all' stands alone; here all is said by options."),
            ((*CAR[:-2], "--rounds", "5"), "No such option '--rounds'. Did you mean '--deadline'?"),
            (("run", "--protocol", "company_car", "--domain", "SAOP"), "but a domain is."),
        ],
    )
    def test_refused(self, genius: Genius, arguments: tuple[str, ...], told: str) -> None:
        result = genius(*arguments)
        assert result.exit_code == 2
        assert told in result.stderr

    def test_flags_may_be_repeated_and_a_title_be_empty(self, genius: Genius) -> None:
        assert genius(*CAR, "--trace", "--trace", "--log", "log.jsonl").exit_code == 0
        assert genius("report", "log.jsonl", "--title", "").exit_code == 0

    def test_a_quoted_text_without_end_is_shortened(self, genius: Genius) -> None:
        result = genius(*CAR, "--party", f"boulware:e={'9' * 100_000}")
        assert result.exit_code == 2
        assert len(result.stderr) < 2100


class TestTerminals:
    """Whatever the terminal, or nobody, makes of what is written."""

    COMMANDS = (
        ("run", "--domain", "umlauts.yaml", "--trace", "--log", "log.jsonl", "--plot", "p.svg"),
        ("run", "--domain", "umlauts.yaml", "--repeat", "2"),
        ("show", "domain", "umlauts.yaml"),
        ("analyze", "umlauts.yaml"),
        ("check", "domain", "umlauts.yaml"),
        ("convert", "umlauts.yaml", "copy.yaml"),
        ("run", "--domain", "nöwhere"),
    )

    @pytest.mark.parametrize(
        "env",
        [
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            {"PYTHONIOENCODING": "ascii"},
        ],
        ids=["C", "ascii"],
    )
    def test_what_cannot_be_encoded_is_escaped(
        self, started: Started, tmp_path: Path, env: dict[str, str]
    ) -> None:
        (tmp_path / "umlauts.yaml").write_text(UMLAUTS, encoding="utf-8")
        program = (
            "import sys\nfrom genius_py.cli import main\n"
            f"for arguments in {self.COMMANDS!a}:\n"
            "    try: main(arguments)\n"
            "    except SystemExit as ended: print('exit', ended.code)\n"
        )
        finished = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={**os.environ, **env},
            capture_output=True,
            check=True,
        )
        lines = finished.stdout.decode("ascii").splitlines()
        assert [line for line in lines if line.startswith("exit")] == ["exit 0"] * 6 + ["exit 2"]
        assert any(line.startswith(r"gr\xf6\xdfe") for line in lines)
        assert b"No file, folder or bundled domain is named 'n" in finished.stderr

    @pytest.mark.parametrize("columns", ["0", "1", "20", "40"])
    def test_a_narrow_one(
        self, genius: Genius, monkeypatch: pytest.MonkeyPatch, columns: str
    ) -> None:
        monkeypatch.setenv("COLUMNS", columns)
        Path("umlauts.yaml").write_text(UMLAUTS, encoding="utf-8")
        for arguments in self.COMMANDS[:-1]:
            result = genius(*arguments)
            assert result.exit_code == 0
            assert result.stdout.strip()
            if int(columns) > 1 and arguments[0] != "convert":
                assert max(map(len, result.stdout.splitlines())) <= int(columns)

    @pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
    def test_names_of_files_may_be_any_bytes(self, genius: Genius) -> None:
        name = os.fsdecode(b"\xff")
        Path(name).mkdir()
        party = f"{name}/mine.py"
        Path(party).write_text("from genius_py.parties.boulware import *", encoding="utf-8")
        Path(f"{name}.yaml").write_text(UMLAUTS, encoding="utf-8")
        run = ("run", "--domain", f"{name}.yaml", "--party", f"{party}:Boulware")
        assert genius(*run, "--log", f"{name}.jsonl", "--json").exit_code == 0
        assert genius("replay", f"{name}.jsonl").exit_code == 0
        tables = ("--export", f"{name}.csv", "--events", "events.csv")
        assert genius("analyze", f"{name}.jsonl", *tables).exit_code == 0
        assert genius("report", f"{name}.jsonl", "--output", f"{name}.html").exit_code == 0
        assert genius("convert", f"{name}.yaml", f"{name}2").exit_code == 0

    def test_nobody_reads_any_more(self, started: Started) -> None:
        finished = started("list", "metrics", shell="| true")
        assert finished.returncode == 141
        assert finished.stderr == ""

    @pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of POSIX")
    @pytest.mark.parametrize(("no_color", "has_colours"), [("", True), ("1", False)])
    def test_colours_can_be_refused(self, tmp_path: Path, no_color: str, has_colours: bool) -> None:
        seen = on_terminal([*CAR], tmp_path, {"NO_COLOR": no_color, "TERM": "xterm"})
        assert b"No agreement" in seen
        assert (b"[1;33m" in seen) is has_colours
