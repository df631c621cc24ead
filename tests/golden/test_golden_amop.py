from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("amop")
def test_golden_amop_sessions_are_replayed_to_the_letter(golden: Path, record: Record) -> None:
    assert play(golden, record) == expected(record)
