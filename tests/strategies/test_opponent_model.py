"""The models' figures are worked by hand from their definitions."""

import math
from typing import TypeAlias, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from genius_py.errors import StrategyError
from genius_py.strategies.opponent_model import (
    HardHeadedFrequencyModel,
    OpponentModel,
    ScalableBayesianModel,
    SmithFrequencyModel,
    renormalised,
)

Bids: TypeAlias = NDArray[np.intp]

# Every bid of two issues, of three and of two values.
AnyModel = TypeVar("AnyModel", bound=OpponentModel)

SPACE: Bids = np.array([[a, b] for b in range(2) for a in range(3)])


def bid(*values: int) -> Bids:
    return np.array(values)


def after(model: AnyModel, *bids: Bids) -> AnyModel:
    for heard in bids:
        model = model.update(heard)
    return model


MODELS = [
    HardHeadedFrequencyModel.start([3, 2]),
    SmithFrequencyModel.start([3, 2]),
    ScalableBayesianModel.start([3, 2]),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@given(history=st.lists(st.sampled_from(SPACE.tolist()), max_size=15))
def test_estimates_are_utilities(model: OpponentModel, history: list[list[int]]) -> None:
    estimates = after(model, *(bid(*heard) for heard in history)).utilities(SPACE)
    assert estimates.shape == (6,)
    assert ((estimates >= 0) & (estimates <= 1)).all()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_bid_is_learned_by_a_new_model(model: OpponentModel) -> None:
    before = model.utilities(SPACE)
    learned = after(model, bid(0, 0), bid(0, 1), bid(2, 1))
    assert model.utilities(SPACE).tolist() == before.tolist()
    assert learned.utilities(SPACE).tolist() != before.tolist()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_what_an_opponent_insists_on_becomes_its_best_bid(model: OpponentModel) -> None:
    learned = after(model, bid(2, 1), bid(2, 1), bid(2, 1))
    assert learned.utilities(SPACE).argmax() == SPACE.tolist().index([2, 1])


def test_renormalising_takes_the_excess_in_proportion() -> None:
    # S = 1.1: 0.6 - 0.1 * 0.65 / 1.2 and 0.5 - 0.1 * 0.55 / 1.2.
    assert renormalised((0.5, 0.5), 0, 0.6) == pytest.approx((0.545833333, 0.454166667))


def test_a_single_weight_is_always_1() -> None:
    assert renormalised((0.3,), 0, 0.7) == (1.0,)


def test_a_weight_that_cannot_be_balanced_is_put_back() -> None:
    # The zeros cannot give; 2 - 2.05 / 2.15 = 1.0465 is too far from 1.
    assert renormalised((0.0, 0.0, 1.0), 2, 2.0) == (0.0, 0.0, 1.0)


@given(st.lists(st.floats(0.05, 1), min_size=2, max_size=8), st.floats(0, 0.5), st.data())
def test_renormalised_weights_sum_to_1(
    raw: list[float], weight: float, data: st.DataObject
) -> None:
    weights = [w / math.fsum(raw) for w in raw]
    issue = data.draw(st.integers(0, len(raw) - 1))
    assert math.fsum(renormalised(weights, issue, weight)) == pytest.approx(1, abs=0.02)


def test_hard_headed_does_not_count_the_first_bid() -> None:
    model = after(HardHeadedFrequencyModel.start([3, 2]), bid(0, 0))
    assert model.weights == (0.5, 0.5)
    assert [count.tolist() for count in model.counts] == [[1, 1, 1], [1, 1]]


def test_hard_headed_rewards_the_issue_that_was_kept() -> None:
    model = after(HardHeadedFrequencyModel.start([3, 2]), bid(0, 0), bid(0, 1))
    # One issue kept: total 1.1. Setting (0.5 + 0.1) / 1.1 gives 0.521825 and 0.478175, setting
    # 0.478175 / 1.1 then gives:
    assert model.weights == pytest.approx((0.545353, 0.454647), abs=1e-6)
    assert [count.tolist() for count in model.counts] == [[2, 1, 1], [1, 2]]
    expected = [
        w * a + v * b for (w, v) in [model.weights] for b in (0.5, 1) for a in (1, 0.5, 0.5)
    ]
    assert model.utilities(SPACE) == pytest.approx(expected)


def test_hard_headed_sets_weights_in_the_order_of_issue_numbers() -> None:
    bids = bid(0, 0), bid(0, 1)
    mirrored = bid(0, 0), bid(1, 0)
    forward = after(HardHeadedFrequencyModel.start([2, 2]), *bids)
    backward = after(HardHeadedFrequencyModel.start([2, 2], order=(1, 0)), *mirrored)
    assert backward.weights == forward.weights[::-1]
    assert after(HardHeadedFrequencyModel.start([2, 2]), *mirrored).weights != backward.weights


def test_sums_run_in_the_order_of_the_issues() -> None:
    sizes = [2] * 12
    random = np.random.default_rng(3)
    bids = random.integers(0, 2, size=(40, 12))
    model = after(HardHeadedFrequencyModel.start(sizes), *bids)
    by_hand = []
    for heard in bids:
        total = 0.0
        for weight, count, value in zip(model.weights, model.counts, heard, strict=True):
            total += weight * float(count[value] / count.max())
        by_hand.append(total)
    assert model.utilities(bids).tolist() == by_hand


def test_smith_knows_nothing_before_the_first_bid() -> None:
    assert SmithFrequencyModel.start([3, 2]).utilities(SPACE).tolist() == [0.0] * 6


def test_smith_weighs_an_issue_by_its_most_frequent_value() -> None:
    model = after(SmithFrequencyModel.start([3, 2]), bid(0, 0), bid(0, 1))
    # Shares of the favourites 1 and 1/2, so the weights are 2/3 and 1/3.
    assert model.utilities(SPACE) == pytest.approx([5 / 6, 1 / 6, 1 / 6] * 2)


def test_bayes_starts_from_small_weights_and_every_shape() -> None:
    model = ScalableBayesianModel.start([4, 1])
    cubes = [(10 - j) ** 3 for j in range(11)]
    assert model.weight_beliefs[0] == pytest.approx([c / sum(cubes) for c in cubes])
    # Up, down, and a peak at the second and at the third value.
    rising, falling = [1, 1001, 2001, 3001], [3001, 2001, 1001, 1]
    second, third = [0, 1001, 501, 1], [0, 500, 1001, 1]
    expected = [[v / max(shape) for v in shape] for shape in (rising, falling, second, third)]
    assert model.shapes[0].tolist() == expected
    assert model.shape_beliefs[0].tolist() == [0.25] * 4


def likelihood(demand: float, utility: float) -> float:
    return math.exp(-(((demand - utility) / demand) ** 2) / 0.125)


def test_the_first_bid_tells_bayes_about_values_only() -> None:
    start = ScalableBayesianModel.start([2, 2])
    model = after(start, bid(0, 0))
    assert [b.tolist() for b in model.weight_beliefs] == [b.tolist() for b in start.weight_beliefs]
    weight = sum(j / 10 * (10 - j) ** 3 for j in range(11)) / sum(j**3 for j in range(11))
    others = weight * (1 / 1001 + 1) / 2
    up, down = likelihood(1, weight / 1001 + others), likelihood(1, weight + others)
    assert model.shape_beliefs[0] == pytest.approx([up / (up + down), down / (up + down)])
    assert model.expected_demand == 0.997


def test_the_second_bid_tells_bayes_about_weights_first() -> None:
    first = after(ScalableBayesianModel.start([2, 2]), bid(0, 0))
    weight = sum(j / 10 * p for j, p in enumerate(first.weight_beliefs[0]))
    # By symmetry the kept value 0 and the new value 1 are worth this to the opponent:
    kept = float(first.shape_beliefs[0] @ first.shapes[0][:, 0])
    changed = float(first.shape_beliefs[1] @ first.shapes[1][:, 1])
    model = after(first, bid(0, 1))
    posterior = [
        p * likelihood(0.997, j / 10 * kept + weight * changed)
        for j, p in enumerate(first.weight_beliefs[0])
    ]
    assert model.weight_beliefs[0] == pytest.approx([p / sum(posterior) for p in posterior])
    assert model.expected_demand == pytest.approx(0.994)


def test_a_bid_made_before_teaches_bayes_nothing() -> None:
    model = after(ScalableBayesianModel.start([3, 2]), bid(0, 0), bid(1, 0))
    assert after(model, bid(0, 0)) is model


def test_bayes_spans_the_whole_scale() -> None:
    estimates = after(ScalableBayesianModel.start([3, 2]), bid(0, 0), bid(1, 0)).utilities(SPACE)
    assert (estimates.min(), estimates.max()) == (0, 1)


def test_bayes_is_indifferent_where_there_is_no_choice() -> None:
    assert ScalableBayesianModel.start([1, 1]).utilities(np.array([[0, 0]])).tolist() == [0.0]


def test_bayes_refuses_an_issue_of_too_many_values() -> None:
    with pytest.raises(StrategyError, match="1000000 values"):
        ScalableBayesianModel.start([3, 1_000_000])
