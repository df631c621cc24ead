"""What all utility spaces share."""

import copy
import pickle

import numpy as np

from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue
from genius_py.utility import TableUtilitySpace

PIE = Domain("pie", [DiscreteIssue("share", ["half", "all"])])


def test_what_is_derived_from_a_space_stays_behind_when_it_travels() -> None:
    space = TableUtilitySpace(domain=PIE, table=np.array([0.5, 1.0]))
    derived: object = space.keep("derived", lambda: lambda: "what no pickle can hold")
    arrived = pickle.loads(pickle.dumps(space))
    copied = copy.deepcopy(space)
    assert arrived == copied == space
    for other in (arrived, copied):
        assert other.keep("derived", lambda: "made anew") == "made anew"
    assert space.keep("derived", lambda: "made anew") is derived
