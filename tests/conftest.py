"""What the test suite shares: settings of hypothesis, outside data, and the command line."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from genius_py.cli import main

# Tests say themselves how wide a page is; pytest-xdist, too, hands its own width on.
os.environ.pop("COLUMNS", None)

# The same examples in each run, and no verdict that depends on how fast the machine is.
settings.register_profile("reproducible", derandomize=True, deadline=None)
settings.load_profile("reproducible")


def _folder(variable: str, content: str) -> Path:
    folder = os.environ.get(variable)
    if folder is None:
        pytest.skip(f"{variable} does not name a folder of {content}")
    return Path(folder)


@pytest.fixture(scope="session")
def golden() -> Path:
    """The folder of what Java Genius did, named by GENIUS_PY_GOLDEN."""
    return _folder("GENIUS_PY_GOLDEN", "golden vectors")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of domains as people published them, named by GENIUS_PY_CORPUS."""
    return _folder("GENIUS_PY_CORPUS", "domain files")


@pytest.fixture
def genius(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs ``genius-py ARGUMENTS...`` in an empty folder; what it raises fails the test."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(main, arguments)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run
