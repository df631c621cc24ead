"""Profiles in Genius's XML: of which kind they are, and what all kinds share.

A profile refers to the domain's issues by number.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from genius_py.errors import DomainError
from genius_py.formats.genius_additive import add_additive, additive_space
from genius_py.formats.genius_constraint import add_rules, constraint_space
from genius_py.formats.genius_domain import GeniusDomain, add_issues, add_objective
from genius_py.formats.genius_hyperrectangle import add_hyper_rectangles, hyper_rectangle_space
from genius_py.formats.xml_text import Element, Output, add, xml_of
from genius_py.utility import (
    AdditiveUtilitySpace,
    ConstraintUtilitySpace,
    HyperRectangleUtilitySpace,
    UtilitySpace,
)

__all__ = ["profile_of", "profile_text"]


def profile_of(root: Element, genius: GeniusDomain) -> UtilitySpace:
    """The utility space that a profile's root element describes.

    Raises:
        DomainError: something that cannot do without is missing or is not what it should be.
    """
    stated = root.attributes.get("type", "linear")
    kind = stated.strip().lower()
    space: UtilitySpace
    if kind == "nonlinear":
        space = hyper_rectangle_space(root, genius)
    elif kind == "constraint":
        space = constraint_space(root, genius)
    elif kind in ("linear", "uncertain", "any"):
        if kind == "uncertain":
            root.warn("the profile is UNCERTAIN; its true utilities are used.")
        if kind == "any":
            root.warn("type 'any' is not one of Genius's; taken for an additive profile.")
        space = additive_space(root, genius)
    else:
        raise root.error(
            f"type {stated!r} is unknown; expected linear, nonlinear, constraint, uncertain or "
            f"none."
        )
    # Genius looks for these anywhere in an additive profile, and beside the root's children else.
    places = list(root.walk()) if isinstance(space, AdditiveUtilitySpace) else [root]
    return attrs.evolve(
        space, reservation_value=_reservation(places), discount_factor=_discount(places)
    )


def profile_text(space: UtilitySpace) -> str:
    """A profile file.

    Raises:
        DomainError: Genius has no such profiles, or an issue cannot be held.
    """
    root = Output("utility_space")
    objective = add_objective(root, space.domain)
    match space:
        case AdditiveUtilitySpace():
            add_additive(objective, space)
        case HyperRectangleUtilitySpace():
            root.set("type", "nonlinear")
            add_issues(objective, space.domain)
            add_hyper_rectangles(objective, space)
        case ConstraintUtilitySpace():
            root.set("type", "constraint")
            add_issues(objective, space.domain)
            add_rules(objective, space)
        case _:
            raise DomainError(
                f"Genius's XML holds additive, hyper-rectangle and constraint profiles; it cannot "
                f"hold a {type(space).__name__}."
            )
    add(root, "discount_factor", value=space.discount_factor)
    add(root, "reservation", value=space.reservation_value)
    return xml_of(root)


def _reservation(places: Iterable[Element]) -> float:
    """The last value that is said; of several in one place the first."""
    found = 0.0
    for place in places:
        value = _said(place, "reservation")
        if value is None:
            continue
        found = value
        if value < 0:
            place.warn(f"the reservation value {value} is negative: any bid is better.")
        elif value > 1:
            place.warn(f"the reservation value {value} is above 1: no bid is as good.")
    return found


def _discount(places: Iterable[Element]) -> float:
    found = 1.0
    for place in places:
        value = _said(place, "discount_factor")
        if value is None:
            continue
        found = value
        if not 0 < value <= 1:
            found = 1.0
            place.warn(f"the discount factor {value} is not in (0, 1], which means no discount.")
    return found


def _said(place: Element, tag: str) -> float | None:
    element = place.first(tag)
    try:
        return None if element is None else element.number("value")
    except DomainError as error:
        place.warn(f"{error.message} It is ignored, as Genius does.")
        return None
