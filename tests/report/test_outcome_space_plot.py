"""A finished session as a picture."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from genius_py import formats
from genius_py.action import Accept, Action, EndNegotiation, Offer
from genius_py.allowed import Allowed
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue, TextIssue
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.report.outcome_space_plot import (
    plot_outcome,
    plot_space,
    save_outcome_plot,
    save_space_plot,
)
from genius_py.scenario import Scenario
from genius_py.utility import (
    CallableUtilitySpace,
    LinearUtilitySpace,
    TableUtilitySpace,
    UtilitySpace,
)

PIE = Domain("pie", [DiscreteIssue("share", ["a", "b", "c", "d"])])
WORTH = ((1.0, 0.6, 0.1, 0.4), (0.0, 0.7, 1.0, 0.5), (0.2, 0.9, 0.3, 0.1))


class Stubborn(NegotiationParty):
    """Offers b for ever, and accepts it."""

    name = "$tubborn"

    def choose_action(self, allowed: Allowed) -> Action:
        bid = self.domain.bid_at(1 % self.domain.size)
        return Accept(self.id, bid) if Accept in allowed else Offer(self.id, bid)


class Leaver(NegotiationParty):
    """Walks away."""

    name = "leaver"

    def choose_action(self, allowed: Allowed) -> Action:
        return EndNegotiation(self.id)


def outcome(
    roles: Sequence[str] = ("ann", "bob"),
    parties: Sequence[type[NegotiationParty]] | None = None,
    domain: Domain = PIE,
) -> Outcome:
    profiles: dict[str, UtilitySpace] = {
        role: TableUtilitySpace(domain=domain, table=list(worth), reservation_value=0.3)
        if domain is PIE
        else CallableUtilitySpace(domain=domain, function=lambda bid: 0.5)
        for role, worth in zip(roles, WORTH, strict=False)
    }
    return run("SAOP", Scenario(domain, profiles), parties=parties or [Stubborn] * len(roles))


def legend(ax: Axes) -> list[str]:
    drawn = ax.get_legend()
    assert drawn is not None
    return [text.get_text() for text in drawn.get_texts()]


def test_each_party_is_once_in_the_legend() -> None:
    assert legend(plot_outcome(outcome())) == [
        "bids",
        "Pareto frontier",
        r"ann: \$tubborn",
        r"bob: \$tubborn",
        "no agreement",
        "Nash",
        "agreement",
    ]


def space(roles: Sequence[str] = ("ann", "bob")) -> OutcomeSpace:
    profiles: dict[str, UtilitySpace] = {
        role: TableUtilitySpace(domain=PIE, table=list(worth), reservation_value=0.3)
        for role, worth in zip(roles, WORTH, strict=False)
    }
    return OutcomeSpace.require(profiles)


def test_what_is_possible_is_drawn_with_its_solutions() -> None:
    ax = plot_space(space())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("utility of ann", "utility of bob")
    assert legend(ax) == [
        "bids",
        "Pareto frontier",
        "no agreement",
        "utilitarian",
        "egalitarian",
        "Kalai-Smorodinsky",
        "Nash",
    ]
    (nash,) = (line for line in ax.lines if line.get_label() == "Nash")
    assert np.asarray(nash.get_xydata()).tolist() == [[0.6, 0.7]]


def test_of_three_parties_any_two_can_be_looked_at() -> None:
    three = space(("ann", "bob", "cyd"))
    ax = plot_space(three, one=1, other=2)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("utility of bob", "utility of cyd")
    (cloud,) = ax.collections
    assert np.asarray(cloud.get_offsets()).tolist() == [
        list(pair) for pair in zip(WORTH[1], WORTH[2], strict=True)
    ]


def test_one_party_alone_has_no_outcome_space() -> None:
    with pytest.raises(OptionError, match="two parties"):
        plot_space(space(("ann",)))


@pytest.mark.parametrize("roles", [("ann", "bob"), ("ann", "bob", "cyd")])
def test_the_same_space_gives_the_same_file(tmp_path: Path, roles: Sequence[str]) -> None:
    one, other = tmp_path / "one.png", tmp_path / "other.png"
    save_space_plot(space(roles), "a pie of $3", one)
    save_space_plot(space(roles), "a pie of $3", other)
    assert one.read_bytes() == other.read_bytes()


def test_of_bids_that_cannot_be_listed_some_are_drawn() -> None:
    large = formats.load("random:issues=30,values=9,seed=1")
    assert legend(plot_space(OutcomeSpace.require(large.profiles)))[:1] == ["some bids"]


def test_more_than_two_parties_are_drawn_over_time() -> None:
    ax = plot_outcome(outcome(("ann", "bob", "cyd")))
    assert ax.get_xlabel().startswith("time")
    assert legend(ax) == [
        r"ann: \$tubborn",
        r"bob: \$tubborn",
        r"cyd: \$tubborn",
        "no agreement",
        "agreement",
    ]


def test_the_axes_are_the_parties_and_the_points_their_utilities() -> None:
    ax = plot_outcome(outcome())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("utility of ann", "utility of bob")
    (agreement,) = (line for line in ax.lines if line.get_label() == "agreement")
    assert np.asarray(agreement.get_xydata()).tolist() == [[0.6, 0.7]]
    (frontier,) = (line for line in ax.lines if line.get_label() == "Pareto frontier")
    assert np.asarray(frontier.get_xydata()).tolist() == [[0.1, 1.0], [0.6, 0.7], [1.0, 0.0]]


def test_a_given_axis_is_drawn_on_and_no_figure_is_made() -> None:
    ax = Figure().subplots()
    assert plot_outcome(outcome(), ax=ax) is ax
    plot_outcome(outcome())
    assert pyplot.get_fignums() == []


def test_without_agreement_there_is_none_in_the_picture() -> None:
    assert "agreement" not in legend(plot_outcome(outcome(parties=[Leaver, Leaver])))


def test_bids_that_cannot_be_listed_leave_the_offers() -> None:
    free = Domain("free", [TextIssue("scope"), DiscreteIssue("price", ["high", "low"])])
    assert legend(plot_outcome(outcome(domain=free)))[:1] == [r"ann: \$tubborn"]


def test_a_role_that_begins_with_an_underscore_is_in_the_legend() -> None:
    assert r" _ann: \$tubborn" in legend(plot_outcome(outcome(("_ann", "bob"))))


def test_a_large_space_is_thinned_to_what_can_be_seen() -> None:
    large = Domain("large", [IntegerIssue("x", 1, 300), IntegerIssue("y", 1, 300)])
    profiles: dict[str, UtilitySpace] = {
        role: LinearUtilitySpace(domain=large, coefficients=coefficients, scale=600)
        for role, coefficients in (("ann", (1.0, 1.0)), ("bob", (-1.0, 1.0)))
    }
    ax = plot_outcome(run("SAOP", Scenario(large, profiles), parties=[Stubborn, Stubborn]))
    (cloud,) = ax.collections
    assert 1000 < len(np.asarray(cloud.get_offsets())) < large.size / 2


def test_a_mediator_s_offers_are_drawn_for_everybody() -> None:
    two = run("simple_mediator", "company_car", deadline=5)
    assert legend(plot_outcome(two))[2].startswith("mediator: ")
    three = plot_outcome(run("simple_mediator", "wind_farm", deadline=5))
    parties = run("simple_mediator", "wind_farm", deadline=1).utilities
    assert [label.partition(":")[0] for label in legend(three)] == [*parties, "no agreement"]
    lines = [line for line in three.lines if ":" in str(line.get_label())]
    assert [len(np.asarray(line.get_xdata())) for line in lines] == [5, 5, 5]


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_the_same_session_gives_the_same_file(tmp_path: Path, suffix: str, start: bytes) -> None:
    one, other = tmp_path / f"one{suffix}", tmp_path / f"other{suffix}"
    save_outcome_plot(outcome(), one)
    save_outcome_plot(outcome(), other)
    assert one.read_bytes().startswith(start)
    assert one.read_bytes() == other.read_bytes()


def test_a_name_in_a_script_that_the_font_lacks_is_drawn(tmp_path: Path) -> None:
    save_outcome_plot(outcome(("買い手", "ბანკი")), tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").exists()


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"plot\.gif.*\.png or \.svg"):
        save_outcome_plot(outcome(), tmp_path / "plot.gif")


def test_without_matplotlib_the_way_to_install_it_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"pip install 'genius-py\[plot\]'"):
        save_outcome_plot(outcome(), tmp_path / "plot.png")
