"""docs/seeds.md tells which test is for which statement, and tells it as things are."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "seeds_table.py"))


def found(folder: Path, code: str) -> list[object]:
    (folder / "test_it.py").write_text(code, encoding="utf-8")
    return [
        (test.seed, test.statements, test.claim, test.left_out)
        for test in TOOL["named_tests"](folder)
    ]


def test_the_page_is_what_the_tests_say() -> None:
    written = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
    assert written == TOOL["page"](), "run: python tools/seeds_table.py"


def test_no_two_tests_of_a_file_have_one_name() -> None:
    named = [(test.file, test.seed, test.statements, test.claim) for test in TOOL["named_tests"]()]
    assert len(named) == len(set(named))


def test_a_test_names_one_statement_or_several(tmp_path: Path) -> None:
    code = "def test_s1_12_it_works(): ...\ndef test_s3_004_5_it_does(): ...\ndef test_else(): ..."
    assert found(tmp_path, code) == [(1, (12,), "it works", ""), (3, (4, 5), "it does", "")]


def test_methods_of_classes_count_too(tmp_path: Path) -> None:
    assert found(tmp_path, "class TestIt:\n    def test_s1_1_it_works(self): ...") == [
        (1, (1,), "it works", "")
    ]


@pytest.mark.parametrize(
    "code",
    [
        "pytestmark = pytest.mark.skip(reason='later')\ndef test_s1_1_it(): ...",
        "@pytest.mark.skip(reason='later')\ndef test_s1_1_it(): ...",
        "@pytest.mark.xfail(strict=True, reason='later')\ndef test_s1_1_it(): ...",
    ],
)
def test_what_is_left_out_is_not_said_to_pass(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, code) == [(1, (1,), "it", "later")]
    assert "not yet: later" in TOOL["page"](TOOL["named_tests"](tmp_path))
