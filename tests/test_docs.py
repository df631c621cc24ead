"""What README and docs say runs: their code is executed, page by page, in an empty folder."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from genius_py.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"[Ss]ave (?:this|it) as `([\w./-]+)`[^\n]*\n+\Z")
SKIPPED = re.compile(r"<!-- not run: .+? -->\n+\Z")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_code_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    for block in BLOCK.finditer(text):
        language, code, before = block[1], block[2], text[: block.start()]
        if SKIPPED.search(before):
            continue
        line = text.count("\n", 0, block.start()) + 2
        if saved := SAVED.search(before):
            Path(saved[1]).parent.mkdir(parents=True, exist_ok=True)
            Path(saved[1]).write_text(code, encoding="utf-8")
        elif language == "python":
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
        elif language == "sh":
            for command in re.findall(r"^genius-py (.*)$", code, re.MULTILINE):
                result = CliRunner().invoke(main, shlex.split(command, comments=True))
                assert result.exit_code == 0, f"{page.name}: genius-py {command}\n{result.output}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_of_the_repository_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_front_page_leads_to_every_page() -> None:
    docs = ROOT / "docs"
    targets = re.findall(r"\]\(([^)#:]+)", (docs / "index.md").read_text(encoding="utf-8"))
    linked = {docs / "index.md", *(docs / target for target in targets)}
    assert set(docs.rglob("*.md")) == linked


def test_contributing_says_where_each_module_lives() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Where things live")[2].partition("\n\n#")[0]
    named = {name.removeprefix("genius_py/").strip("/") for name in re.findall("`(.+?)`", table)}
    modules = {
        path.name
        for path in (ROOT / "genius_py").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert modules - {"__init__.py", "__main__.py"} - named == set()
