"""What all commands share: help, names, warnings, errors and exit codes."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import Result

import genius_py
from genius_py import cli
from genius_py.cli import COMMANDS

Genius = Callable[..., Result]


def command(name: str) -> click.Command:
    found: click.Command = importlib.import_module(f"genius_py.cli.{name}").command
    return found


def test_the_help_lists_every_module_that_is_a_command() -> None:
    modules = [m.name for m in pkgutil.iter_modules(cli.__path__) if not m.ispkg]
    assert sorted(COMMANDS) == [name for name in modules if not name.startswith("_")]


def test_help_shows_each_command_with_its_line(genius: Genius) -> None:
    result = genius("--help")
    assert result.exit_code == 0
    for name, line in COMMANDS.items():
        assert f"{name} " in result.stdout
        assert line in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_describes_its_options(genius: Genius, name: str) -> None:
    assert genius(name, "-h").exit_code == 0
    assert command(name).help
    for parameter in command(name).params:
        if isinstance(parameter, click.Option) and parameter.name not in ("help", "seed"):
            assert parameter.help, f"{name} --{parameter.name}"


def test_the_version_is_that_of_the_package(genius: Genius) -> None:
    assert genius("--version").stdout == f"genius-py {genius_py.__version__}\n"


def test_help_imports_neither_numpy_nor_rich() -> None:
    program = (
        "import sys; from genius_py.cli import main; main(['--help'], standalone_mode=False)\n"
        "print({'numpy', 'rich', 'scipy', 'yaml'} & sys.modules.keys())"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert finished.stdout.splitlines()[-1] == "set()"


def test_an_unknown_command_is_answered_with_the_nearest(genius: Genius) -> None:
    result = genius("rnu")
    assert result.exit_code == 2
    assert "No command is named 'rnu'. Did you mean 'run'?" in result.stderr


def test_an_unknown_option_is_answered_with_the_nearest(genius: Genius) -> None:
    result = genius("run", "--domian", "company_car")
    assert result.exit_code == 2
    assert "--domain" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--domain", "compny_car"), "did you mean 'company_car'?"),
        (("--domain", "company_car", "--protocol", "SAOPP"), "Did you mean 'SAOP'"),
        (("--domain", "company_car", "--party", "boulwear"), "Did you mean 'boulware'"),
        (("--domain", "company_car", "--party", "boulware:speed=1"), "its options are: e, k"),
        (("--domain", "company_car", "--party", "linear@nobody"), "it has buyer, seller"),
        (("--domain", "company_car", "--party", "nowhere.py:It"), "no file 'nowhere.py'"),
        (("--domain", "company_car", "--deadline", "soon"), "write '60rounds' or '30s'"),
        (("--domain", "company_car", "--mediator", "random"), "has no mediator's seat"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(
    genius: Genius, arguments: tuple[str, ...], said: str
) -> None:
    result = genius("run", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("class It(:\n", "SyntaxError"),
        ("import no_such_module\n", "No module named 'no_such_module' (it.py, line 1)"),
        ("class It:\n    pass\n", "derive it from genius_py.party.NegotiationParty"),
        ("class That:\n    pass\n", "has no class 'It'"),
    ],
)
def test_a_file_that_holds_no_party_is_one_line_too(
    genius: Genius, content: str, said: str
) -> None:
    Path("it.py").write_text(content, encoding="utf-8")
    result = genius("run", "--domain", "company_car", "--party", "it.py:It")
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


_BROKEN_RULES = """\
from genius_py.action import Accept, Offer
from genius_py.allowed import Allowed, BidOf
from genius_py.protocols.default import DefaultMultilateralProtocol
from genius_py.session import Round, Turn


class Bad(DefaultMultilateralProtocol):
    name = "bad"
    actions = (Offer, Accept)

    def get_round_structure(self, parties, session):
        return Round([Turn(p, Allowed({Offer: {"bid": BidOf(session.domain)}})) for p in parties])

    def apply_action(self, action, session):
        RAISES
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("self.nothing", "AttributeError: 'Bad' object has no attribute 'nothing'"),
        ("action.bid['moon']", "KeyError: 'moon'"),
        ("session.domain.bid(moon=3)", "InvalidBid: "),
        ("open('missing.txt')", "FileNotFoundError"),
        ("raise KeyError", "KeyError ("),
    ],
)
def test_an_error_in_a_protocol_is_one_line_with_its_place(
    genius: Genius, line: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("bad.py").write_text(_BROKEN_RULES.replace("RAISES", line), encoding="utf-8")
    command = ("run", "--domain", "company_car", "--protocol", "bad.py:Bad")
    result = genius(*command)
    assert result.exit_code == 1
    assert "bad.py, line 15, in apply_action raised" in result.stderr
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
    monkeypatch.setenv("GENIUS_PY_TRACEBACK", "1")
    with pytest.raises(Exception, match=r".*") as caught:
        genius(*command)
    assert type(caught.value).__name__ in told


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_error_in_a_protocol_is_told_by_workers_too(genius: Genius, workers: str) -> None:
    Path("bad.py").write_text(_BROKEN_RULES.replace("RAISES", "self.nothing"), encoding="utf-8")
    Path("cup.yaml").write_text(
        "protocols: ['bad.py:Bad']\ndomains: [company_car]\nparties: [boulware, conceder]\n",
        encoding="utf-8",
    )
    result = genius("tournament", "cup.yaml", "-o", "cup.sqlite", "--workers", workers)
    assert result.exit_code == 1
    assert "bad.py, line 15, in apply_action raised AttributeError" in result.stderr


@pytest.mark.parametrize(
    ("option", "kind"), [("--seed", "a whole number"), ("--party-timeout", "a number")]
)
def test_what_is_no_number_is_refused_in_plain_words(
    genius: Genius, option: str, kind: str
) -> None:
    result = genius("run", "--domain", "company_car", option, "x")
    assert result.exit_code == 2
    assert f"'x' is not {kind}." in result.stderr


def test_dubious_input_is_one_line_of_warning_and_goes_on(genius: Genius) -> None:
    assert genius("new", "domain", "odd").exit_code == 0
    scenario = Path("odd/scenario.yaml")
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(text.replace("reservation: 0.3", "reservation: -0.3"), encoding="utf-8")
    result = genius("run", "--domain", "odd", "--repeat", "2")
    assert result.exit_code == 0
    assert result.stderr.startswith("Warning: ")
    assert "reservation value -0.3 is negative" in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_module_is_the_command() -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "genius_py", "--version"], capture_output=True, text=True, check=True
    )
    assert finished.stdout == f"genius-py {genius_py.__version__}\n"
