"""The trade game of seed 001: its public names, over the engine."""

from genius_py.fronts.trade.actions import TradeError
from genius_py.fronts.trade.agents import Agent, LangChainNegotiationAgent, PartyAgent
from genius_py.fronts.trade.experiment import ExperimentConfig, ExperimentRunner
from genius_py.fronts.trade.game import BilateralTradeGame
from genius_py.fronts.trade.match import ActionResult, Match
from genius_py.fronts.trade.result import ExperimentResult, MatchResult

__all__ = [
    "ActionResult",
    "Agent",
    "BilateralTradeGame",
    "ExperimentConfig",
    "ExperimentResult",
    "ExperimentRunner",
    "LangChainNegotiationAgent",
    "Match",
    "MatchResult",
    "PartyAgent",
    "TradeError",
]
