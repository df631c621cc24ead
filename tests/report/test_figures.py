import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from genius_py.errors import OptionError
from genius_py.formats import load, save
from genius_py.manager import run
from genius_py.report.concessions import CurvePoint
from genius_py.report.figures import (
    plot_concessions,
    plot_leaderboard,
    plot_pairs,
    save_figures,
)
from genius_py.report.overview import Meeting
from genius_py.tournament import Tournament, run_tournament
from genius_py.tournament.ranking import Standing, rank
from genius_py.tournament.store import Results


@pytest.fixture
def ax() -> Axes:
    return Figure().subplots()


@pytest.fixture(scope="module")
def standings(results_file: Path) -> tuple[Standing, ...]:
    with Results(results_file) as results:
        return rank(results).standings


def names(ticks: object) -> list[str]:
    return [label.get_text() for label in ticks]  # type: ignore[attr-defined]


def test_the_leaderboard_has_the_best_party_at_the_top(
    ax: Axes, standings: tuple[Standing, ...]
) -> None:
    plot_leaderboard(standings, ax)
    assert names(ax.get_yticklabels()) == [Path(standing.party).name for standing in standings]
    bottom, top = ax.get_ylim()
    assert top < bottom
    (means,) = ax.lines
    assert np.asarray(means.get_xdata()).tolist() == [standing.utility for standing in standings]
    assert len(ax.collections) == len(standings)
    assert ax.get_xlabel() == "mean utility with 95 % interval"


def test_pairs_that_never_met_are_left_blank(ax: Axes) -> None:
    meetings = {("a", "b"): Meeting(2, 1.5), ("b", "a"): Meeting(2, 0.5)}
    plot_pairs(["a", "b"], meetings, ax)
    assert [text.get_text() for text in ax.texts] == ["0.75", "0.25"]
    assert names(ax.get_yticklabels()) == ["a", "b"]
    # Dark cells have light numbers.
    assert [text.get_color() for text in ax.texts] == ["white", "black"]


def test_concession_curves_are_those_of_the_first_parties(ax: Axes) -> None:
    curves = {name: [CurvePoint(0.1, 1.0, 3), CurvePoint(0.9, 0.4, 2)] for name in "abcdefghijk"}
    plot_concessions(curves, [*"kjihgfedcba"], ax)
    assert [line.get_label() for line in ax.lines] == [*"kjihgfed"]
    assert np.asarray(ax.lines[0].get_ydata()).tolist() == [1.0, 0.4]


def test_names_are_shown_letter_by_letter(ax: Axes) -> None:
    plot_concessions({"_$x$": [CurvePoint(0.5, 0.5, 1)]}, ["_$x$"], ax)
    (line,) = ax.lines
    assert line.get_label() == r" _\$x\$"


def test_long_names_leave_room_for_what_is_drawn() -> None:
    parties = [
        f"/home/{'x' * 80}/mine.py:Mine",
        f"/home/{'y' * 80}/mine.py:Mine",
        f"llm:model={'m' * 60},temperature=0.5",
        f"llm:model={'m' * 60},temperature=0.7",
        "boulware:e=0.1",
    ]
    meetings = {(one, other): Meeting(2, 1.0) for one in parties for other in parties}
    figure = Figure(figsize=(6, 4), layout="constrained")
    ax = figure.subplots()
    plot_pairs(parties, meetings, ax)
    figure.draw_without_rendering()  # a warning, were there no room
    assert names(ax.get_yticklabels()) == [
        "mine.py:Mine",
        "mine.py:Mine (2)",
        "llm:model=mmmmmmmm...temperature=0.5",
        "llm:model=mmmmmmmm...temperature=0.7",
        "boulware:e=0.1",
    ]


def test_a_tournament_gives_a_file_for_each_figure(results_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "figures"
    files = save_figures(results_file, folder, formats=("svg",))
    assert [path.stem for path in files] == [
        "leaderboard",
        "pairs",
        "outcomes-flour_supply",
        "outcomes-integrative_negotiations",
        "concessions",
    ]
    assert set(files) == set(folder.iterdir())
    text = (folder / "outcomes-flour_supply.svg").read_text(encoding="utf-8")
    # Letters stay letters.
    for label in ("utility of mill", "utility of bakery", "Pareto frontier", "agreements"):
        assert re.search(rf"<text[^>]*>{label}</text>", text)
    with Results(results_file) as results:
        agreed = sum(
            session.reason == "agreement" and session.domain == "flour_supply"
            for session in results.sessions()
        )
    drawn = text.partition('id="PathCollection_1"')[2].partition('id="xtick')[0]
    assert drawn.count("<use ") == agreed


def test_a_figure_is_named_after_its_domain_without_what_files_end_in(tmp_path: Path) -> None:
    save(load("flour_supply"), tmp_path / "market v1.2.yaml", "yaml")
    run_tournament(
        Tournament(
            parties=["boulware", "linear"],
            domains=str(tmp_path / "market v1.2.yaml"),
            deadlines="5rounds",
        ),
        tmp_path / "results.sqlite",
    )
    files = save_figures(tmp_path / "results.sqlite", tmp_path / "figures", formats=("png",))
    assert "outcomes-market-v1.2.png" in {path.name for path in files}


def test_a_session_of_a_party_with_itself_has_no_pairs(tmp_path: Path) -> None:
    outcome = run("SAOP", "flour_supply", parties=["linear", "linear"], deadline=5)
    files = save_figures(outcome, tmp_path)
    assert {path.stem for path in files} == {"leaderboard", "outcomes-flour_supply", "concessions"}
    starts = {".svg": b"<?xml", ".pdf": b"%PDF-", ".png": b"\x89PNG"}
    assert len(files) == 9
    for path in files:
        assert path.read_bytes().startswith(starts[path.suffix])


def test_the_same_sessions_give_the_same_vector_files(tmp_path: Path) -> None:
    outcome = run("SAOP", "integrative_negotiations", deadline=5)
    one = save_figures(outcome, tmp_path / "one", formats=("svg", "pdf"))
    other = save_figures(outcome, tmp_path / "other", formats=("svg", "pdf"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_a_file_is_no_folder(results_file: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="is no folder"):
        save_figures(results_file, tmp_path / "file")
