"""Whole negotiations come out as they are written down, in the text files beside this one."""

import runpy
from pathlib import Path

import pytest

_TOOL = Path(__file__).parents[2] / "tools" / "regenerate_traces.py"
TRACES = runpy.run_path(str(_TOOL))["TRACES"]


@pytest.mark.parametrize("name", TRACES)
def test_a_negotiation_comes_out_as_it_is_written_down(name: str) -> None:
    written = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    assert TRACES[name].text() == written, "run tools/regenerate_traces.py and review the diff"


def test_there_is_no_trace_that_nobody_checks() -> None:
    assert {file.stem for file in Path(__file__).parent.glob("*.txt")} == set(TRACES)
