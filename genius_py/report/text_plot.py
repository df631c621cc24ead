"""Points of two parties' utilities, drawn with characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from rich.text import Text

from genius_py.analysis.points import Points

__all__ = ["Layer", "drawn"]


class Layer(NamedTuple):
    """Points, shape (n, 2), that are drawn with one mark."""

    mark: str
    style: str
    name: str
    points: Points


def drawn(
    layers: Sequence[Layer],
    reserve: Points,
    whom: tuple[str, str],
    *,
    width: int = 60,
    height: int = 18,
) -> Text:
    """The layers, each above those before, `width` characters wide and `height` lines high.

    Lines mark `reserve`, shape (1, 2), what no agreement is worth. `whom` says whose utility grows
    to the right and whose upwards. Layers without points are left out.
    """
    layers = [layer for layer in layers if len(layer.points)]
    everything = np.concatenate([reserve, *(layer.points for layer in layers)])
    everything = everything[np.isfinite(everything).all(axis=1)]
    low, high = everything.min(axis=0), everything.max(axis=0)
    span = np.where(high > low, high - low, 1.0)

    def places(points: Points) -> list[list[int]]:
        inside = points[np.isfinite(points).all(axis=1)]
        cells = np.rint((inside - low) / span * [width - 1, height - 1]).astype(int)
        found: list[list[int]] = np.unique(cells, axis=0).tolist()
        return found

    cells = [[(" ", "")] * width for _ in range(height)]
    for column, row in places(reserve):
        cells[row] = [("-", "dim")] * width
        for line in cells:
            line[column] = ("|", "dim")
    for mark, style, _, points in layers:
        for column, row in places(points):
            cells[row][column] = (mark, style)
    top, bottom = f"{high[1]:.2f}", f"{low[1]:.2f}"
    margin = max(len(top), len(bottom)) + 1
    text = Text()
    text.append(f"{top}  worth to {whom[1]}\n", "dim")
    for line in reversed(cells):
        text.append(f"{' ' * margin}|", "dim")
        for cell in line:
            text.append(*cell)
        text.append("\n")
    text.append(f"{bottom.ljust(margin)}+{'-' * width}\n", "dim")
    left, right = f"{' ' * margin} {low[0]:.2f}", f"worth to {whom[0]}  {high[0]:.2f}"
    text.append(f"{left}{right.rjust(margin + 1 + width - len(left))}\n", "dim")
    for mark, style, name, _ in layers:
        text.append(mark, style)
        text.append(f" {name}   ")
    text.append("lines: no agreement", "dim")
    return text
