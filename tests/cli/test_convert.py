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
    assert copy.name == original.name
    for mine, theirs in zip(copy.profiles.values(), original.profiles.values(), strict=True):
        assert mine.utilities() == pytest.approx(theirs.utilities(), abs=1e-12)


def test_the_format_can_be_named(genius: Genius) -> None:
    assert genius("convert", FLOUR, "web", "--format", "geniusweb").exit_code == 0
    assert formats.load("web").domain.size == formats.load(FLOUR).domain.size


def test_a_file_of_no_format_is_refused_and_no_folder_takes_its_place(genius: Genius) -> None:
    result = genius("convert", FLOUR, "flour.pdf")
    assert result.exit_code == 2
    assert "into .pdf files" in result.stderr
    assert "ends in .yaml, .yml, .json, or a folder" in result.stderr
    assert not Path("flour.pdf").exists()
    for folder in ("flour-1.2", "flour.d"):
        Path("flour.d").mkdir(exist_ok=True)
        assert genius("convert", FLOUR, folder).exit_code == 0
        assert formats.load(folder).domain.size == formats.load(FLOUR).domain.size


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


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_what_is_read_is_never_written_over(genius: Genius, force: tuple[str, ...]) -> None:
    assert genius("convert", FLOUR, "mine.yaml").exit_code == 0
    Path("mine.yaml").write_text(f"# by hand\n{Path('mine.yaml').read_text()}")
    before = Path("mine.yaml").read_text()
    for other_name in ("mine.yaml", "./mine.yaml"):
        result = genius("convert", "mine.yaml", other_name, *force)
        assert result.exit_code == 2
        assert "OUT is what is read" in result.stderr
    assert Path("mine.yaml").read_text() == before


def test_a_folder_that_is_read_is_left_alone(genius: Genius) -> None:
    assert genius("convert", FLOUR, "keep").exit_code == 0
    before = {path: path.read_bytes() for path in Path("keep").iterdir()}
    assert "OUT is what is read" in genius("convert", "keep", "keep").stderr
    result = genius("convert", "keep", "keep/more.yaml", "--force")
    assert result.exit_code == 2
    assert "a folder of its own" in result.stderr
    assert {path: path.read_bytes() for path in Path("keep").iterdir()} == before


@pytest.mark.parametrize(
    ("out", "format", "taken"),
    [
        ("copy.yaml", "yaml", "copy.yaml"),
        ("copy.json", "yaml", "copy.json"),
        ("copy", "yaml", "copy/scenario.yaml"),
        ("copy", "genius-xml", "copy/domain.xml"),
        ("copy", "geniusweb", "copy/mill.json"),
    ],
)
def test_nothing_is_replaced_unless_it_is_asked_for(
    genius: Genius, out: str, format: str, taken: str
) -> None:
    Path(taken).parent.mkdir(exist_ok=True)
    Path(taken).write_text("precious", encoding="utf-8")
    result = genius("convert", FLOUR, out, "--format", format)
    assert result.exit_code == 2
    assert "there already" in result.stderr
    assert "--force" in result.stderr
    assert Path(taken).read_text(encoding="utf-8") == "precious"
    assert sum(path.is_file() for path in Path().rglob("*")) == 1
    assert genius("convert", FLOUR, out, "--format", format, "--force").exit_code == 0
    assert formats.load(out).domain.size == formats.load(FLOUR).domain.size
