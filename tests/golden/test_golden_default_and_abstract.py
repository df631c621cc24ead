from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("default_and_abstract")
def test_golden_default_and_abstract_protocols_do_nothing(golden: Path, record: Record) -> None:
    assert play(golden, record) == expected(record)
