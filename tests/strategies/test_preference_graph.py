import itertools

from hypothesis import given
from hypothesis import strategies as st

from genius_py.action import Feedback
from genius_py.strategies.preference_graph import PreferenceGraph

BETTER, SAME, WORSE = Feedback.BETTER, Feedback.SAME, Feedback.WORSE


def graph(*comparisons: tuple[str, str, Feedback], faithful: bool = False) -> PreferenceGraph:
    """Starts with the first value of the first comparison."""
    made = PreferenceGraph.start(comparisons[0][0], faithful)
    for old, new, feedback in comparisons:
        made = made.compare(old, new, feedback)
    return made


def test_a_new_value_comes_one_level_above_beside_or_below() -> None:
    seen = graph(("b", "c", BETTER), ("b", "a", WORSE), ("a", "d", SAME))
    assert seen.levels == {"b": 1, "c": 2, "a": 0, "d": 0}


def test_what_follows_from_comparisons_is_known() -> None:
    seen = graph(("a", "b", BETTER), ("b", "c", BETTER), ("c", "d", SAME))
    assert seen.is_better("c", "a")
    assert seen.is_better("d", "a")
    assert seen.is_at_least("c", "d")
    assert not seen.is_better("c", "d")


def test_values_that_were_compared_with_a_third_only_are_not_comparable() -> None:
    seen = graph(("a", "b", BETTER), ("a", "c", BETTER))
    assert not seen.are_comparable("b", "c")
    assert seen.levels["b"] == seen.levels["c"]


def test_a_better_value_is_lifted_with_all_that_hangs_on_it() -> None:
    # b and c stand level; c proves better than b, and d, which was better than c, goes with it.
    seen = graph(("a", "b", BETTER), ("a", "c", BETTER), ("c", "d", BETTER), ("b", "c", BETTER))
    assert seen.levels == {"a": 1, "b": 2, "c": 3, "d": 4}


def test_what_is_no_better_than_the_worse_one_stays_where_it_is() -> None:
    # a and e are worse than c. When c proves better than b, Genius lifts e with it, but not a,
    # which is below b already.
    comparisons = (("a", "b", BETTER), ("a", "c", BETTER), ("c", "e", WORSE), ("e", "c", BETTER))
    assert graph(*comparisons, ("c", "b", WORSE)).levels == {"a": 1, "b": 2, "c": 3, "e": 1}
    faithful = graph(*comparisons, ("c", "b", WORSE), faithful=True)
    assert faithful.levels == {"a": 1, "b": 2, "c": 3, "e": 2}


def test_equals_meet_on_the_higher_level() -> None:
    seen = graph(("a", "b", BETTER), ("b", "c", BETTER), ("a", "d", BETTER), ("d", "c", SAME))
    assert seen.levels == {"a": 1, "b": 2, "c": 3, "d": 3}
    assert seen.is_better("d", "b")


def test_the_estimate_is_the_level_relative_to_the_highest() -> None:
    seen = graph(("b", "c", BETTER), ("b", "a", WORSE))
    assert [seen.estimate(value) for value in "abc"] == [1 / 3, 2 / 3, 1]
    assert PreferenceGraph.start("a").estimate("a") == 1


def test_feedback_on_a_value_that_stayed_teaches_nothing() -> None:
    start = PreferenceGraph.start("a")
    assert start.compare("a", "a", WORSE) is start


def test_faithful_may_lose_what_it_knew() -> None:
    worth, walk = (1, 4, 2, 0, 5, 2, 1), (6, 5, 5, 4, 1, 0, 2, 3, 5, 1, 4, 3, 3, 5, 5, 1)
    for faithful in (False, True):
        seen = PreferenceGraph.start(walk[0], faithful)
        for present, value in itertools.pairwise(walk):
            seen = seen.compare(present, value, Feedback.between(worth[present], worth[value]))
        assert seen.is_better(2, 0)
        assert (seen.estimate(2) > seen.estimate(0)) is not faithful


@given(
    worth=st.lists(st.integers(0, 3), min_size=5, max_size=5),
    walk=st.lists(st.integers(0, 4), min_size=1, max_size=20),
)
def test_consistent_feedback_is_never_misunderstood(worth: list[int], walk: list[int]) -> None:
    seen, present = PreferenceGraph.start(walk[0]), walk[0]
    for value in walk[1:]:
        seen = seen.compare(present, value, Feedback.between(worth[present], worth[value]))
        present = value
    assert set(seen) == set(walk)
    for a in seen:
        for b in seen:
            assert isinstance(a, int)
            assert isinstance(b, int)
            if seen.is_better(a, b):
                assert worth[a] > worth[b]
                assert seen.estimate(a) > seen.estimate(b)
            elif seen.is_at_least(a, b):
                assert worth[a] == worth[b]
                assert seen.estimate(a) == seen.estimate(b)
