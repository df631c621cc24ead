from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("time_deadline")
def test_golden_time_deadline_sessions_are_replayed_to_the_letter(
    golden: Path, record: Record
) -> None:
    assert play(golden, record) == expected(record)
