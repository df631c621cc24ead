"""What setup.cfg, constraints.txt, README and CI say agrees with the disk and with each other."""

import configparser
import re
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import distribution, entry_points, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import genius_py

ROOT = Path(__file__).parents[1]
PLUG_INS = ("domains", "parties", "protocols")
LINKS = tuple(ROOT / "genius_py" / name for name in PLUG_INS)

setup_cfg = configparser.ConfigParser(interpolation=None)
setup_cfg.read(ROOT / "setup.cfg", encoding="utf-8")


def text(path: str) -> str:
    """The content of a file of the repository."""
    return (ROOT / path).read_text(encoding="utf-8")


def files(folder: Path) -> Iterator[Path]:
    """All source files below, each once: the links are not followed."""
    for path in sorted(folder.iterdir()):
        if path in LINKS or path.name == "__pycache__":
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def package_files() -> dict[str, list[Path]]:
    """For each folder that is mapped to a package: its files, relative to it."""
    mapped = setup_cfg["options"]["package_dir"].strip().splitlines()
    folders = {name: ROOT / folder for name, folder in (line.split(" = ") for line in mapped)}
    return {
        name: [path.relative_to(folder) for path in files(folder)]
        for name, folder in folders.items()
    }


def test_setup_cfg_names_every_package_on_disk() -> None:
    on_disk = {
        ".".join((root, *module.parent.parts))
        for root, paths in package_files().items()
        for module in paths
        if module.suffix == ".py"
    }
    named = setup_cfg["options"]["packages"].split()
    assert sorted(named) == sorted(on_disk)


def test_every_package_has_an_init_file() -> None:
    for paths in package_files().values():
        folders = {module.parent for module in paths if module.suffix == ".py"}
        assert folders == {module.parent for module in paths if module.name == "__init__.py"}


def test_every_data_file_is_in_the_wheel() -> None:
    globs = {package: value.split() for package, value in setup_cfg["options.package_data"].items()}
    left_out = [
        (package, path.as_posix())
        for package, paths in package_files().items()
        for path in paths
        if path.suffix != ".py" and not any(fnmatch(str(path), glob) for glob in globs[package])
    ]
    assert left_out == []


def test_the_links_are_committed_as_links() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "--stage", "--", *LINKS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.split()[0] for line in listing.stdout.splitlines()] == ["120000"] * len(LINKS)


@pytest.mark.parametrize("link", LINKS, ids=PLUG_INS)
def test_a_link_leads_to_its_folder_at_the_top(link: Path) -> None:
    target = f"../{link.name}"
    if link.is_symlink():
        assert link.readlink().as_posix() == target
    elif link.exists():  # git without support for links writes the target into a file
        assert link.read_text(encoding="utf-8") == target


def test_the_version_is_the_installed_one_and_has_its_changes_listed() -> None:
    assert genius_py.__version__ == version("genius-py")
    assert f"## [{genius_py.__version__}]" in text("CHANGELOG.md")


def test_the_command_is_installed() -> None:
    (command,) = entry_points(group="console_scripts", name="genius-py")
    assert callable(command.load())


def pinned() -> set[str]:
    """Names in constraints.txt, each of which must be at one exact version."""
    lines = [line for line in text("constraints.txt").splitlines() if not line.startswith("#")]
    return {canonicalize_name(line.split("==")[0]) for line in lines if "==" in line}


def test_every_requirement_is_pinned() -> None:
    lines = distribution("genius-py").requires or []
    names = {canonicalize_name(Requirement(line).name) for line in lines}
    assert {"numpy", "matplotlib", "pytest", "ruff"} <= names
    assert names - pinned() == set()


def requirements_of(name: str, extras: frozenset[str]) -> dict[str, frozenset[str]]:
    """What an installed distribution with these extras needs on this machine: name -> extras."""
    requirements = [Requirement(line) for line in distribution(name).requires or []]
    return {
        canonicalize_name(needed.name): frozenset(needed.extras)
        for needed in requirements
        if needed.marker is None
        or any(needed.marker.evaluate({"extra": extra}) for extra in extras | {""})
    }


def test_what_the_test_extra_brings_along_is_pinned() -> None:
    waiting = {"genius-py": frozenset({"test"})}
    brought: set[str] = set()
    while waiting:
        name, extras = waiting.popitem()
        brought.add(name)
        needed = requirements_of(name, extras)
        waiting |= {name: needed[name] for name in needed.keys() - brought}
    assert brought > {"genius-py", "matplotlib", "pillow", "pluggy"}
    assert brought - pinned() == {"genius-py"}


def readme_commands() -> list[str]:
    """The README's lines that set up an environment and run something in it."""
    return re.findall(r"^python3 -m venv .*$", text("README.md"), flags=re.MULTILINE)


def test_the_readme_has_one_line_for_the_main_job_and_one_for_the_tests() -> None:
    job, tests = readme_commands()
    assert job.endswith("&& .venv/bin/genius-py run --protocol SAOP --domain company_car")
    assert tests.endswith("&& .venv/bin/pytest -q")


def test_ci_runs_the_test_line_of_the_readme() -> None:
    _, tests = readme_commands()
    assert tests in [line.strip() for line in text(".ci/run").splitlines()]
