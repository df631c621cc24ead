"""X"""

from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("simplemediator")
def test_golden_simplemediator(golden: Path, record: Record) -> None:
    assert play(golden, record) == expected(record)
