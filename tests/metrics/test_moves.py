import math

import pytest

from genius_py import registry
from genius_py.analysis.process import Move
from tests.metrics.sessions import played, scenario

KINDS = [str(kind) for kind in Move]


def shares(game: object, rounds: int, **moves: object) -> dict[str, dict[str, float]]:
    outcome = played(game, rounds, **moves)  # type: ignore[arg-type]
    return {kind: registry.make("metric", f"{kind}_moves").measure(outcome) for kind in KINDS}


def test_one_move_of_each_kind_is_a_sixth_of_each() -> None:
    game = scenario(
        #    start conc. unf.  selfish fort. nice  silent
        ann=[0.9, 0.8, 0.8, 0.9, 1.0, 1.0, 1.0],
        bob=[0.3, 0.4, 0.3, 0.2, 0.5, 0.6, 0.6],
    )
    found = shares(game, 7, ann=range(7), bob=[0])
    assert {kind: share["ann"] for kind, share in found.items()} == pytest.approx(
        dict.fromkeys(KINDS, 1 / 6)
    )
    # Bob, too, is measured by his own utility: always the same offer is always silent.
    assert found["silent"]["bob"] == 1.0
    assert sum(share["bob"] for share in found.values()) == 1.0


def test_a_party_below_two_offers_has_no_moves() -> None:
    found = shares(scenario(ann=[1.0, 0.0], bob=[0.0, 1.0]), 1, ann=[0], bob=["accept"])
    assert all(math.isnan(share[party]) for share in found.values() for party in ("ann", "bob"))


def test_small_changes_count_as_none_where_a_tolerance_says_so() -> None:
    outcome = played(scenario(ann=[1.0, 0.99], bob=[0.0, 0.01]), 2, ann=[0, 1], bob=[0])
    strict = registry.make("metric", "concession_moves").measure(outcome)
    lenient = registry.make("metric", "silent_moves:tolerance=0.03").measure(outcome)
    assert (strict["ann"], lenient["ann"]) == (1.0, 1.0)


def test_of_several_opponents_the_mean_counts() -> None:
    game = scenario(ann=[1.0, 0.9], bob=[0.5, 0.4], cem=[0.5, 0.7])
    outcome = played(game, 2, ann=[0, 1], bob=[0], cem=[0])
    assert registry.make("metric", "concession_moves").measure(outcome)["ann"] == 1.0


def test_the_share_of_unfortunate_moves_has_its_usual_name_too() -> None:
    assert registry.find("metric", "unfortunate_move_rate").name == "unfortunate_moves"
