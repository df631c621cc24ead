"""Points drawn with characters."""

import math

import numpy as np

from genius_py.report.text_plot import Layer, drawn

CORNERS = np.array([(0.0, 0.0), (1.0, 1.0)])


def lines(*layers: Layer, reserve: tuple[float, float] = (0.0, 0.0), width: int = 11) -> list[str]:
    text = drawn(layers, np.array([reserve]), ("ann", "bob"), width=width, height=5)
    return text.plain.splitlines()


def test_the_first_party_grows_to_the_right_and_the_second_upwards() -> None:
    assert lines(Layer("o", "", "some", CORNERS), reserve=(0.5, 0.5), width=21) == [
        "1.00  worth to bob",
        "     |          |         o",
        "     |          |          ",
        "     |----------|----------",
        "     |          |          ",
        "     |o         |          ",
        "0.00 +---------------------",
        "      0.00worth to ann  1.00",
        "o some   lines: no agreement",
    ]


def test_a_later_layer_is_above_an_earlier_one() -> None:
    drawing = lines(Layer("o", "", "all", CORNERS), Layer("N", "", "Nash", CORNERS[1:]))
    assert drawing[1].endswith("N")
    assert "o all   N Nash" in drawing[-1]


def test_a_layer_without_points_is_not_in_the_legend() -> None:
    drawing = lines(Layer("o", "", "all", CORNERS), Layer("1", "", "offers", CORNERS[:0]))
    assert "offers" not in drawing[-1]


def test_utilities_in_euros_keep_the_frame_straight() -> None:
    drawing = lines(Layer("o", "", "all", CORNERS * [12000, 12000]))
    assert {line.index("|") for line in drawing[1:6]} == {9}
    assert drawing[6].startswith("0.00     +")


def test_a_single_point_and_one_that_is_no_number_are_no_trouble() -> None:
    point = np.array([(0.5, 0.5), (math.nan, 1.0)])
    assert "o" in "".join(lines(Layer("o", "", "all", point), reserve=(-math.inf, 0.5)))
