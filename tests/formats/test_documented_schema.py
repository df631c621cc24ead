"""docs/reference/scenario-format.md describes what the reader takes, kind by kind."""

import re
from pathlib import Path

import pytest

from genius_py.errors import DomainError
from genius_py.formats import FORMATS
from genius_py.formats.node import node_of
from genius_py.formats.profile_data import _KINDS, profile_of
from genius_py.formats.scenario_data import scenario_of
from genius_py.formats.yaml_text import parse_yaml

PAGE = (Path(__file__).parents[2] / "docs/reference/scenario-format.md").read_text("utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ISSUES = {
    "linear": {"gpu_hours": {"min": 5, "max": 90}, "cpu_hours": {"min": 5, "max": 90}},
    "table": {"side": ["left", "right"], "end": ["up", "down"]},
    "hyper-rectangle": {"day_load": {"min": 0, "max": 9}, "night_load": {"min": 0, "max": 9}},
    "constraint": {
        "seat": ["aisle", "window"],
        "class": ["first", "second"],
        "row": {"min": 1, "max": 9},
        "car": {"min": 1, "max": 99},
    },
}
PROFILES = {
    kind: block for block in BLOCKS if (kind := block.partition("\n")[0].removeprefix("type: "))
}


@pytest.mark.parametrize("kind", ISSUES)
def test_the_example_of_a_kind_of_profile_is_read(kind: str) -> None:
    domain = scenario_of(node_of({"issues": ISSUES[kind]})).domain
    space = profile_of(parse_yaml(PROFILES[kind]), domain)
    assert space.utilities().max() > 0


def test_every_kind_of_profile_and_every_format_is_described() -> None:
    assert set(ISSUES) == set(_KINDS) - {"additive"}
    for name in (*_KINDS, *FORMATS):
        assert f"`{name}`" in PAGE


def test_the_error_that_is_shown_is_the_one_that_comes() -> None:
    [shown] = re.findall(r"^```text\n(.*)\n```$", PAGE, re.MULTILINE)
    broken = BLOCKS[0].replace("insulated: 0", "insulated: zero")
    with pytest.raises(DomainError) as caught:
        scenario_of(parse_yaml(broken, "bike.yaml"))
    assert str(caught.value) == shown
