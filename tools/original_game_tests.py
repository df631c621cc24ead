"""Run the tests of agent-gametheory, whose documentation was one of the seeds, against our games.

Its source distribution is fetched by pip into a temporary folder, in which our
`genius_py.fronts.gametheory` is called `gametheory`, as there.

    python tools/original_game_tests.py [SDIST]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from genius_py.fronts import gametheory

ORIGINAL = "agent-gametheory==0.1.0"

EXCEPTIONS: dict[str, str] = {}
"""Tests that ours cannot pass (``tests/test_core.py::test_name``), and the statement of the seed
that decides otherwise; there are none."""


def fetched(folder: Path) -> Path:
    """The source distribution, fetched into a folder."""
    command = ["download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *command, ORIGINAL], check=True)
    (sdist,) = folder.glob("*.tar.gz")
    return sdist


def run_tests(sdist: Path, folder: Path) -> int:
    """Unpack the tests, and nothing else of it; run them, and return pytest's exit code."""
    with tarfile.open(sdist) as archive:
        tests = [member for member in archive if "tests" in Path(member.name).parts]
        archive.extractall(folder, tests, filter="data")
    (place,) = folder.glob("*/tests")
    ours = Path(gametheory.__file__).parent
    (place.parent / "gametheory").symlink_to(ours, target_is_directory=True)
    left_out = [f"--deselect={test}" for test in EXCEPTIONS]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *left_out, "tests"],
        cwd=place.parent,
        env={**os.environ, "PYTEST_ADDOPTS": ""},
        check=False,
    )
    return done.returncode


def main() -> int:
    """Run them; pytest's exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sdist = Path(sys.argv[1]) if len(sys.argv) > 1 else fetched(folder)
        return run_tests(sdist, folder)


if __name__ == "__main__":
    raise SystemExit(main())
