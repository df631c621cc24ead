"""What makes a party: a spec, a class, or anything else that gives a fresh one when called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from genius_py import registry
from genius_py.errors import OptionError, PartyFailure
from genius_py.party import NegotiationParty

__all__ = ["PartySource", "class_of", "make_party", "name_of", "options_of", "require_party"]

PartySource: TypeAlias = str | type[NegotiationParty] | Callable[[], NegotiationParty]
"""A spec, a class, or anything else that makes a fresh party when called."""


def make_party(source: PartySource) -> NegotiationParty:
    """A fresh party.

    Raises:
        UnknownName: no party has the name that a spec gives.
        OptionError: a class does not take an option of its spec.
        PartyFailure: a factory made something else.
    """
    party = registry.make("party", source) if isinstance(source, str) else source()
    if not isinstance(party, NegotiationParty):
        raise PartyFailure(
            f"{name_of(source)} made a {type(party).__name__}, which is no NegotiationParty"
        )
    return party


def class_of(source: PartySource) -> Any:
    """The class of the parties that a source makes, `NegotiationParty` where a function does.

    Raises:
        UnknownName: no party has the name that a spec gives.
    """
    if isinstance(source, str):
        return registry.class_of("party", source)
    made = source.func if isinstance(source, partial) else source
    return made if inspect.isclass(made) else NegotiationParty


def options_of(source: PartySource) -> Mapping[str, object]:
    """The options that a source constructs its parties with."""
    if isinstance(source, str):
        return registry.Spec.parse(source).options
    return source.keywords if isinstance(source, partial) else {}


def name_of(source: PartySource) -> str:
    """How a source stands in a plan: a spec as it is, a class or function by its name."""
    if isinstance(source, str):
        return source
    name = getattr(source, "name", "") or getattr(source, "__qualname__", type(source).__name__)
    return str(name)


def require_party(source: object) -> None:
    """Refuse what can make no party; a class or factory is what can be called.

    Raises:
        OptionError: it is none of them; the text says what to give instead.
    """
    made = source.func if isinstance(source, partial) else source
    if inspect.isclass(made):
        if not issubclass(made, NegotiationParty):
            raise OptionError(
                f"{made.__qualname__} is no party; derive it from genius_py.NegotiationParty, or "
                f"from genius_py.bidding.BiddingParty, which asks for less."
            )
    elif isinstance(made, NegotiationParty):
        raise OptionError(
            f"{type(made).__qualname__}(...) is a party already; name the class, or a function "
            f"that makes one, for each session needs a fresh party."
        )
    elif not isinstance(made, str) and not callable(made):
        raise OptionError(
            f"{made!r} is no party; name a spec such as 'boulware', a class, or a function that "
            f"makes a party."
        )
