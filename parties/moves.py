"""Players of games in normal form: what to move, given what was moved before."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import ClassVar

from genius_py.allowed import Allowed, Constraint, Number
from genius_py.bid import Bid
from genius_py.errors import StrategyError
from genius_py.issue import Value
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocols.normal_form import Move

__all__ = ["BestReply", "Constant", "Copycat", "GrimTrigger", "RandomMove"]

_MOST_MOVES = 200
_MOST_POSSIBILITIES = 100


class MovePlayer(NegotiationParty):
    """The base: override `move`, which is given what may be moved."""

    plays: ClassVar[tuple[str, ...]] = ("normal_form",)

    def init(self, info: NegotiationInfo) -> None:
        """Find out which issues are the others'."""
        super().init(info)
        issues = info.domain.issue_names
        self.own_issue = info.role if info.role in issues else info.agent_id
        """The issue whose values are the own moves."""

    def choose_action(self, allowed: Allowed) -> Move:
        """Make the move."""
        if Move not in allowed:
            raise StrategyError(f"{type(self).__name__} cannot {allowed}; it plays matrix games.")
        return Move(self.id, self.move(allowed[Move]["move"]))

    @abstractmethod
    def move(self, rule: Constraint) -> object:
        """The move of this round."""

    def moves(self) -> tuple[Value, ...]:
        """The own moves that are listed; of more than two hundred, an even selection."""
        issue = self.domain.issues[self.domain.issue_position(self.own_issue)]
        step = -(-issue.size // _MOST_MOVES)
        return tuple(issue.value_at(place) for place in range(0, issue.size, step))

    @property
    def past(self) -> list[dict[str, object]]:
        """For each round that is over: the moves by seat id, which is also the issue's name."""
        rounds: dict[int, dict[str, object]] = {}
        for event in self.info.history:
            if isinstance(event.action, Move):
                rounds.setdefault(event.round, {})[event.party] = event.action.move
        return [moves for number, moves in rounds.items() if number < self.info.timeline.round]

    def others(self, moves: Mapping[str, object]) -> list[object]:
        """What the others moved, of all moves of a round."""
        return [move for party, move in moves.items() if party != self.id]


class Constant(MovePlayer):
    """Makes the same move in every round.

    Args:
        move: which; the first one that is listed unless said.
    """

    name: ClassVar[str] = "constant"

    def __init__(self, move: Value | None = None) -> None:
        self._move = move

    def move(self, rule: Constraint) -> object:
        """That move."""
        return self.moves()[0] if self._move is None else self._move


class Copycat(MovePlayer):
    """Moves as its opponent did last: tit for tat (Axelrod, 1984). Of several, as the first one.

    Args:
        first: its first move; the first one that is listed unless said. It is also what it moves
            when it cannot do what the opponent did.
    """

    name: ClassVar[str] = "copycat"

    def __init__(self, first: Value | None = None) -> None:
        self._first = first

    def move(self, rule: Constraint) -> object:
        """The opponent's last move."""
        seen = self.others(self.past[-1]) if self.past else []
        if seen and rule.allows(seen[0]):
            return seen[0]
        return self.moves()[0] if self._first is None else self._first


class GrimTrigger(MovePlayer):
    """Makes one move as long as all others do, and for ever another one when somebody did not.

    Args:
        first: what it moves at first, and expects; the first move that is listed unless said.
        then: what it moves afterwards; the last one that is listed unless said.
    """

    name: ClassVar[str] = "grim_trigger"

    def __init__(self, first: Value | None = None, then: Value | None = None) -> None:
        self._first, self._then = first, then

    def move(self, rule: Constraint) -> object:
        """Kind or grim."""
        listed = self.moves()
        first = listed[0] if self._first is None else self._first
        then = listed[-1] if self._then is None else self._then
        return first if all(m == first for moves in self.past for m in self.others(moves)) else then


class RandomMove(MovePlayer):
    """Moves at random, all moves being equally likely."""

    name: ClassVar[str] = "random_move"

    def move(self, rule: Constraint) -> object:
        """Any move."""
        match rule:
            case Number(minimum=low, maximum=high, integer=True):
                return int(self.rng.integers(int(low), int(high), endpoint=True))
            case Number(minimum=low, maximum=high):
                return float(self.rng.uniform(low, high))
            case _:
                listed = self.moves()
                return listed[int(self.rng.integers(len(listed)))]


class BestReply(MovePlayer):
    """Fictitious play (Brown, 1951): the best reply to what the others have moved so far.

    Each past round counts the same. In the first round it replies to all that the others could
    move being equally likely (of more than 100 possibilities, to as many drawn at random). Of
    equally good moves it makes the first one that is listed.
    """

    name: ClassVar[str] = "best_reply"

    def move(self, rule: Constraint) -> object:
        """The reply that pays most on average."""
        past = (self._with_first_move(moves) for moves in self.past)
        faced = Counter(joint for joint in past if joint is not None)
        faced = faced or Counter(self._all_that_could_be())
        return max(self.moves(), key=lambda own: self._worth(own, faced))

    def _with_first_move(self, moves: Mapping[str, object]) -> Bid | None:
        """What the others did, beside the own first move; None where a move was forfeited."""
        issues = self.domain.issue_names
        known = {party: move for party, move in moves.items() if party in issues}
        known[self.own_issue] = self.moves()[0]
        return self.domain.bid(known) if len(known) == len(issues) else None

    def _all_that_could_be(self) -> Iterator[Bid]:
        domain, first = self.domain, self.moves()[0]
        others = [issue for issue in domain.issues if issue.name != self.own_issue]
        if math.prod(issue.size for issue in others) > _MOST_POSSIBILITIES:
            for _ in range(_MOST_POSSIBILITIES):
                yield domain.random_bid(self.rng).replace(**{self.own_issue: first})
            return
        for values in product(*(map(issue.value_at, range(issue.size)) for issue in others)):
            names = (issue.name for issue in others)
            yield domain.bid({**dict(zip(names, values, strict=True)), self.own_issue: first})

    def _worth(self, own: Value, faced: Mapping[Bid, int]) -> float:
        utility = self.utility_space.utility
        return sum(
            times * utility(joint.replace(**{self.own_issue: own}))
            for joint, times in faced.items()
        )
