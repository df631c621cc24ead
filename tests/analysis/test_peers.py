"""What other platforms compute under the names of bargaining solutions."""

import numpy as np

from genius_py.analysis.peers import negmas_kalai_smorodinsky, negolog_kalai, negolog_nash
from genius_py.analysis.solutions import kalai_smorodinsky


def test_negmas_prefers_the_line_where_the_textbook_prefers_the_worse_off() -> None:
    points = [(1.0, 0.0), (0.0, 1.0), (0.40, 0.41), (0.9, 0.405)]
    assert negmas_kalai_smorodinsky(points) == 2
    assert kalai_smorodinsky(points) == 3


def test_negmas_measures_ratios_from_the_reservation_value_or_the_worst_outcome() -> None:
    points = [(1.0, 0.2), (0.5, 0.6), (0.2, 1.0)]
    assert negmas_kalai_smorodinsky(points) == 1
    assert negmas_kalai_smorodinsky(points, (0.4, -5.0)) == 1
    assert negmas_kalai_smorodinsky(points, (0.6, 0.6)) is None


def test_negmas_has_no_answer_of_ours_where_a_party_has_no_full_gain() -> None:
    assert negmas_kalai_smorodinsky([(1.0, 0.5), (0.2, 0.5)]) is None


def test_negologs_kalai_is_the_sum_and_its_nash_the_product() -> None:
    points = [(0.0, 0.0), (1.0, 0.1), (0.5, 0.5), (0.1, 1.0)]
    assert negolog_kalai(points) == 1
    assert negolog_nash(points) == 2
    assert negolog_kalai(np.empty((0, 2))) is None
    assert negolog_nash(np.empty((0, 2))) is None
