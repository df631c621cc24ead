import subprocess
import sys

import pytest

import genius_py.tournament


def test_public_names_are_sorted_and_there() -> None:
    names = genius_py.tournament.__all__
    assert names == sorted(names)
    assert all(getattr(genius_py.tournament, name) is not None for name in names)


@pytest.mark.parametrize(
    "module", ["tournament.play", "cli.tournament", "cli.compare", "report.html"]
)
def test_neither_a_worker_nor_a_wrong_command_waits_for_statistics(module: str) -> None:
    code = (
        f"import sys, genius_py.{module}\n"
        "print([m for m in ('scipy.stats', 'pandas', 'pyarrow', 'joblib') if m in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert told.stdout.strip() == "[]"
