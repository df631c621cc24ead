from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from genius_py.tournament import Plan, Results
from genius_py.tournament.played import Played
from genius_py.tournament.ratings import elo
from genius_py.tournament.wins import wins

Player = Callable[..., Results]


@pytest.mark.parametrize("rows", [1, 100_000])
def test_each_repetition_of_a_setting_is_a_game_of_each_pair(
    played: Player, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("genius_py.tournament.wins._ROWS", rows)
    results = played(
        parties=["boulware", "random", "linear", "conceder"],
        domains=["random:issues=2,values=2", "wind_farm"],
        self_play=True,
        repetitions=3,
        deadlines="4rounds",
    )
    got: dict[object, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for session in results.sessions():
        table = session.domain, session.repetition, tuple(sorted(session.parties))
        seats = Counter(session.parties)
        for party, utility in zip(session.parties, session.utilities, strict=True):
            got[table][party].append(utility / seats[party])
    place = {party: index for index, party in enumerate(results.parties)}
    expected = np.zeros((4, 4))
    for sums in got.values():
        for one, other in combinations(sums, 2):
            gain = sum(sums[one]) - sum(sums[other])
            won = 0.5 if abs(gain) < 1e-9 else float(gain > 0)
            expected[place[one], place[other]] += won
            expected[place[other], place[one]] += 1 - won
    assert wins(results) == pytest.approx(expected)
    assert expected.sum() > 0


@pytest.mark.parametrize("repetitions", [10, 2000])
def test_the_share_of_wins_does_not_depend_on_the_number_of_repetitions(
    plan: Callable[..., Plan], tmp_path_factory: pytest.TempPathFactory, repetitions: int
) -> None:
    planned = plan(domains=["company_car"], parties=["boulware", "linear"], repetitions=repetitions)
    path = tmp_path_factory.mktemp("wins") / "results.sqlite"
    with Results(path, create=True) as results:
        matches = [match for block in results.register(planned).blocks() for match in block]
        results.add([made_up(match.key, match.lineup) for match in matches])
        assert elo(wins(results)) == pytest.approx(elo([[0, 6], [4, 0]]))


def made_up(key: tuple[int, int, int], lineup: tuple[str, ...]) -> Played:
    """The boulware party gets more in six of ten repetitions, in either role."""
    mine = 0.75 if key[0] % 10 < 6 else 0.25
    utilities = (mine, 0.5) if lineup[0] == "boulware" else (0.5, mine)
    return Played(
        key, "agreement", "", True, "{}", 2, 3, 6, 0.5,
        utilities, utilities, 1.25, 0.75, 0.0, 0.1, (), None, 0.001,
    )  # fmt: skip
