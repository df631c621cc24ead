"""`genius-py new`."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Genius = Callable[..., Result]

WRITTEN = {
    "party": ["half_way.py", "test_half_way.py"],
    "protocol": ["half_way.py", "test_half_way.py"],
    "domain": ["half_way/scenario.yaml", "test_half_way.py"],
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_it_writes_a_file_and_its_test_and_says_where(genius: Genius, kind: str) -> None:
    result = genius("new", kind, "half_way")
    assert result.exit_code == 0
    for path in WRITTEN[kind]:
        assert f"Wrote {Path(path)}" in result.stdout
        text = Path(path).read_text(encoding="utf-8")
        assert f"my_{kind}" not in text
        assert f"My{kind.title()}" not in text
    assert {str(p.as_posix()) for p in Path().rglob("*") if p.is_file()} == set(WRITTEN[kind])


def test_who_has_no_pytest_is_told_to_get_it(
    genius: Genius, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "pip install" not in genius("new", "party", "half_way").stdout
    monkeypatch.setattr("genius_py.cli.new.find_spec", lambda name: None)
    assert "(after: pip install pytest)" in genius("new", "party", "all_the_way").stdout


def test_what_it_writes_passes_its_own_tests(genius: Genius, tmp_path: Path) -> None:
    for kind in WRITTEN:
        genius("new", kind, f"half_way_{kind}")
    # The templates themselves go through the conformance kit where they stand.
    options = ["-q", "-p", "no:cacheprovider", "-W", "error", "-k", "not contract"]
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout
    assert "5 passed" in finished.stdout


def test_what_it_writes_can_be_played_at_once(genius: Genius) -> None:
    for kind, name in (("party", "Mine"), ("protocol", "Rules"), ("domain", "Game")):
        genius("new", kind, name)
    result = genius(
        "run", "--protocol", "rules.py:Rules", "--domain", "game", "--party", "mine.py:Mine"
    )
    assert result.exit_code == 0
    assert "Agreement" in result.stdout


@pytest.mark.parametrize("name", ["Half Way", "half-way", "HalfWay", " half_way "])
def test_names_become_those_of_python(genius: Genius, name: str) -> None:
    genius("new", "party", name)
    assert "class HalfWay(BiddingParty)" in Path("half_way.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("random", "random.py would hide the module 'random'"),
        ("Token", "try 'my_token'"),
        ("numpy", "numpy.py would hide the module 'numpy'"),
        ("genius-py", "try 'my_genius_py'"),
        ("class", "'class' is a word of Python's own; try 'my_class'"),
        ("none", "'none' is a word of Python's own"),
    ],
)
@pytest.mark.parametrize("kind", ["party", "protocol"])
def test_a_name_that_python_or_a_package_has_is_refused(
    genius: Genius, kind: str, name: str, told: str
) -> None:
    result = genius("new", kind, name)
    assert result.exit_code == 2
    assert told in result.stderr
    assert not list(Path().iterdir())
    assert genius("new", kind, f"my_{name}").exit_code == 0


@pytest.mark.parametrize("name", ["random", "company-car"])
def test_a_domain_that_genius_py_has_is_refused(genius: Genius, name: str) -> None:
    result = genius("new", "domain", name)
    assert result.exit_code == 2
    assert "would not be this one, for genius-py has a domain of that name" in result.stderr
    assert not list(Path().iterdir())


def test_the_own_files_of_a_folder_are_not_taken_for_modules(
    genius: Genius, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path.cwd()))
    Path("haggler.py").touch()
    assert genius("new", "party", "haggler", "--folder", "elsewhere").exit_code == 0


def test_a_link_that_leads_nowhere_is_not_written_through(genius: Genius) -> None:
    Path("half_way.py").symlink_to("secret.py")
    result = genius("new", "party", "half_way")
    assert result.exit_code == 2
    assert "'half_way.py' is there already" in result.stderr
    assert not Path("secret.py").exists()


@pytest.mark.parametrize("name", ["1st", "naïve", "a/b", "../up", "a.py"])
def test_a_name_that_python_cannot_have_is_refused(genius: Genius, name: str) -> None:
    result = genius("new", "party", name)
    assert result.exit_code == 2
    assert "letters, digits and _" in result.stderr
    assert not list(Path().iterdir())


@pytest.mark.parametrize("there", ["half_way.py", "test_half_way.py"])
def test_nothing_is_overwritten_and_nothing_half_written(genius: Genius, there: str) -> None:
    Path(there).write_text("mine", encoding="utf-8")
    result = genius("new", "party", "half_way")
    assert result.exit_code == 2
    assert f"'{there}' is there already" in result.stderr
    assert [path.name for path in Path().iterdir()] == [there]
    assert Path(there).read_text(encoding="utf-8") == "mine"


def test_a_folder_is_made_where_one_is_named(genius: Genius) -> None:
    result = genius("new", "party", "mine", "--folder", "my agents")
    assert result.exit_code == 0
    assert Path("my agents/mine.py").exists()
    spec = f"{Path('my agents/mine.py')}:Mine"
    assert f'genius-py check party "{spec}"' in result.stdout
    assert genius("show", "party", spec).exit_code == 0
