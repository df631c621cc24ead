"""What was possible as a picture, and where the offers of a session lie in it.

matplotlib, an extra, is imported when something is drawn.
"""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from genius_py.action import Offer
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.analysis.points import Points
from genius_py.bid import Bid
from genius_py.errors import OptionError
from genius_py.log import Kind
from genius_py.outcome import Outcome
from genius_py.plan import SeatPlan
from genius_py.utility import UtilitySpace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "plot_outcome",
    "plot_space",
    "require_plotting",
    "save_outcome_plot",
    "save_space_plot",
]

FORMATS = (".png", ".svg")

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Told apart by colour-blind people too (Okabe & Ito, 2008, "Color Universal Design")."""

_MARKERS = "os^Dvp"
_NOBODYS = "0.35"  # in the legend, where a colour would be that of one party
_DASHED: Mapping[str, Any] = {"linestyle": "--", "linewidth": 0.9}
_RING: Mapping[str, Any] = {"marker": "o", "markersize": 14, "markerfacecolor": "none"}
_SOLUTIONS = {
    "nash": ("*", 12, "Nash"),
    "kalai_smorodinsky": ("P", 8, "Kalai-Smorodinsky"),
    "egalitarian": ("d", 8, "egalitarian"),
    "utilitarian": ("h", 8, "utilitarian"),
}
"""How bargaining solutions are drawn: marker, size and name; the last ones above the others."""
_MOST_DOTS = 20_000
_GRID = 200


def plot_outcome(outcome: Outcome, *, ax: Axes | None = None) -> Axes:
    """Draw a session; two parties as an outcome space, any other number as utility over time.

    The outcome space shows all bids (or where they cannot be listed some), the Pareto frontier and
    the Nash bargaining solution among them, the offers of each party in their order, the agreement,
    and each party's reservation value as a line. Over time, it is what each party's offers were
    worth to itself, or what the mediator's were where there is one. Utilities are undiscounted.

    With `ax` it draws there and makes no figure; else the figure is ``plot_outcome(...).figure``,
    and is not one of pyplot's.

    Raises:
        OptionError: matplotlib is not installed.
    """
    if ax is None:
        ax = _new_figure().subplots()
    if len(outcome.plan.parties) == 2:
        _draw_space(outcome, ax)
    else:
        _draw_over_time(outcome, ax)
    plan = outcome.plan
    ax.set_title(_label(f"{plan.protocol} on {plan.scenario.name}"))
    ax.legend(fontsize="small")
    return ax


def save_outcome_plot(outcome: Outcome, path: str | Path) -> None:
    """Draw a session into a PNG or SVG file; the same session gives the same file.

    Raises:
        OptionError: matplotlib is not installed, or the file's name ends otherwise.
    """
    require_plotting(path)
    figure = _new_figure()
    plot_outcome(outcome, ax=figure.subplots())
    _save(figure, Path(path))


def plot_space(
    space: OutcomeSpace, *, one: int = 0, other: int = 1, ax: Axes | None = None
) -> Axes:
    """Draw what two parties can come to: bids, Pareto frontier, solutions, reservation values.

    `one` and `other` are the parties' places; with more than two the frontier is that of all,
    seen from the side of these two. `ax` is as for `plot_outcome`.

    Raises:
        OptionError: matplotlib is not installed, or there are not two parties.
    """
    if len(space.parties) < 2:
        raise OptionError("A picture of what is possible needs the profiles of two parties.")
    if ax is None:
        ax = _new_figure().subplots()
    profiles = {space.parties[place]: [*space.profiles.values()][place] for place in (one, other)}
    _draw_possible(space, [one, other], ax)
    _draw_reservation(profiles, ax)
    for name, (marker, size, label) in reversed(_SOLUTIONS.items()):
        point = space.analysis.solution(name)
        if point is not None:
            ax.plot(*point[[one, other]], marker, color="black", markersize=size, label=label)
    ax.legend(fontsize="small")
    return ax


def save_space_plot(space: OutcomeSpace, title: str, path: str | Path) -> None:
    """Draw what the parties can come to, each pair of them, into a PNG or SVG file.

    Raises:
        OptionError: as for `plot_space`; or the file's name ends otherwise.
    """
    require_plotting(path)
    pairs = list(combinations(range(len(space.parties)), 2)) or [(0, 1)]
    columns = math.isqrt(len(pairs) - 1) + 1
    rows = -(-len(pairs) // columns)
    figure = _new_figure()
    if len(pairs) > 1:
        figure.set_size_inches(5.0 * columns, 4.5 * rows)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for (one, other), ax in zip(pairs, axes, strict=False):
        plot_space(space, one=one, other=other, ax=ax)
    for ax in axes[len(pairs) :]:
        ax.remove()
    figure.suptitle(_label(title))
    _save(figure, Path(path))


def _save(figure: Figure, path: Path) -> None:
    import matplotlib

    is_svg = path.suffix.lower() == ".svg"
    with matplotlib.rc_context({"svg.hashsalt": "genius-py"}), warnings.catch_warnings():
        # Names in a script that the font lacks are drawn as boxes, which says enough.
        warnings.filterwarnings(
            "ignore", message=r"Glyph \d+ .* missing from", category=UserWarning
        )
        figure.savefig(path, dpi=150, metadata={"Date": None} if is_svg else None)


def require_plotting(path: str | Path) -> None:
    """Raise `OptionError` unless a plot can be written to a file of this name."""
    if Path(path).suffix.lower() not in FORMATS:
        raise OptionError(f"Cannot draw {str(path)!r}; end its name in {' or '.join(FORMATS)}.")
    _require_matplotlib()


def _new_figure() -> Figure:
    """A figure that pyplot does not know, so that nobody has to close it."""
    _require_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(7.5, 6.0), layout="constrained")


def _require_matplotlib() -> None:
    if importlib.util.find_spec("matplotlib") is None:
        raise OptionError("A plot needs matplotlib; install it: pip install 'genius-py[plot]'.")


def _draw_space(outcome: Outcome, ax: Axes) -> None:
    plan = outcome.plan
    profiles = {seat.id: plan.profile(seat) for seat in plan.parties}
    space = OutcomeSpace.of(profiles)
    if space is not None:
        _draw_possible(space, [0, 1], ax)
    for seat, colour, marker in _seats(outcome):
        worth = [
            [profile.utility(bid) for profile in profiles.values()]
            for _, bid in _offers(outcome, seat)
        ]
        offers = np.array(worth).reshape(-1, 2)
        ax.plot(
            *offers.T,
            marker=marker,
            color=colour,
            markersize=4,
            linewidth=0.8,
            alpha=0.8,
            label=_label(f"{seat.id}: {seat.party}"),
        )
    _draw_reservation(profiles, ax)
    nash = None if space is None else space.analysis.solution("nash")
    if nash is not None:
        ax.plot(*nash, "*", color="black", markersize=12, label="Nash")
    if outcome.agreement is not None:
        agreed = [profile.utility(outcome.agreement) for profile in profiles.values()]
        ax.plot(*agreed, linestyle="", markeredgecolor="black", label="agreement", **_RING)


def _draw_possible(space: OutcomeSpace, pair: list[int], ax: Axes) -> None:
    """All bids, or some, and the frontier, as two of the parties see them."""
    x, y = _thinned(space.cloud(np.random.default_rng(0))[:, pair]).T
    name = "bids" if space.domain.is_listable else "some bids"
    ax.scatter(x, y, s=6, color="0.82", linewidths=0, rasterized=True, label=name)
    frontier = space.frontier[:, pair]
    frontier = frontier[np.argsort(frontier[:, 0])]
    # With more parties the frontier is a surface, which no line can follow.
    style = "-" if len(space.parties) == 2 else "."
    ax.plot(*frontier.T, style, color="0.35", linewidth=1.2, markersize=2, label="Pareto frontier")


def _draw_reservation(profiles: Mapping[str, UtilitySpace], ax: Axes) -> None:
    """What no agreement is worth to two parties, as lines, and whose axis is which."""
    lines = zip((ax.axvline, ax.axhline), profiles.values(), _COLOURS, strict=False)
    for draw_line, profile, colour in lines:
        if math.isfinite(profile.reservation_value):
            draw_line(profile.reservation_value, color=colour, **_DASHED)
    _name_lines(profiles.values(), ax)
    one, other = profiles
    ax.set_xlabel(_label(f"utility of {one}"))
    ax.set_ylabel(_label(f"utility of {other}"))


def _name_lines(profiles: Iterable[UtilitySpace], ax: Axes) -> None:
    """Say in the legend, once for all parties, what the lines of the reservation values are."""
    if any(math.isfinite(profile.reservation_value) for profile in profiles):
        ax.plot([], [], color=_NOBODYS, label="no agreement", **_DASHED)


def _draw_over_time(outcome: Outcome, ax: Axes) -> None:
    plan = outcome.plan
    mediators = [seat for seat in plan.seats if seat.is_mediator]
    for seat, colour, marker in _seats(outcome):
        if seat.is_mediator:
            continue
        profile = plan.profile(seat)
        offers = [
            (time, profile.utility(bid))
            for proposer in (mediators or [seat])
            for time, bid in _offers(outcome, proposer)
        ]
        ax.plot(
            *np.array(offers).reshape(-1, 2).T,
            marker=marker,
            color=colour,
            markersize=4,
            linewidth=0.8,
            label=_label(f"{seat.id}: {seat.party}"),
        )
        if math.isfinite(profile.reservation_value):
            ax.axhline(profile.reservation_value, color=colour, **_DASHED)
        if outcome.agreement is not None:
            agreed = profile.utility(outcome.agreement)
            ax.plot(outcome.time, agreed, markeredgecolor=colour, **_RING)
    _name_lines(map(plan.profile, plan.parties), ax)
    if outcome.agreement is not None:
        ax.plot([], [], linestyle="", markeredgecolor=_NOBODYS, label="agreement", **_RING)
    ax.set_xlabel("time (share of the deadline)")
    ax.set_ylabel("utility of the offer")


def _seats(outcome: Outcome) -> Iterator[tuple[SeatPlan, str, str]]:
    """Each seat with its colour and marker; a mediator is black."""
    number = 0
    for seat in outcome.plan.seats:
        if seat.is_mediator:
            yield seat, "black", "x"
        else:
            yield seat, _COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)]
            number += 1


def _offers(outcome: Outcome, seat: SeatPlan) -> Iterator[tuple[float, Bid]]:
    for event in outcome.log:
        if event.kind == Kind.ACTION and event.party == seat.id and isinstance(event.action, Offer):
            yield event.time, event.action.bid


def _thinned(points: Points) -> Points:
    """At most one point in each cell of a fine grid, when there are more than can be seen."""
    if len(points) <= _MOST_DOTS:
        return points
    low, high = points.min(axis=0), points.max(axis=0)
    cells = np.round((points - low) / np.where(high > low, high - low, 1.0) * _GRID)
    _, kept = np.unique(cells, axis=0, return_index=True)
    return points[kept]


def _label(text: str) -> str:
    """As matplotlib shows it letter by letter: "$" starts mathematics, "_" hides from legends."""
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
