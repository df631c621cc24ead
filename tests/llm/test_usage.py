"""What asking models has cost."""

from genius_py.llm.usage import Usage

MORNING = Usage(10, 4, 1, 2, 300, 40, 1.5)


def test_the_fill_of_a_batch_counts_what_was_really_asked() -> None:
    assert MORNING.batch_fill == 3.0
    assert Usage().batch_fill == 0.0


def test_usages_are_added_and_subtracted_field_by_field() -> None:
    day = MORNING + MORNING
    assert day == Usage(20, 8, 2, 4, 600, 80, 3.0)
    assert day - MORNING == MORNING


def test_it_prints_as_a_line() -> None:
    assert str(MORNING) == (
        "10 requests (4 from the cache, 1 failed), 2 batches of 3.0, 300 + 40 tokens, 1.5 s"
    )
