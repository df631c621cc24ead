import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.strategies.proposal_score import proposal_scores

shares = st.floats(0, 1)
proposals = st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e6), shares), min_size=1)


@given(proposals)
def test_scores_lie_between_0_and_1(terms: list[tuple[float, float, float]]) -> None:
    costs, times, confidences = zip(*terms, strict=True)
    for score in proposal_scores(costs, times, confidences):
        assert 0 <= score <= 1 + 1e-12


@given(proposals)
def test_who_is_cheapest_fastest_and_surest_scores_1(
    terms: list[tuple[float, float, float]],
) -> None:
    costs, times, confidences = zip((0.0, 0.0, 1.0), *terms, strict=True)
    assert proposal_scores(costs, times, confidences)[0] == pytest.approx(1.0)


def test_without_proposals_there_are_no_scores() -> None:
    assert proposal_scores([], [], []) == []
