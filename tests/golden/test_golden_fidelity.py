import fnmatch
import json
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "fidelity.md"

LEFT_OUT = {"edge_discrete"}
"""Not in every copy of the golden vectors."""


def rows() -> list[list[str]]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [line.strip("|").split("|") for line in lines if re.match(r"\| \d", line)]


def test_deviations_are_numbered() -> None:
    assert [int(row[0]) for row in rows()] == list(range(1, len(rows()) + 1))


def test_golden_every_vector_that_the_page_on_fidelity_names_exists(golden: Path) -> None:
    names = {f"utility/{file.stem}" for file in (golden / "utility").glob("*.json")}
    names |= {name.removeprefix("utility/") for name in names}
    for file in (golden / "traces").glob("*.json"):
        names |= {session["id"] for session in json.loads(file.read_text(encoding="utf-8"))}
    named = {pattern for row in rows() for pattern in re.findall(r"`([^`]+)`", row[-1])}
    missing = {pattern for pattern in named if not fnmatch.filter(names, pattern)}
    assert missing <= LEFT_OUT
