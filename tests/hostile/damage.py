"""Data with a part that is another, or gone."""

import copy
from collections.abc import Iterator
from typing import Any

GONE = object()


def parts(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all parts of a JSON value, itself included."""
    yield path
    if isinstance(data, dict | list):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from parts(data[key], (*path, key))


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything in a JSON value that has no parts."""
    if isinstance(data, dict | list) and data:
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from leaves(data[key], (*path, key))
    else:
        yield path


def with_part(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy in which the part at a path is another, or gone."""
    if not path:
        return value
    changed = copy.deepcopy(data)
    at = changed
    for key in path[:-1]:
        at = at[key]
    if value is GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return changed
