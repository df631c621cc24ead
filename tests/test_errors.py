"""The tree of errors: what is raised on purpose can be caught by what it is."""

import copy
import inspect
import pickle
import re

import pytest

from genius_py import errors
from genius_py.errors import DomainError, GeniusError, GeniusWarning

CLASSES = {
    name: cls
    for name, cls in inspect.getmembers(errors, inspect.isclass)
    if cls.__module__ == errors.__name__
}


def test_every_error_is_public_and_sorted() -> None:
    assert errors.__all__ == sorted(CLASSES)


def test_the_docstring_draws_the_tree_as_it_is() -> None:
    drawn = {}
    for line in (errors.__doc__ or "").splitlines():
        if match := re.search(r"(\w+)\s+(?:\((\w+)\)\s+)?\S", line.lstrip(" |`-")):
            drawn[match[1]] = match[2]
    for name, cls in CLASSES.items():
        if cls is GeniusError:
            continue
        assert name in drawn, f"{name} is missing from the tree in errors.py"
        builtin = drawn[name]
        if builtin is not None:
            assert builtin in {base.__name__ for base in cls.__mro__}


@pytest.mark.parametrize("name", sorted(set(CLASSES) - {"GeniusError", "GeniusWarning"}))
def test_every_error_is_a_genius_error_and_the_nearest_built_in(name: str) -> None:
    cls = CLASSES[name]
    assert issubclass(cls, GeniusError)
    assert issubclass(cls, ValueError | LookupError | RuntimeError)


def test_warnings_are_user_warnings() -> None:
    assert issubclass(GeniusWarning, UserWarning)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "two items are called 'red'."),
        ({"file": "car.xml"}, "car.xml: two items are called 'red'."),
        ({"file": "car.xml", "line": 3}, "car.xml:3: two items are called 'red'."),
        ({"file": "a", "line": 3, "column": 7}, "a:3:7: two items are called 'red'."),
    ],
)
def test_a_domain_error_starts_with_what_is_known_of_its_place(
    place: dict[str, str | int], text: str
) -> None:
    error = DomainError("two items are called 'red'.", **place)  # type: ignore[arg-type]
    assert str(error) == text
    assert error.line == place.get("line")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert str(again) == text
        assert (again.file, again.line, again.column) == (error.file, error.line, error.column)
