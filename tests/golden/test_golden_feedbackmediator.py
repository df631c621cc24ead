"""X"""

from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("feedbackmediator")
def test_golden_feedbackmediator(golden: Path, record: Record) -> None:
    assert play(golden, record) == expected(record)
