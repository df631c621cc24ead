from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("feedbackmediator")
def test_golden_feedbackmediator_sessions_are_replayed_to_the_letter(
    golden: Path, record: Record
) -> None:
    assert play(golden, record) == expected(record)
