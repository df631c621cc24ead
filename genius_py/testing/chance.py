"""Chance that nobody should use: the generators that belong to the whole process."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

__all__ = ["disturbed_chance"]

_seeds = itertools.count(1)


@contextmanager
def disturbed_chance() -> Iterator[None]:
    """Set the global generators of Python and numpy to something else each time, for a while."""
    states = random.getstate(), np.random.get_state()
    seed = next(_seeds)
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
