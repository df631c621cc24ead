import math

import numpy as np
import pytest

from genius_py.strategies.elementwise import elementwise


@elementwise
def power(base: float, exponent: float = 2.0) -> float:
    """The base to the power of the exponent."""
    return math.pow(base, exponent)


@elementwise
def is_above(x: float, bound: float | None = None) -> bool:
    return bound is None or x > bound


def test_numbers_give_a_number() -> None:
    assert power(3) == 9.0
    assert type(power(3)) is float


def test_arrays_are_broadcast_against_each_other() -> None:
    table = power(np.array([[1.0], [2.0], [3.0]]), exponent=np.array([1.0, 2.0]))
    assert table.tolist() == [[1, 1], [2, 4], [3, 9]]


def test_an_array_given_by_name_is_broadcast_too() -> None:
    assert power(2.0, exponent=np.array([1.0, 3.0])).tolist() == [2, 8]


def test_an_array_of_no_elements_stays_so() -> None:
    assert power(np.zeros((0,))).shape == (0,)


def test_the_result_has_the_type_of_the_formula() -> None:
    assert is_above(np.array([1.0, 3.0]), 2.0).dtype == bool
    assert is_above(np.array([1.0, 3.0])).all()


def test_a_batch_is_bit_equal_to_its_elements_one_by_one() -> None:
    random = np.random.default_rng(7)
    bases, exponents = random.random(500), 5 * random.random(500)
    one_by_one = [power(b, e) for b, e in zip(bases.tolist(), exponents.tolist(), strict=True)]
    assert power(bases, exponents).tolist() == one_by_one


def test_a_formula_keeps_its_name_and_refuses_what_it_refused() -> None:
    assert power.__doc__ == "The base to the power of the exponent."
    with pytest.raises(TypeError):
        power(1.0, 2.0, 3.0)
