import re
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pytest

from genius_py.errors import DomainError, GeniusWarning, OptionError, UnknownName
from genius_py.formats import FORMATS, bundled_names, load, losses, save
from genius_py.scenario import Scenario

FOLDERS = [name for name in FORMATS if name != "yaml"]


def assert_alike(one: Scenario, other: Scenario) -> None:
    """The same issues, and for each seat the same utilities."""
    assert one.domain == other.domain
    assert len(one.profiles) == len(other.profiles)
    for role, space in one.profiles.items():
        found = other.profiles.get(role) or [*other.profiles.values()][one.roles.index(role)]
        assert np.allclose(found.utilities(), space.utilities(), atol=1e-9)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", bundled_names())
def test_a_bundled_domain_goes_through_every_format_that_can_hold_it(
    name: str, format: str, tmp_path: Path
) -> None:
    scenario = load(name)
    try:
        lost = losses(scenario, format)
    except DomainError as error:
        # The error names what the format cannot hold, and saving says the same.
        with pytest.raises(DomainError, match=re.escape(str(error))):
            save(scenario, tmp_path / "new", format)
        return
    save(scenario, tmp_path, format)
    with warnings.catch_warnings():
        # A game may have an issue that is worth nothing to anybody, and says so when it is read.
        warnings.simplefilter("ignore", GeniusWarning)
        read = load(tmp_path)
    if scenario.domain.is_listable:
        assert_alike(scenario, read)
    if not lost:
        assert read == scenario


@pytest.mark.parametrize("format", FOLDERS)
def test_what_only_our_format_holds_is_told(format: str) -> None:
    lost = losses(load("flour_supply"), format)
    for part in ("description", "deadline", "protocol"):
        assert f"the {part} of the scenario." in lost


@pytest.mark.parametrize("name", ["out.yaml", "out.yml", "out.json", "OUT.JSON"])
def test_the_extension_of_a_file_gives_its_format(name: str, tmp_path: Path) -> None:
    scenario = load("flour_supply")
    save(scenario, tmp_path / name)
    assert load(tmp_path / name) == scenario


def test_a_folder_without_a_format_is_of_java_genius(tmp_path: Path) -> None:
    save(load("flour_supply"), tmp_path / "new")
    assert {path.suffix for path in (tmp_path / "new").iterdir()} == {".xml"}


def test_a_format_that_needs_a_folder_is_not_written_into_a_file(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="GeniusWeb is written into a folder; name one"):
        save(load("flour_supply"), tmp_path / "out.json", "geniusweb")
    with pytest.raises(OptionError, match="Java Genius is written into a folder"):
        save(load("flour_supply"), tmp_path / "out.xml")


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    for ask in (lambda: losses(load("flour_supply"), "x"), lambda: save(load("random"), ".", "x")):
        with pytest.raises(OptionError, match="There is no format 'x'; choose one of yaml, genius"):
            ask()


def test_the_file_of_a_domain_and_those_of_profiles_are_named_one_by_one(tmp_path: Path) -> None:
    scenario = load("flour_supply")
    for format in ("genius-xml", "geniusweb"):
        folder = tmp_path / format
        save(scenario, folder, format)
        [domain] = [p for p in folder.iterdir() if p.stem not in scenario.roles]
        profiles = [folder / f"{role}{domain.suffix}" for role in ("bakery", "mill")]
        read = load(domain, profiles)
        assert read.roles == ("bakery", "mill")
        assert_alike(scenario, read)


def test_a_profile_of_one_s_own_is_played_on_a_bundled_domain(tmp_path: Path) -> None:
    path = tmp_path / "greedy.yaml"
    path.write_text("{type: linear, coefficients: {price: 1}, constant: -35000, scale: 10000}")
    scenario = load("company_car", [path])
    assert scenario.roles == ("greedy",)
    assert scenario.profile("greedy").utilities().max() == 1


def test_names_of_bundled_domains_are_forgiving() -> None:
    assert load("Company-Car") == load("company_car")


def test_a_bundled_name_means_the_same_in_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save(load("flour_supply"), tmp_path / "company_car", "yaml")
    assert load("company_car").roles == ("buyer", "seller")
    assert load("./company_car").roles == ("mill", "bakery")


def test_a_wrong_name_is_told_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="'compny_car'; did you mean 'company_car'"):
        load("compny_car")
    with pytest.raises(UnknownName, match="see `genius-py list domains`"):
        load("/nowhere/at_all")


def test_profiles_do_not_go_with_a_folder(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="with profiles, name the file of the domain"):
        load(tmp_path, ["x.yaml"])


def test_a_folder_or_file_that_holds_no_scenario_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing here")
    (tmp_path / "other.yaml").write_text("weather: fine")
    (tmp_path / "other.json").write_text("[1]")
    for path in (tmp_path, tmp_path / "notes.txt", tmp_path / "other.json"):
        with pytest.raises(DomainError, match=r"expected a scenario of .*; found none") as caught:
            load(path)
        assert str(caught.value).startswith(str(path))


def test_a_broken_file_beside_a_scenario_of_another_format_does_not_matter(tmp_path: Path) -> None:
    save(load("flour_supply"), tmp_path, "genius-xml")
    (tmp_path / "notes.yaml").write_text("a: [")
    assert load(tmp_path).roles == ("mill", "bakery")


@pytest.mark.parametrize("name", ["x.yaml", "x.json"])
def test_a_broken_file_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("[")
    for source in (tmp_path, tmp_path / name):
        with pytest.raises(DomainError, match=rf"{re.escape(name)}:\d:\d: this is not"):
            load(source)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"issues:\n  x: [caf\xe9]\n")
    with pytest.raises(DomainError, match=r"x\.yaml:2: byte 0xe9 is not UTF-8"):
        load(path)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfissues: {x: [a]}")
    assert load(path).domain.issue_names == ("x",)


def test_a_scenario_of_ten_to_the_forty_loads_in_little_memory(tmp_path: Path) -> None:
    save(load("random:issues=40,values=10"), tmp_path / "huge.yaml")
    tracemalloc.start()
    scenario = load(tmp_path / "huge.yaml")
    assert scenario.domain.size == 10**40
    assert scenario.profile("party1").utility(scenario.domain.bid_at(10**39)) > 0
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6


def test_every_published_folder_loads_or_says_why_not(corpus: Path) -> None:
    folders = [path for path in sorted(corpus.glob("*/*")) if path.is_dir()]
    assert folders
    refused = []
    for folder in folders:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", GeniusWarning)
            try:
                assert load(folder).profiles
            except DomainError:
                refused.append(folder.name)
    assert len(refused) < 0.05 * len(folders), refused


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.jsonl", b'{"format": "genius-py session log", "version": 2}', "see genius-py replay"),
        ("a", b'{"format":"genius-py session log"}', "see genius-py replay"),
        ("a.sqlite", b"SQLite format 3\0", "see genius-py tournament --show"),
        ("a.py", b"class Mine: ...", "named by --party FILE.py:Class"),
        ("a.yaml", b"domains: [x]\nparties: [y]\n", "this configures a tournament"),
    ],
)
def test_a_file_of_another_use_is_told_that(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DomainError, match=told):
        load(tmp_path / name)
