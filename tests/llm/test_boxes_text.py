"""Profiles of boxes in words, from which the worth of a bid can be worked out."""

from __future__ import annotations

import re

import attrs
import pytest

from genius_py import formats
from genius_py.bid import Bid
from genius_py.llm.boxes_text import boxes_text
from genius_py.llm.profile_text import profile_text
from genius_py.utility import Aggregate, HyperRectangle, HyperRectangleUtilitySpace

POWER = formats.load_bundled("data_centre_power")


def space_of(aggregate: Aggregate, most: float = 10.0) -> HyperRectangleUtilitySpace:
    return HyperRectangleUtilitySpace(
        domain=POWER.domain, aggregate=aggregate, max_utility=most, reservation_value=0.0
    )


def worked_out(lines: list[str], bid: Bid) -> float:
    """What a reader makes of sums, whose parts may be the largest of some."""

    def worth(text: str) -> float:
        value, bounds = text.split(" where ")
        ranges = re.findall(r"(\w+) is from (\d+) to (\d+)", bounds)
        return float(value) * all(int(a) <= int(bid[name]) <= int(b) for name, a, b in ranges)

    return sum(max(map(worth, line[2:].split(": ")[-1].split("; "))) for line in lines[1:])


@pytest.mark.parametrize("role", ["data_centre", "grid"])
def test_the_worth_of_any_bid_can_be_worked_out_from_the_lines(role: str) -> None:
    space = POWER.profiles[role]
    assert isinstance(space, HyperRectangleUtilitySpace)
    lines = boxes_text(space)
    for index in range(0, POWER.domain.size, 997):
        bid = POWER.domain.bid_at(index)
        assert worked_out(lines, bid) == pytest.approx(space.utility(bid))


def test_the_lines_stand_in_the_profile_before_examples() -> None:
    text = profile_text(POWER.profiles["grid"])
    assert "- 0.16 where midday_load is from 5 to 9\n" in text
    assert text.index("0.16 where") < text.index("Some bids, the best one first:")


def test_what_a_box_says_besides_its_bounds() -> None:
    boxes = (
        HyperRectangle(2.0, {"night_load": (3, 3)}, excludes=True),
        HyperRectangle(1.0, weight=3.0),
    )
    assert boxes_text(space_of(Aggregate("max", boxes))) == [
        "A bid is worth the largest (0 for one that does not hold) of these, and at most 1.00:",
        "- 0.20 unless night_load is 3",
        "- 0.30 always",
    ]
    nested = Aggregate("sum", nested=(Aggregate("min", boxes[1:], weight=2.0),))
    assert boxes_text(space_of(nested))[1] == (
        "- the least (0 for one that does not hold) of: 0.60 always"
    )


def test_too_many_boxes_or_too_deep_ones_are_not_told() -> None:
    box = HyperRectangle(1.0, {"night_load": (0, 3)})
    assert boxes_text(space_of(Aggregate("sum", (box,) * 61))) == []
    deep = Aggregate("sum", nested=(Aggregate("sum", nested=(Aggregate("sum", (box,)),)),))
    assert boxes_text(space_of(deep)) == []
    assert boxes_text(attrs.evolve(space_of(Aggregate("sum", (box,))), max_utility=0.0)) == []
