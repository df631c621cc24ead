"""What asking language models came to, as a log has it."""

from genius_py.log import Event, Kind
from genius_py.model_counts import ModelCounts, model_counts, sum_counts


def note(party: str, detail: object) -> Event:
    return Event(Kind.NOTE, 1, 1, 0.5, party, None, (), detail)


def test_they_come_from_what_parties_noted_at_the_end() -> None:
    log = [
        note("ann", {"reply": "{}"}),
        note("ann", {"llm": {"model": "it", "turns": 3, "replies": 4, "illegal": 1, "new": 9}}),
        note("bob", {"llm": "nonsense"}),
        note("cid", {"llm": {"turns": "three", "replies": 2}}),
        note("dan", None),
    ]
    assert model_counts(log) == {
        "ann": ModelCounts(turns=3, replies=4, illegal=1),
        "cid": ModelCounts(replies=2),
    }


def test_sums_add_everything_up() -> None:
    one = ModelCounts(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert sum_counts([one, one]) == ModelCounts(2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
    assert sum_counts([]) is None


def test_the_share_of_refused_replies_needs_replies() -> None:
    assert ModelCounts(turns=1).refused is None
    assert ModelCounts(replies=8, unreadable=1, illegal=1).refused == 0.25


def test_they_print_as_a_line() -> None:
    counts = ModelCounts(turns=4, replies=5, illegal=1, fallbacks=1, prompt_tokens=90, new_tokens=7)
    assert str(counts) == (
        "4 turns, 5 replies (0 unreadable, 1 illegal), 1 turn by the fallback, 90 + 7 tokens"
    )
    assert str(ModelCounts(leaks=2)).endswith(", 2 leaks")
    assert str(ModelCounts(turns=1, replies=1)).startswith("1 turn, 1 reply (")
