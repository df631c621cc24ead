from pathlib import Path

from tests.golden.sessions import Record, expected, play, recorded


@recorded("saop_strategies")
def test_golden_saop_strategies_bid_for_bid_as_in_genius(golden: Path, record: Record) -> None:
    assert play(golden, record) == expected(record)
