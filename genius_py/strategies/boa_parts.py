"""The parts of which BOA parties are put together, by name.

Baarslag, Hindriks, Hendrikx, Dirkzwager & Jonker (2014), "Decoupling negotiating agents to explore
the space of negotiation strategies". Names and parameters follow Genius's BOA framework.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.errors import OptionError, StrategyError
from genius_py.strategies import acceptance as ac
from genius_py.strategies.model_strategy import best_bid, best_bids
from genius_py.strategies.opponent_model import (
    HardHeadedFrequencyModel,
    OpponentModel,
    ScalableBayesianModel,
    SmithFrequencyModel,
)
from genius_py.strategies.time_dependent import target_utility

__all__ = [
    "ACCEPTANCE",
    "BROKEN_ACCEPTANCE",
    "CHOICE",
    "MODEL",
    "OFFERING",
    "Acceptance",
    "Choice",
    "MakeModel",
    "Offering",
    "Situation",
    "part",
]

Floats: TypeAlias = NDArray[np.float64]


def _none_yet() -> Floats:
    return np.empty(0)


@attrs.frozen
class Situation:
    """What the parts decide by. Utilities are the party's own, undiscounted; NaN: there is none.

    `minimum` and `maximum` bound what the party may ask for; `opened` is the progress at its first
    offer; `heard` and `heard_at` are utilities and times of all that others offered so far.
    """

    t: float
    minimum: float = 0.0
    maximum: float = 1.0
    opened: float = math.nan
    discount: float = 1.0
    offered: float = math.nan
    """Of the bid to be judged."""
    planned: float = math.nan
    """Of the bid that would be offered instead."""
    previous: float = math.nan
    """Of the bid offered last."""
    heard: Floats = attrs.field(factory=_none_yet, eq=False)
    heard_at: Floats = attrs.field(factory=_none_yet, eq=False)

    @property
    def recent(self) -> Floats:
        """Utilities of what was heard in a window as long as the time that is left."""
        return ac.recent(self.heard, self.heard_at, self.t)


Offering: TypeAlias = Callable[[Situation], float]
"""A bidding strategy: the utility to ask for."""

Acceptance: TypeAlias = Callable[[Situation], bool]
"""An acceptance condition: whether to accept the bid that is worth `Situation.offered`."""

MakeModel: TypeAlias = Callable[[Sequence[int]], OpponentModel]
"""A model from the issues' numbers of values, before it has heard a bid."""

Choice: TypeAlias = Callable[[Floats, np.random.Generator], int]
"""An opponent model strategy: the place of the bid to offer, given what others get of each."""


def _time_dependent(
    now: Situation,
    *,
    e: float,
    k: float = 0.0,
    min: float | None = None,
    max: float | None = None,
) -> float:
    low = now.minimum if min is None else min
    high = now.maximum if max is None else max
    return target_utility(now.t, e, k, low, high)


def _shifted_time_dependent(now: Situation, **parameters: float) -> float:
    t = (now.t - now.opened) / (1 - now.opened)
    return _time_dependent(attrs.evolve(now, t=t), **parameters)


def _combi(alpha: Callable[[Situation], float]) -> Callable[..., bool]:
    # Genius demands a parameter c for the plain one and does not use it.
    return lambda now, *, a=1.0, b=0.0, c=0.0, t=0.99: ac.ac_combi(
        now.offered, now.planned, now.t, t, alpha(now), a, b
    )


def _fail(now: Situation, **parameters: float) -> bool:
    raise StrategyError(
        "Genius never tells this acceptance condition the bidding strategy, so that it fails at "
        "the first offer; leave search='genius' out."
    )


def _most_valued(values: Floats, rng: np.random.Generator) -> int:
    best = best_bid(values)
    return int(rng.integers(values.size)) if best is None else best


def _one_of_best(values: Floats, rng: np.random.Generator, *, n: int = 3) -> int:
    return int(rng.choice(best_bids(values, n)))


def _nice(values: Floats, rng: np.random.Generator) -> int:
    return _one_of_best(values, rng, n=min(max(round(values.size / 10), 3), 20))


OFFERING: Mapping[str, Callable[..., float]] = {
    "time_dependent": _time_dependent,
    "shifted_time_dependent": _shifted_time_dependent,
}

ACCEPTANCE: Mapping[str, Callable[..., bool]] = {
    "abmp": lambda now: ac.ac_abmp(now.offered, now.previous),
    "always": lambda now: True,
    "combi": _combi(lambda now: -math.inf),
    "combi_avg": _combi(lambda now: ac.average(now.recent)),
    "combi_best_avg": _combi(lambda now: ac.average_of_better(now.recent, now.offered)),
    "combi_max": _combi(lambda now: ac.best(now.recent)),
    "combi_max_in_window": lambda now, *, t=0.98: ac.ac_combi(
        now.offered, now.planned, now.t, t, ac.best(now.recent)
    ),
    "combi_prob": _combi(lambda now: ac.expected_better(now.recent, now.offered)),
    "combi_v2": lambda now, *, a, b, c, d, t: ac.ac_combi_v2(
        now.offered, now.planned, now.t, a, b, c, d, t, now.discount
    ),
    "combi_v3": lambda now, *, a, b, c, t: ac.ac_combi_v3(
        now.offered, now.planned, now.t, a, b, c, t
    ),
    "combi_v4": lambda now, *, a, b, c, d, e: ac.ac_combi_v4(
        now.offered, now.planned, a, b, c, d, e, now.discount
    ),
    "const": lambda now, *, c=0.9: ac.ac_const(now.offered, c),
    "gap": lambda now, *, c=0.01: ac.ac_gap(now.offered, now.previous, c),
    "never": lambda now: False,
    "next": lambda now, *, a=1.0, b=0.0: ac.ac_next(now.offered, now.planned, a, b),
    "previous": lambda now, *, a=1.0, b=0.0: ac.ac_previous(now.offered, now.previous, a, b),
    "time": lambda now, *, t=0.99: ac.ac_time(now.t, t),
}

BROKEN_ACCEPTANCE: Mapping[str, Callable[..., bool]] = {
    **ACCEPTANCE,
    **dict.fromkeys(("combi", "combi_avg", "combi_best_avg", "combi_max", "combi_prob"), _fail),
}
"""The conditions as they are in Genius."""

MODEL: Mapping[str, Callable[..., OpponentModel] | None] = {
    "hard_headed": lambda sizes, *, l=0.2: HardHeadedFrequencyModel.start(sizes, l),  # noqa: E741
    "none": None,
    "scalable_bayesian": ScalableBayesianModel.start,
    "smith": SmithFrequencyModel.start,
}

CHOICE: Mapping[str, Callable[..., int]] = {
    "best": _most_valued,
    "best_n": _one_of_best,
    "first": lambda values, rng: 0,
    "nice": _nice,
}


def part(kind: str, wanted: object, known: Mapping[str, Callable[..., Any] | None]) -> Any:
    """The part that a text names, as ``name`` or ``name(parameter=number, ...)``.

    Anything but a text is taken for a part already.

    Raises:
        OptionError: there is no such part or parameter.
    """
    if not isinstance(wanted, str):
        return wanted
    match = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", wanted)
    if match is None or match[1] not in known:
        raise OptionError(f"There is no {kind} {wanted!r}; there is {', '.join(known)}.")
    function = known[match[1]]
    assignments = (text.partition("=") for text in (match[2] or "").split(",") if text.strip())
    signature = inspect.signature(function) if function else inspect.Signature()
    places = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    try:
        parameters = {
            name.strip(): ast.literal_eval(value.strip()) for name, _, value in assignments
        }
        signature.bind(*places, **parameters)
    except (TypeError, ValueError, SyntaxError):
        takes = ", ".join(list(signature.parameters)[len(places) :]) or "none"
        raise OptionError(
            f"{wanted!r} is no {kind}: {match[1]} takes numbers for these parameters: {takes}."
        ) from None
    return partial(function, **parameters) if function and parameters else function
