"""A session as a graph of LangGraph: a node for each player, then one that resolves the round.

``pip install "genius-py[langgraph]"`` brings LangGraph along, which `build_graph` alone needs.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeAlias

from ..core import Session
from ..types import GameError, Player, Scope

__all__ = ["RESOLVE", "build_graph", "outcome_node", "player_node"]

RESOLVE = "outcome"
"""The name of the last node, and the key under which it leaves the outcome."""

State: TypeAlias = dict[str, Any]
Node: TypeAlias = Callable[[State], State]


def player_node(session: Session, player: Player, scope: Scope = "public") -> Node:
    """A node that acts for a player: what ``state["actions"]`` says, else what its strategy does.

    The node raises `GameError` when there is neither.
    """

    def act(state: State) -> State:
        actions = state.get("actions", {})
        if player in actions:
            session.submit(player, actions[player], scope)
        elif player in session.game.strategies:
            strategy, own_scope = session.game.strategies[player]
            session.submit(player, strategy(session._observe(player)), own_scope)
        else:
            raise GameError(
                f"{player} has no strategy, and state['actions'] does not say what it does."
            )
        return state

    return act


def outcome_node(session: Session) -> Node:
    """A node that resolves the round and adds its outcome to the state."""
    return lambda state: {**state, RESOLVE: session.resolve()}


def build_graph(session: Session, scope: Scope = "sealed") -> Any:
    """A compiled graph that plays one round each time it is invoked.

    Raises:
        ImportError: LangGraph is not installed.
    """
    try:
        langgraph = importlib.import_module("langgraph.graph")
    except ImportError as error:
        raise ImportError(
            'The graph needs LangGraph: pip install "genius-py[langgraph]".'
        ) from error
    graph = langgraph.StateGraph(dict)
    for player in session.game.players:
        graph.add_node(player, player_node(session, player, scope))
    graph.add_node(RESOLVE, outcome_node(session))
    path = (langgraph.START, *session.game.players, RESOLVE, langgraph.END)
    for before, after in pairwise(path):
        graph.add_edge(before, after)
    return graph.compile()
