import io
import sys

import pytest

from genius_py.cli import _progress
from genius_py.tournament.run import Progress


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.04, "0.0 s"), (59.4, "59 s"), (90, "2 min"), (5400, "1.5 h"), (180_000, "2.1 days")],
)
def test_a_duration_is_told_in_its_own_unit(seconds: float, told: str) -> None:
    assert _progress.duration(seconds) == told


def test_a_pipe_gets_a_plain_line_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with _progress.shown() as report:
        report(Progress(0, 20))
        report(Progress(10, 20))
        report(Progress(20, 20))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("20 of 20 sessions, ")


def test_a_long_run_tells_how_much_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 0.0, 0.0, 0.0, 60.0, 60.0])
    monkeypatch.setattr("genius_py.cli._progress.time.monotonic", lambda: next(clock))
    with _progress.shown() as report:
        report(Progress(0, 90))
        report(Progress(30, 90))
    assert capsys.readouterr().err == "30 of 90 sessions, 0.5/s, about 2 min left\n"


def test_nobody_is_told_where_stderr_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with _progress.shown() as report:
        report(Progress(20, 20))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_with_count_and_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with _progress.shown() as report:
        report(Progress(0, 20))
        report(Progress(20, 20))
    told = terminal.getvalue()
    assert "Sessions" in told
    assert "20/20" in told
    assert "/s" in told
