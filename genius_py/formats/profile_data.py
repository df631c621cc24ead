"""Profiles as plain data: one schema for YAML files and for what a session log embeds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping
from typing import Any

import attrs

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats.node import Node
from genius_py.formats.profile_additive import read_additive, write_additive
from genius_py.formats.profile_nonlinear import (
    read_boxes,
    read_constraints,
    write_boxes,
    write_constraints,
)
from genius_py.formats.profile_numeric import read_linear, read_table, write_linear, write_table
from genius_py.formats.profile_parts import bid_of, plain
from genius_py.issue import RealIssue
from genius_py.utility import (
    AdditiveUtilitySpace,
    ConstraintUtilitySpace,
    HyperRectangleUtilitySpace,
    LinearUtilitySpace,
    TableUtilitySpace,
    UtilitySpace,
)

__all__ = ["is_kept", "profile_of", "profile_to_dict"]


def profile_of(node: Node, domain: Domain) -> UtilitySpace:
    """The profile that a mapping describes.

    Raises:
        DomainError: naming the place and what was expected there.
    """
    entries = node.entries()
    name = entries["type"].choice("type", list(_KINDS)) if "type" in entries else "additive"
    kind = _KINDS[name]
    node.mapping(kind.required, (*kind.optional, "type", "reservation", "discount"))
    space = kind.read(node, domain)
    discount, reservation = entries.get("discount"), entries.get("reservation")
    return attrs.evolve(
        space,
        discount_factor=1.0 if discount is None else _discount(discount),
        reservation_value=0.0 if reservation is None else _reservation(reservation, space),
    )


def profile_to_dict(space: UtilitySpace) -> dict[str, object]:
    """Plain data that `profile_of` makes an equal profile from.

    A space of a class of one's own, or a callable one, is stored as its table.

    Raises:
        DomainError: such a space has a domain too large to be listed, or real issues, between
            whose listed points a table would tell other utilities than the space does.
    """
    found = _kind_of(space)
    if found is None:
        if any(isinstance(issue, RealIssue) for issue in space.domain.issues):
            raise DomainError(
                f"A {type(space).__name__} can only be stored as a table, which cannot hold it "
                f"between the listed points of a real issue; make that issue an integer one."
            )
        if not space.domain.is_listable:
            raise DomainError(
                f"A {type(space).__name__} can only be stored as a table, "
                f"and domain {space.domain.name!r} is too large to be listed."
            )
        return profile_to_dict(TableUtilitySpace.of(space))
    data: dict[str, object] = {} if found == "additive" else {"type": found}
    if space.reservation_value:
        data["reservation"] = plain(space.reservation_value)
    if 0 < space.discount_factor < 1:
        data["discount"] = plain(space.discount_factor)
    return {**data, **_KINDS[found].write(space)}


def is_kept(space: UtilitySpace) -> bool:
    """Whether a space is stored as what it is, not as its table."""
    return _kind_of(space) is not None


def _kind_of(space: UtilitySpace) -> str | None:
    return next((name for name, kind in _KINDS.items() if kind.space is type(space)), None)


def _discount(node: Node) -> float:
    factor = node.number()
    if 0 < factor <= 1:
        return factor
    where = node.error(f"a discount factor of {factor:g} means no discount; use one in (0, 1].")
    warnings.warn(str(where), GeniusWarning, stacklevel=2)
    return 1.0


def _reservation(node: Node, space: UtilitySpace) -> float:
    if not isinstance(node.content, dict):
        return node.number()
    bid = bid_of(node, space.domain)
    with node.blamed():
        return space.utility(bid)


@attrs.frozen
class _Kind:
    """How one class of utility space is read and written, and its own keys.

    `read` is given a mapping that has the required keys and no unknown ones.
    """

    space: type[UtilitySpace]
    read: Callable[[Node, Domain], UtilitySpace]
    write: Callable[[Any], dict[str, object]]
    required: Collection[str]
    optional: Collection[str] = ()


_KINDS: Mapping[str, _Kind] = {
    "additive": _Kind(
        AdditiveUtilitySpace, read_additive, write_additive, ("weights", "evaluations")
    ),
    "constraint": _Kind(
        ConstraintUtilitySpace, read_constraints, write_constraints, ("ranks",), ("constraints",)
    ),
    "hyper-rectangle": _Kind(
        HyperRectangleUtilitySpace,
        read_boxes,
        write_boxes,
        ("max_utility", "aggregation"),
        ("weight", "boxes", "nested"),
    ),
    "linear": _Kind(
        LinearUtilitySpace,
        read_linear,
        write_linear,
        ("coefficients",),
        ("constant", "scale", "limits", "where"),
    ),
    "table": _Kind(TableUtilitySpace, read_table, write_table, ("utilities",)),
}
