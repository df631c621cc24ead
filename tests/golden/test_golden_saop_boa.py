from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("saop_boa")
def test_golden_saop_boa_sessions_are_replayed_to_the_letter(golden: Path, record: Record) -> None:
    assert play(golden, record) == expected(record)
