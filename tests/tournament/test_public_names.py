import subprocess
import sys

import genius_py.tournament


def test_public_names_are_sorted_and_there() -> None:
    names = genius_py.tournament.__all__
    assert names == sorted(names)
    assert all(getattr(genius_py.tournament, name) is not None for name in names)


def test_a_worker_does_not_wait_for_statistics() -> None:
    code = (
        "import sys, genius_py.tournament.play\n"
        "print([m for m in ('scipy.stats', 'pandas', 'pyarrow', 'joblib') if m in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert told.stdout.strip() == "[]"
