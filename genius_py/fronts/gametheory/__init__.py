"""The game-theory layer of seed 004: its public names, with the standard library alone.

Agents act, `Session` reduces their actions to outcomes, `replay` does so again from the log. To
play a game on the engine, with its parties and logs, see `genius_py.fronts.gametheory.on_engine`;
as a graph of LangGraph, `genius_py.fronts.gametheory.adapters.langgraph`.
"""

from .core import Game, Session
from .replay import replay
from .transport import InMemoryTransport
from .types import Event, Outcome

__all__ = ["Event", "Game", "InMemoryTransport", "Outcome", "Session", "replay"]
