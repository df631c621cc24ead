"""A profile of boxes in words: what holds of a bid, and what that is worth."""

from __future__ import annotations

from genius_py.llm.quotation import name_text
from genius_py.utility import Aggregate, HyperRectangle, HyperRectangleUtilitySpace

__all__ = ["boxes_text"]

_MOST_BOXES = 60
"""A profile of more boxes is shown by examples alone."""

_FOLDS = {
    "sum": "the sum of what holds",
    "max": "the largest (0 for one that does not hold)",
    "min": "the least (0 for one that does not hold)",
}


def boxes_text(space: HyperRectangleUtilitySpace) -> list[str]:
    """One line for each box or nested aggregate; none where that would be long or deep.

    The values are utilities: weights and the largest utility are worked in.
    """
    whole = space.aggregate
    if (
        len(list(whole.all_boxes())) > _MOST_BOXES
        or any(part.nested for part in whole.nested)
        or space.max_utility <= 0
    ):
        return []
    unit = 1 / space.max_utility
    return [
        f"A bid is worth {_FOLDS[whole.aggregation]} of these, and at most 1.00:",
        *(f"- {_box_text(box, unit)}" for box in whole.boxes),
        *(f"- {_part_text(part, unit)}" for part in whole.nested),
    ]


def _part_text(part: Aggregate, unit: float) -> str:
    held = "; ".join(_box_text(box, unit * part.weight) for box in part.boxes)
    return f"{_FOLDS[part.aggregation]} of: {held}"


def _box_text(box: HyperRectangle, unit: float) -> str:
    bounds = " and ".join(
        f"{name_text(name)} is {low if low == high else f'from {low} to {high}'}"
        for name, (low, high) in box.bounds.items()
    )
    where = "unless" if box.excludes else "where"
    return f"{box.utility * box.weight * unit:.2f} " + (f"{where} {bounds}" if bounds else "always")
