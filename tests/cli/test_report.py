from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Genius = Callable[..., Result]


@pytest.fixture
def log(genius: Genius, tmp_path: Path) -> Path:
    genius("run", "--domain", "flour_supply", "--deadline", "5", "--log", "session.jsonl")
    return tmp_path / "session.jsonl"


def test_a_page_is_made_of_a_log(genius: Genius, log: Path, tmp_path: Path) -> None:
    result = genius("report", str(log), "--title", "Flour")
    assert (result.exit_code, result.output) == (0, "Report: report.html\n")
    assert "<title>Flour</title>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_page_is_made_of_a_tournament(genius: Genius, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(
        "parties: [boulware, conceder]\ndomains: [flour_supply]\ndeadline: 4rounds\n"
    )
    genius("tournament", "t.yaml", "--output", "t.sqlite", "--logs", "--workers", "1")
    assert genius("report", "t.sqlite", "-o", "page.html").exit_code == 0
    assert "2 parties" not in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert (tmp_path / "page.html").stat().st_size > 50_000


def test_several_logs_make_one_page(genius: Genius, tmp_path: Path) -> None:
    genius(
        "run", "--domain", "flour_supply", "--deadline", "3", "--repeat", "2", "--log", "s.jsonl"
    )
    result = genius("report", "s-0.jsonl", "s-1.jsonl", "--replays", "1", "-o", "both.html")
    assert result.exit_code == 0
    assert (tmp_path / "both.html").read_text(encoding="utf-8").count('"steps"') == 1


def test_with_plots_alone_no_page_is_made(genius: Genius, log: Path, tmp_path: Path) -> None:
    result = genius("report", str(log), "--plots", "figures", "--format", "svg")
    assert result.output == "Figures: 4 files in figures\n"
    assert not (tmp_path / "report.html").exists()
    assert len(list((tmp_path / "figures").iterdir())) == 4


def test_a_missing_folder_is_noticed_before_anything_is_read(genius: Genius) -> None:
    result = genius("report", "missing.sqlite", "-o", "nowhere/page.html")
    assert result.exit_code == 2
    assert "There is no folder 'nowhere'" in result.output


def test_a_missing_file_is_named(genius: Genius) -> None:
    result = genius("report", "missing.sqlite")
    assert result.exit_code == 2
    assert result.output == "Error: Cannot read 'missing.sqlite': No such file or directory.\n"


def test_the_page_is_shown_when_asked_for(
    genius: Genius, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("click.launch", shown.append)
    genius("report", str(log), "--open")
    assert shown == ["report.html"]
