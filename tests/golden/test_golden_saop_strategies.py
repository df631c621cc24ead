from pathlib import Path

import pytest

from tests.golden.sessions import Record, expected, play, recorded


@pytest.mark.parametrize("faithful", [True, False], ids=["faithful", "corrected"])
@recorded("saop_strategies")
def test_golden_saop_strategies_bid_as_in_genius(
    golden: Path, record: Record, faithful: bool
) -> None:
    assert play(golden, record, faithful=faithful) == expected(record)
