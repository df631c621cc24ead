"""Planning and playing small tournaments."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from genius_py.tournament import Plan, Results, plan_tournament, run_plan
from tests.tournament.tournaments import small


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Callable[..., Results]]:
    """Plays a small tournament with these settings and gives its results."""
    opened: list[Results] = []

    def play(name: str = "results.sqlite", *, logs: bool = False, **settings: object) -> Results:
        results = Results(tmp_path / name, create=True)
        opened.append(results)
        run_plan(plan_tournament(small(**settings)), results, logs=logs)
        return results

    yield play
    for results in opened:
        results.close()


@pytest.fixture
def plan() -> Callable[..., Plan]:
    """Plans a small tournament with these settings."""
    return lambda **settings: plan_tournament(small(**settings))


@pytest.fixture
def agent(tmp_path: Path) -> Callable[..., str]:
    """Writes a party's class and gives its spec."""

    def write(body: str, name: str = "Mine", file: str = "agent.py") -> str:
        lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
        (tmp_path / file).write_text(
            "from genius_py.action import EndNegotiation\n"
            "from genius_py.party import NegotiationParty\n"
            "from genius_py.parties.boulware import Boulware\n\n\n"
            f"class {name}(Boulware):\n{lines}\n",
            encoding="utf-8",
        )
        return f"{tmp_path / file}:{name}"

    return write
