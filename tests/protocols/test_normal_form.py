from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.allowed import Constraint
from genius_py.domain import Domain
from genius_py.errors import DomainError, OptionError, UnknownName
from genius_py.fault import Fault
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.manager import run
from genius_py.parties.moves import MovePlayer
from genius_py.protocols.normal_form import Move
from genius_py.testing import Driven, check_protocol, drive
from genius_py.trace import replay

DILEMMA = Domain(
    "dilemma", [DiscreteIssue(player, ["cooperate", "defect"]) for player in ("ann", "bob")]
)


def game(*moves: Any, options: str = "", domain: Domain = DILEMMA, **settings: Any) -> Driven:
    """Moves of ann and bob by turns."""
    answers = [
        move if isinstance(move, Fault) else Move(("ann", "bob")[place % 2], move)
        for place, move in enumerate(moves)
    ]
    return drive(f"normal_form{options}", answers, domain=domain, **settings)


@pytest.mark.parametrize("name", ["normal_form", "normal_form:rounds=3,scope=public"])
def test_it_keeps_the_contract(name: str) -> None:
    check_protocol(name)


def test_a_joint_move_is_a_bid() -> None:
    table = game("cooperate", "defect")
    assert table.outcome.agreement == DILEMMA.bid(ann="cooperate", bob="defect")
    assert (table.outcome.rounds, table.outcome.agreeing_parties) == (1, 2)


def test_sealed_moves_are_heard_when_all_have_been_made() -> None:
    table = game("cooperate", options=":rounds=2")
    assert len(table.asked) == 2
    assert table.heard["bob"] == []
    table.feed(Move("bob", "defect"))
    assert [str(action) for _, action in table.heard["bob"]] == ["ann plays cooperate"]


def test_public_moves_are_heard_by_those_who_move_later() -> None:
    table = game("cooperate", options=":scope=public")
    assert [turn.party.id for turn in table.asked] == ["bob"]
    assert [str(action) for _, action in table.heard["bob"]] == ["ann plays cooperate"]


def test_private_moves_are_never_heard() -> None:
    table = game("cooperate", "defect", options=":scope=private")
    assert table.heard == {"ann": [], "bob": []}
    assert not any(event.is_visible_to("bob") for event in table.log if event.party == "ann")
    (end,) = [event for event in table.log if event.kind == "end"]
    assert end.audience == ()


def test_moves_are_of_the_issue_of_the_player() -> None:
    mixed = Domain("mixed", [IntegerIssue("ann", 1, 9), TextIssue("bob", 10)])
    ann, bob = game(domain=mixed).asked
    assert str(ann.allowed[Move]["move"]) == "a whole number from 1 to 9"
    assert str(bob.allowed[Move]["move"]) == "a text of 0 to 10 characters"
    real = Domain("real", [RealIssue("ann", 0, 1), RealIssue("bob", 0, 1)])
    assert str(game(domain=real).asked[0].allowed[Move]["move"]) == "a number from 0 to 1"
    played = game(2.0, "hello", domain=mixed)
    assert played.outcome.agreement == mixed.bid(ann=2, bob="hello")


def test_five_rounds_of_the_dilemma_pay_4_and_9() -> None:
    outcome = run("normal-form", "prisoners_dilemma", parties=["copycat", "constant:move=defect"])
    assert outcome.utilities == {"alice": 4.0, "bob": 9.0}
    assert outcome.rounds == 5


@given(
    rounds=st.integers(1, 6),
    moves=st.lists(st.sampled_from(["cooperate", "defect"]), min_size=12, max_size=12),
    discount=st.sampled_from([1.0, 0.5]),
)
def test_payoffs_are_the_discounted_sum_of_the_rounds(
    rounds: int, moves: list[str], discount: float
) -> None:
    table = {("c", "c"): (3, 3), ("c", "d"): (0, 5), ("d", "c"): (5, 0), ("d", "d"): (1, 1)}
    outcome = run(
        f"normal-form:rounds={rounds},discount={discount}",
        "prisoners_dilemma",
        parties=[partial(Scripted, moves[:6]), partial(Scripted, moves[6:])],
        deadline=6,
    )
    joint = list(zip(moves[:6], moves[6:], strict=True))[:rounds]
    for place, player in enumerate(("alice", "bob")):
        expected = sum(discount**r * table[a[0], b[0]][place] for r, (a, b) in enumerate(joint))
        assert outcome.utilities[player] == pytest.approx(expected)
    assert replay(outcome).log == outcome.log


class Scripted(MovePlayer):
    """Makes given moves, one a round."""

    def __init__(self, moves: list[str]) -> None:
        self.left = iter(moves)

    def move(self, rule: Constraint) -> str:
        return next(self.left)


def test_a_round_with_a_forfeited_move_pays_nobody() -> None:
    table = game("defect", Fault("bob", "sleeps"), options=":rounds=2", on_fault="forfeit")
    assert table.agreement is None
    table.feed(Move("ann", "defect"), Move("bob", "defect"))
    assert table.outcome.agreement == DILEMMA.bid(ann="defect", bob="defect")


def test_the_deadline_may_come_before_the_last_round() -> None:
    outcome = run("normal-form", "prisoners_dilemma", parties=["constant"] * 2, deadline=2)
    assert outcome.utilities == {"alice": 6.0, "bob": 6.0}


@pytest.mark.parametrize(
    "domain",
    [
        Domain("one", [DiscreteIssue("ann", ["x"])]),
        Domain("other", [DiscreteIssue("ann", ["x"]), DiscreteIssue("cem", ["x"])]),
    ],
)
def test_there_is_one_issue_for_each_player(domain: Domain) -> None:
    with pytest.raises(DomainError, match="is no game of ann, bob"):
        game(domain=domain)


@pytest.mark.parametrize("option", ["rounds=0", "rounds=1.5", "scope=open", "discount=-1"])
def test_impossible_options_are_refused(option: str) -> None:
    with pytest.raises(OptionError, match=option.partition("=")[0]):
        game(options=f":{option}")


HAGGLING = """
from genius_py.fronts.gametheory import Game

haggling = Game(["ann", "bob"], lambda player, price: price % 5 == 0,
                resolves_when=lambda prices: prices["ann"] <= prices["bob"])

@haggling.payoff
def paid(prices):
    gap = prices["bob"] - prices["ann"]
    return {"ann": prices["ann"] + gap / 2, "bob": 100 - prices["bob"] + gap / 2, "bank": -1}
"""
"""ann asks for a price and bob offers one; they deal in the middle once the prices cross."""

PRICES = Domain("prices", [IntegerIssue("ann", 0, 100), IntegerIssue("bob", 0, 100)])


@pytest.fixture
def haggling(tmp_path: Path) -> str:
    file = tmp_path / "games.py"
    file.write_text(HAGGLING, encoding="utf-8")
    return f":rounds=3,game={file}:haggling"


def test_a_game_may_decide_when_it_is_resolved_and_what_it_pays(haggling: str) -> None:
    table = game(80, 40, 60, 70, 90, 90, options=haggling, domain=PRICES)
    assert table.outcome.agreement == PRICES.bid(ann=90, bob=90)
    # Rounds 2 and 3: 60 + 5 and 30 + 5, then 90 and 10; the bank has no seat.
    assert table.outcome.utilities == {"ann": 155.0, "bob": 45.0}
    assert replay(table.outcome).log == table.outcome.log


def test_it_may_stop_when_it_is_resolved(haggling: str) -> None:
    table = game(80, 40, 60, 70, options=f"{haggling},stop_on_resolve=true", domain=PRICES)
    assert table.outcome.utilities == {"ann": 65.0, "bob": 35.0}


def test_the_last_round_is_resolved_in_any_case(haggling: str) -> None:
    table = game(80, 40, 80, 45, 80, 50, options=haggling, domain=PRICES)
    assert table.outcome.agreement == PRICES.bid(ann=80, bob=50)


def test_a_game_may_refuse_moves(haggling: str) -> None:
    table = game(81, 40, options=haggling, domain=PRICES, retries=1)
    assert "moved 81, which the game does not allow" in table.faults[0]


def test_a_game_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownName, match="There is no file"):
        game(options=":game=nowhere.py:chess")
    with pytest.raises(UnknownName, match="is no place"):
        game(options=":game=chess")
