"""A small tournament, played once, in which somebody talks and somebody fails."""

from pathlib import Path

import pytest

from genius_py.tournament import Tournament, run_tournament
from tests.report.talking import TALKER


@pytest.fixture(scope="session")
def results_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four parties on two domains, with logs."""
    folder = tmp_path_factory.mktemp("tournament")
    (folder / "talker.py").write_text(TALKER, encoding="utf-8", errors="surrogatepass")
    tournament = Tournament(
        parties=["boulware", "conceder", "tit-for-tat", f"{folder / 'talker.py'}:Talker"],
        domains=["flour_supply", "integrative_negotiations"],
        deadlines="8rounds",
        repetitions=2,
    )
    run_tournament(tournament, folder / "results.sqlite", logs=True)
    return folder / "results.sqlite"
