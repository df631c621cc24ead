"""Formulas that are written for numbers and take arrays as well."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, overload

import numpy as np
from numpy import ndarray
from numpy.typing import NDArray

__all__ = ["Elementwise", "elementwise"]

P = ParamSpec("P")
Result = TypeVar("Result", covariant=True)

_Operand: TypeAlias = float | NDArray[Any] | None


class Elementwise(Protocol[P, Result]):
    """A formula: numbers in, a number out; arrays among them, an array of the broadcast shape."""

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Result: ...
    @overload
    def __call__(self, *args: _Operand, **kwargs: _Operand) -> NDArray[Any]: ...


def elementwise(formula: Callable[P, Result]) -> Elementwise[P, Result]:
    """Let a formula for numbers take arrays, broadcast against each other as numpy does.

    Each element goes through the very formula. numpy's own `power` and `exp` round otherwise than
    the C library's on processors with wide vectors (1 result in 20), but a batch of sessions must
    make the same offers as each of them alone, on any machine.

    >>> @elementwise
    ... def gap(high: float, low: float = 0.0) -> float:
    ...     return high - low
    >>> gap(3.0), gap(np.array([1.0, 2.0]), low=1.0)
    (3.0, array([0., 1.]))
    """
    signature = inspect.signature(formula)
    by_element: Any = np.frompyfunc(formula, len(signature.parameters), 1)

    @functools.wraps(formula)
    def broadcast(*args: Any, **kwargs: Any) -> Any:
        if ndarray in map(type, args) or (kwargs and ndarray in map(type, kwargs.values())):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return np.asarray(by_element(*bound.arguments.values()).tolist())
        return formula(*args, **kwargs)

    return broadcast
