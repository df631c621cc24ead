"""`genius-py convert`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from genius_py import formats

Genius = Callable[..., Result]

FLOUR = "flour_supply"


def test_a_yaml_copy_loses_nothing_and_says_so(genius: Genius) -> None:
    result = genius("convert", FLOUR, "copy.yaml")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.startswith("Wrote copy.yaml")
    assert formats.load("copy.yaml") == formats.load(FLOUR)


def test_a_folder_is_of_genius_and_keeps_every_utility(genius: Genius) -> None:
    result = genius("convert", FLOUR, "genius")
    assert result.exit_code == 0
    assert "Java Genius" in result.stdout
    assert all(line.startswith("Lost: ") for line in result.stderr.splitlines())
    assert "description" in result.stderr
    copy, original = formats.load("genius"), formats.load(FLOUR)
    assert copy.domain == original.domain
    for mine, theirs in zip(copy.profiles.values(), original.profiles.values(), strict=True):
        assert mine.utilities() == pytest.approx(theirs.utilities(), abs=1e-12)


def test_the_format_can_be_named(genius: Genius) -> None:
    assert genius("convert", FLOUR, "web", "--format", "geniusweb").exit_code == 0
    assert formats.load("web").domain.size == formats.load(FLOUR).domain.size


def test_a_made_up_domain_can_be_kept(genius: Genius) -> None:
    spec = "random:issues=3,values=4,parties=3,seed=5"
    assert genius("convert", spec, "kept.json").exit_code == 0
    assert formats.load("kept.json") == formats.load(spec)


def test_profiles_of_a_genius_xml_are_named(genius: Genius, golden: Path) -> None:
    laptop = golden / "inputs" / "laptop"
    result = genius(
        "convert", str(laptop / "laptop_domain.xml"), "laptop.yaml",
        "--profile", str(laptop / "laptop_buyer_utility.xml"),
        "--profile", str(laptop / "laptop_seller_utility.xml"),
    )  # fmt: skip
    assert result.exit_code == 0
    assert formats.load("laptop.yaml").domain.size == 27


def test_what_a_format_cannot_hold_at_all_is_refused(genius: Genius) -> None:
    result = genius("convert", "data_centre_power", "power", "--format", "negolog")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert not Path("power").exists()


def test_a_missing_domain_is_refused(genius: Genius) -> None:
    result = genius("convert", "nowhere.yaml", "copy.yaml")
    assert result.exit_code == 2
    assert "nowhere.yaml" in result.stderr
    assert not Path("copy.yaml").exists()


def test_a_place_that_cannot_be_written_is_one_line(genius: Genius) -> None:
    Path("taken").write_text("not a folder", encoding="utf-8")
    result = genius("convert", FLOUR, "taken/copy.yaml")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: taken")
    assert result.stderr.count("\n") == 1
