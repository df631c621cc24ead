"""The games of seed 004: its three examples, and a small one."""

from typing import Any

from genius_py.fronts.gametheory import Game
from genius_py.fronts.gametheory.types import Observation

DILEMMA = {
    ("cooperate", "cooperate"): (3, 3),
    ("cooperate", "defect"): (0, 5),
    ("defect", "cooperate"): (5, 0),
    ("defect", "defect"): (1, 1),
}


def dilemma(rounds: int = 1) -> Game:
    """The prisoners' dilemma of alice and bob."""
    game = Game(["alice", "bob"], ["cooperate", "defect"], rounds=rounds)

    @game.payoff
    def paid(actions: dict[str, Any]) -> dict[str, float]:
        alice, bob = DILEMMA[actions["alice"], actions["bob"]]
        return {"alice": alice, "bob": bob}

    return game


def tournament(rounds: int = 5) -> Game:
    """Tit for tat (alice) against one that always defects (bob)."""
    game = dilemma(rounds)

    @game.strategy("alice", scope="sealed")
    def tit_for_tat(seen: Observation) -> str:
        return str(seen["history"][-1].actions["bob"]) if seen["history"] else "cooperate"

    @game.strategy("bob", scope="sealed")
    def always_defect(seen: Observation) -> str:
        return "defect"

    return game


def always(game: Game, **actions: Any) -> Game:
    """A game in which players always do the same."""
    for player, action in actions.items():
        game.strategy(player)(lambda seen, action=action: action)
    return game


SURPLUS = 100
BREAKDOWN = -5.0
"""What both lose when six rounds bring no deal."""


def haggling(buyer_floor: int, seller_floor: int) -> Game:
    """Alternating offers over a surplus: an offer is what the proposer wants to keep.

    The buyer moves in even rounds, the seller in odd ones; who does not move waits. Both start by
    asking for 70, give up 15 each time, never below their floor, and accept what is left for them
    when it is no less than what they would ask for next.
    """
    game = Game(
        ["buyer", "seller"],
        lambda player, action: action in ("accept", "wait") or 0 <= action <= SURPLUS,
        resolves_when=lambda standing: "accept" in standing.values(),
        rounds=6,
    )

    @game.payoff
    def paid(actions: dict[str, Any]) -> dict[str, float]:
        if "accept" not in actions.values():
            return dict.fromkeys(("buyer", "seller"), BREAKDOWN)
        accepting = next(player for player, action in actions.items() if action == "accept")
        other = "seller" if accepting == "buyer" else "buyer"
        return {other: actions[other], accepting: SURPLUS - actions[other]}

    def haggler(player: str, turn: int, floor: int) -> None:
        other = "seller" if player == "buyer" else "buyer"

        @game.strategy(player)
        def act(seen: Observation) -> Any:
            if seen["round"] % 2 != turn:
                return seen["visible_actions"].get(player, "wait")
            wanted = max(floor, 70 - 15 * (seen["round"] // 2))
            offered = seen["visible_actions"].get(other, "wait")
            if offered != "wait" and SURPLUS - offered >= wanted:
                return "accept"
            return wanted

    haggler("buyer", 0, buyer_floor)
    haggler("seller", 1, seller_floor)
    return game


COSTS = {"gpu": 30.0, "desk": 50.0, "slow": 80.0}


def compute_auction(**bids: float) -> Game:
    """A scheduler buys one job of the cheapest of three workers, at the second lowest bid."""
    game = Game(["gpu", "desk", "slow"], lambda player, bid: bid >= 0)

    @game.payoff
    def paid(actions: dict[str, Any]) -> dict[str, float]:
        winner, second = sorted(actions, key=lambda player: float(actions[player]))[:2]
        price = actions[second]
        gains = dict.fromkeys(actions, 0.0)
        gains[winner] = price - COSTS[winner]
        gains["scheduler"] = -price
        return gains

    for player, cost in COSTS.items():
        bid = bids.get(player, cost)
        game.strategy(player, scope="sealed")(lambda seen, bid=bid: bid)
    return game
