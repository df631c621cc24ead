from typing import Any

import numpy as np
import pytest

from genius_py import registry
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.manager import run
from genius_py.parties.moves import BestReply, Constant, Copycat, GrimTrigger, RandomMove
from genius_py.protocols.normal_form import Move
from genius_py.scenario import Scenario
from genius_py.utility import CallableUtilitySpace, LinearUtilitySpace, TableUtilitySpace

SCRIPT = "constant:move"


def moves(
    *parties: str, domain: str | Scenario = "prisoners_dilemma", **settings: Any
) -> list[str]:
    """The moves of each round, joined."""
    outcome = run("normal_form", domain, parties=parties, **settings)
    assert outcome.faults == ()
    rounds: dict[int, list[str]] = {}
    for event in outcome.log:
        if isinstance(event.action, Move):
            rounds.setdefault(event.round, []).append(str(event.action.move)[0])
    return ["".join(made) for made in rounds.values()]


def test_constant_makes_one_move() -> None:
    assert moves("constant", "constant:move=defect") == ["cd"] * 5


def test_copycat_is_kind_first_and_then_does_what_was_done_to_it() -> None:
    assert moves("copycat", "constant:move=defect") == ["cd", "dd", "dd", "dd", "dd"]
    assert moves("copycat", "copycat") == ["cc"] * 5
    assert moves("copycat:first=defect", "copycat") == ["dc", "cd", "dc", "cd", "dc"]


def test_copycat_keeps_to_its_first_move_where_it_cannot_copy() -> None:
    assert moves("copycat", "constant", domain=_game(["left", "right"], ["up"])) == ["lu"] * 3


def test_grim_trigger_never_forgives() -> None:
    assert moves("grim_trigger", "copycat:first=defect") == ["cd", "dc", "dd", "dd", "dd"]
    assert moves("grim_trigger", "copycat") == ["cc"] * 5


def test_best_reply_answers_the_past() -> None:
    # Where one must meet the other, it goes where the other went more often.
    scenario = _game(["left", "right"], ["left", "right"], np.eye(2))
    assert moves("constant:move=right", "best_reply", domain=scenario) == ["rl", "rr", "rr"]


def test_best_reply_at_first_reckons_with_all_moves_alike() -> None:
    # Whatever the other does, to defect pays more.
    assert moves("best_reply", "constant")[0] == "dc"


def test_two_best_replies_alternate_in_matching_pennies() -> None:
    pays = np.array([[1.0, -1.0], [-1.0, 1.0]])
    scenario = _game(["h", "t"], ["h", "t"], pays, -pays)
    made = moves("best_reply", "best_reply", domain=scenario, deadline=3)
    assert len(made) == 3
    # Robinson (1951): the frequencies of fictitious play go to the equilibrium, half and half.
    many = moves(
        "best_reply",
        "best_reply",
        domain=_game(["h", "t"], ["h", "t"], pays, -pays, rounds=120),
        deadline=120,
    )
    share = sum(joint[0] == "h" for joint in many) / 120
    assert 0.35 < share < 0.65


def test_random_moves_are_equally_likely() -> None:
    made = "".join("".join(moves("random_move", "random_move", seed=seed)) for seed in range(40))
    assert 160 < made.count("c") < 240


@pytest.mark.parametrize(
    "issue", [IntegerIssue("ann", 3, 9), RealIssue("ann", 3, 9), DiscreteIssue("ann", ["3", "9"])]
)
@pytest.mark.parametrize("party", ["random_move", "best_reply", "constant", "grim_trigger"])
def test_moves_may_be_numbers(party: str, issue: Issue) -> None:
    domain = Domain("numbers", [issue, IntegerIssue("bob", 0, 9)])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: -abs(float(bid["ann"]) - 9))
    scenario = Scenario(domain, {"ann": space, "bob": space})
    outcome = run("normal_form:rounds=2", scenario, parties=[party, party])
    assert outcome.faults == ()
    assert outcome.agreement is not None
    if party == "best_reply":
        assert float(outcome.agreement["ann"]) == 9


def test_best_reply_looks_at_a_selection_of_very_many_moves() -> None:
    domain = Domain("many", [IntegerIssue("ann", 0, 10**9), IntegerIssue("bob", 0, 10**9)])
    space = LinearUtilitySpace(domain=domain, coefficients=[1, -1])
    scenario = Scenario(domain, {"ann": space, "bob": space})
    outcome = run("normal_form:rounds=2", scenario, parties=["best_reply"] * 2)
    assert outcome.agreement is not None
    assert int(outcome.agreement["ann"]) > 0.99 * 10**9
    assert outcome.agreement["bob"] == 0


def test_it_says_so_where_there_are_no_moves_to_make() -> None:
    outcome = run("SAOP", "company_car", parties=["constant", "linear"])
    assert "plays matrix games" in outcome.faults[0].reason


@pytest.mark.parametrize("kind", [BestReply, Constant, Copycat, GrimTrigger, RandomMove])
def test_it_is_found_by_name(kind: Any) -> None:
    assert isinstance(registry.make("party", kind.name), kind)


def _game(
    mine: list[str],
    yours: list[str],
    pays_me: Any = None,
    pays_you: Any = None,
    rounds: int = 3,
) -> Scenario:
    """A matrix game: rows are the first player's moves, three rounds unless told otherwise."""
    domain = Domain("matrix", [DiscreteIssue("me", mine), DiscreteIssue("you", yours)])
    rows = np.zeros((len(mine), len(yours))) if pays_me is None else np.asarray(pays_me)
    columns = rows if pays_you is None else np.asarray(pays_you)
    return Scenario(
        domain,
        {
            "me": TableUtilitySpace(domain=domain, table=rows.T.ravel()),
            "you": TableUtilitySpace(domain=domain, table=columns.T.ravel()),
        },
        protocol=f"normal_form:rounds={rounds}",
    )
