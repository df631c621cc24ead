"""Write docs/seeds.md: for each statement about a seed, the tests that name it and have passed.

A test names a statement by its own name: ``test_s1_12_...`` tests S1.12, and ``test_s1_12_13_...``
S1.13 too. Run it after adding or renaming such a test: it runs all of them, and writes the page
when they pass. A test compares the page with what this would write.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "seeds.md"

_NAME = re.compile(r"test_s(\d+)((?:_\d+)+)_(\D\w*)")

_SEEDS: Mapping[int, str] = {
    0: "the negotiation platform",
    1: "bilateral trade",
    2: "Genius's protocols",
    3: "the negotiation executor",
    4: "normal-form and repeated games",
}

_HEAD = """\
# The seeds, statement by statement

genius-py grew from five documents that describe systems of their own: the seeds. What they state is
numbered: S0.12 is statement 12 about seed 0. Below stand the tests that name each statement, with
what they claim. `python tools/seeds_table.py` runs them and, when all pass, writes this page;
continuous integration runs them with every change.
"""


@attrs.frozen
class NamedTest:
    """A test, the statements that it names, and why it is left out, if it is."""

    seed: int
    statements: tuple[int, ...]
    claim: str
    file: str
    left_out: str = ""


def named_tests(folder: Path = ROOT / "tests") -> Iterator[NamedTest]:
    """Every test that names a statement, in the order of files and lines."""
    for path in sorted(folder.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if _NAME.search(text):
            yield from _tests_of(ast.parse(text), path.relative_to(folder).as_posix())


def _tests_of(module: ast.Module, file: str) -> Iterator[NamedTest]:
    for_all = _left_out(module.body)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and (named := _NAME.fullmatch(node.name)):
            statements = tuple(map(int, named[2].strip("_").split("_")))
            left_out = _marked(node.decorator_list) or for_all
            yield NamedTest(int(named[1]), statements, named[3].replace("_", " "), file, left_out)


def _left_out(body: list[ast.stmt]) -> str:
    """Why a whole module is not run, empty when it is."""
    marks = [
        statement.value
        for statement in body
        if isinstance(statement, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in statement.targets)
    ]
    return _marked(marks)


def _marked(marks: list[ast.expr]) -> str:
    for mark in marks:
        told = ast.unparse(mark)
        if re.match(r"pytest\.mark\.(skip|skipif|xfail)\b", told):
            reason = re.search(r"reason=(['\"])(.*?)\1", told)
            return reason[2] if reason else "left out"
    return ""


def page(found: Iterable[NamedTest] | None = None) -> str:
    """The text of the page."""
    everything = list(named_tests() if found is None else found)
    seeds = sorted({test.seed for test in everything})
    return _HEAD + "".join(
        _section(seed, [test for test in everything if test.seed == seed]) for seed in seeds
    )


def _section(seed: int, named: list[NamedTest]) -> str:
    numbers = sorted({number for test in named for number in test.statements})
    rows = [
        _row(f"S{seed}.{number}", [test for test in named if number in test.statements])
        for number in numbers
    ]
    title = f"Seed {seed:03}: {_SEEDS.get(seed, 'another')}"
    count = f"{len(numbers)} statements, {len(named)} tests."
    return (
        f"\n## {title}\n\n{count}\n\n| statement | tests | state |\n| --- | --- | --- |\n"
        + "".join(rows)
    )


def _row(statement: str, named: list[NamedTest]) -> str:
    files = dict.fromkeys(test.file for test in named)
    claims = "<br>".join(
        f"{'; '.join(test.claim for test in named if test.file == file)} (`{file}`)"
        for file in files
    )
    remarks = dict.fromkeys(test.left_out for test in named if test.left_out)
    state = f"not yet: {'; '.join(remarks)}" if remarks else "passed"
    return f"| {statement} | {claims} | {state} |\n"


def main() -> None:
    """Run the tests, then write the page."""
    files = sorted({str(ROOT / "tests" / test.file) for test in named_tests()})
    command = [sys.executable, "-m", "pytest", "-q", *files]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise SystemExit("The page is as it was: not all of the tests pass.")
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
