"""What the whole test suite shares: settings of hypothesis, and where outside data lies."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

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
