"""Values as plain data, and what cannot be told in it."""

import enum
import json
import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.plain import plain


class Mood(enum.Enum):
    GLAD = 1


class Size(enum.IntEnum):
    LARGE = 2


class Colour(str, enum.Enum):  # noqa: UP042  # such enumerations exist
    RED = "red"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_plain_data_stay_as_they_are(data: object) -> None:
    told = plain(data)
    if "inf" not in repr(told):
        assert told == data
    assert json.loads(json.dumps(told, allow_nan=False)) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Mood.GLAD, 1),
        (Size.LARGE, 2),
        (Colour.RED, "red"),
        ((1, (2,)), [1, [2]]),
        ({3, 1, 2}, [1, 2, 3]),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (np.float64(0.5), 0.5),
        (np.bool_(True), True),
        (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
        ({Mood.GLAD: 1, None: 2, 1.5: 3}, {"1": 1, "null": 2, "1.5": 3}),
    ],
)
def test_other_values_are_told_in_it(value: object, told: object) -> None:
    assert plain(value) == told
    assert type(plain(value)) is type(told)


def test_the_values_of_texts_and_numbers_are_of_exactly_these_types() -> None:
    class Word(str):
        __slots__ = ()

    told = plain({Word("a"): [Word("b"), Size.LARGE, np.float64(1)]})
    assert isinstance(told, dict)
    assert [*map(type, told)] == [str]
    assert [*map(type, told["a"])] == [str, int, float]  # type: ignore[arg-type]


class Twice(Mapping[str, int]):
    """A mapping that names a key twice."""

    def __getitem__(self, key: str) -> int:
        return 1

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(("a", "a"))

    def __len__(self) -> int:
        return 2


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (object(), "a value of type object"),
        ({"a": [1, {"b": object()}]}, "a value of type object at a[1].b"),
        ([[object()]], "a value of type object at [0][0]"),
        ({"x": {frozenset([object()]): 1}}, "a value of type object at x"),
        ({(1, 2): 1}, "a key of type tuple"),
        ({"a": {1: 1, "1": 2}}, "two keys '1' at a"),
        ({"a": Twice()}, "two keys 'a' at a"),
        ([2**20_000], "a value of type int at [0]"),
    ],
)
def test_what_cannot_be_told_is_named_with_its_place(value: object, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # compared in whole below
        plain(value)
    assert str(caught.value) == complaint


def test_what_is_nested_without_end_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="more than 50 levels"):
        plain(endless)
