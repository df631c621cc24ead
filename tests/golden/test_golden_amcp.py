from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("amcp")
def test_golden_amcp_sessions_are_replayed_to_the_letter(golden: Path, record: Record) -> None:
    assert play(golden, record) == expected(record)
