from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from genius_py.errors import OptionError
from genius_py.tournament import Results, Verdict, comparison, plan_tournament, run_plan, verdicts
from genius_py.tournament.compare import _sessions_more


def compared(path: Path, repeat: int) -> tuple[Results, list[Verdict]]:
    tournament = comparison(
        ["random"],
        ["random_walker", "linear"],
        ["festival_booking", "random:issues=3,values=4,seed=2"],
        deadline="20rounds",
        repeat=repeat,
    )
    results = Results(path, create=True)
    run_plan(plan_tournament(tournament), results)
    return results, verdicts(results, ["random"], ["random-walker", "linear"])


def test_a_pair_is_two_sessions_with_swapped_roles(tmp_path: Path) -> None:
    results, (verdict, _) = compared(tmp_path / "results.sqlite", repeat=3)
    gains: dict[tuple[str, int], list[float]] = {}
    for session in results.sessions():
        if set(session.parties) == {"random", "random-walker"}:
            mine = session.parties.index("random")
            gain = session.utilities[mine] - session.utilities[1 - mine]
            gains.setdefault((session.domain, session.repetition), []).append(gain)
    results.close()
    assert verdict.pairs == len(gains) == 6
    assert all(len(pair) == 2 for pair in gains.values())
    assert verdict.difference == pytest.approx(np.mean(list(gains.values())))
    assert (verdict.unit, verdict.blocks) == ("domain", 2)
    by_domain = np.mean(list(gains.values()), axis=1).reshape(3, 2).mean(axis=0)
    assert verdict.difference is not None
    assert verdict.low is not None
    # Student's t of one degree of freedom, for two domains.
    margin = 12.706 * np.ptp(by_domain) / 2
    assert verdict.difference - verdict.low == pytest.approx(margin, rel=1e-3)


def verdict(**changed: object) -> Verdict:
    usual: dict[str, object] = {
        "challenger": "LLM",
        "bot": "boulware",
        "difference": -0.12,
        "low": -0.16,
        "high": -0.08,
        "pairs": 40,
        "blocks": 40,
        "unit": "repetition",
        "unscored": 0,
        "sessions_more": 0,
    }
    return Verdict(**usual | changed)  # type: ignore[arg-type]


def test_a_decided_verdict_is_a_sentence() -> None:
    assert str(verdict()) == "LLM below boulware by 0.12 [0.08, 0.16], 40 pairs."
    above = verdict(difference=0.12, low=0.08, high=0.16, pairs=1)
    assert str(above) == "LLM above boulware by 0.12 [0.08, 0.16], 1 pair."
    assert "40 pairs in 4 domains." in str(verdict(unit="domain", blocks=4))
    assert "40 pairs in 4 settings." in str(verdict(unit="setting", blocks=4))


def test_an_undecided_verdict_says_what_would_settle_it() -> None:
    open_one = verdict(difference=0.01, low=-0.03, high=0.05, sessions_more=180)
    assert str(open_one) == (
        "LLM and boulware undecided: +0.01 [-0.03, 0.05], 40 pairs; "
        "about 180 sessions more would settle it."
    )
    assert "on other domains" in str(
        verdict(difference=0.01, low=-0.03, high=0.05, sessions_more=18, unit="domain")
    )
    assert "too close" in str(verdict(difference=0.0, low=-0.1, high=0.1, sessions_more=None))
    assert "repeat or add domains" in str(verdict(low=None, high=None, pairs=1))
    alike = str(verdict(low=None, high=None, pairs=5, blocks=1))
    assert "5 pairs that came out alike; add domains" in alike
    lost = verdict(difference=None, low=None, high=None, pairs=0, unscored=4)
    assert "4 sessions failed and are not counted" in str(lost)


def test_a_domain_counts_once_however_often_it_is_repeated(tmp_path: Path) -> None:
    tournament = comparison(
        ["boulware"], ["conceder"], ["company_car", "flour_supply"], repeat=5, deadline="20rounds"
    )
    with Results(tmp_path / "results.sqlite", create=True) as results:
        run_plan(plan_tournament(tournament), results)
        (told,) = verdicts(results, ["boulware"], ["conceder"])
    assert (told.pairs, told.blocks, told.unit) == (10, 2, "domain")
    # Each domain more takes ten sessions.
    assert told.sessions_more is None or told.sessions_more % 10 == 0


def test_pairs_on_one_domain_are_evidence_unless_they_come_out_alike(tmp_path: Path) -> None:
    tournament = comparison(
        ["boulware"], ["conceder", "random"], ["company_car"], repeat=5, deadline="20rounds"
    )
    with Results(tmp_path / "results.sqlite", create=True) as results:
        run_plan(plan_tournament(tournament), results)
        alike, varied = verdicts(results, ["boulware"], ["conceder", "random"])
    assert (alike.pairs, alike.blocks, alike.low) == (5, 1, None)
    assert (varied.pairs, varied.blocks, varied.unit) == (5, 5, "repetition")
    assert varied.low is not None


def test_the_number_of_sessions_that_would_settle_it_is_enough() -> None:
    values = np.random.default_rng(1).normal(0.05, 0.3, 20)
    more = _sessions_more(values)
    assert more is not None
    assert more > 0
    # As many more with the same mean and spread are just enough.
    from scipy.stats import t

    def margin(pairs: int) -> float:
        return float(t.ppf(0.975, pairs - 1) * values.std(ddof=1) / np.sqrt(pairs))

    assert margin(20 + more // 2) < abs(values.mean()) <= margin(20 + more // 2 - 1)


@pytest.mark.parametrize("values", [[], [0.1], [0.0, 0.0], [1e-9, -1e-9, 1.0, -1.0]])
def test_what_cannot_be_settled_is_not_estimated(values: list[float]) -> None:
    assert _sessions_more(np.array(values)) is None


def test_a_party_is_not_compared_with_itself() -> None:
    with pytest.raises(OptionError, match="'boulware' is named twice"):
        comparison(["boulware"], ["Boulware", "linear"], ["company_car"])


def test_sessions_that_are_not_scored_are_told(tmp_path: Path, agent: Callable[..., str]) -> None:
    spec = agent("def init(self, info):\n    raise ValueError('no model')")
    tournament = comparison([spec], ["boulware"], ["company_car"], deadline="5rounds")
    with Results(tmp_path / "results.sqlite", create=True) as results:
        run_plan(plan_tournament(tournament), results)
        (told,) = verdicts(results, [spec], ["boulware"])
    assert (told.pairs, told.unscored, told.difference) == (0, 2, None)
