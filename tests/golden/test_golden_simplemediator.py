from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("simplemediator")
def test_golden_simplemediator_sessions_are_replayed_to_the_letter(
    golden: Path, record: Record
) -> None:
    assert play(golden, record) == expected(record)
