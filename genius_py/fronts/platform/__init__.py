"""The negotiation platform of seed 000: its public names, over the engine."""

from genius_py.fronts.platform.base_game import BaseGame, GameState
from genius_py.fronts.platform.company_car import CompanyCarGame
from genius_py.fronts.platform.config_manager import ConfigManager
from genius_py.fronts.platform.game_engine import GameEngine
from genius_py.fronts.platform.integrative_negotiations import IntegrativeNegotiationsGame
from genius_py.fronts.platform.resource_allocation import ResourceAllocationGame
from genius_py.fronts.platform.session_manager import SessionManager
from genius_py.llm.manager import LLMManager
from genius_py.metrics.base import BaseMetric
from genius_py.metrics.calculator import MetricsCalculator
from genius_py.metrics.deadline_sensitivity import DeadlineSensitivityMetric
from genius_py.metrics.feasibility import FeasibilityMetric
from genius_py.metrics.record import GameResult, PlayerAction
from genius_py.metrics.risk_minimization import RiskMinimizationMetric
from genius_py.metrics.utility_surplus import UtilitySurplusMetric

__all__ = [
    "BaseGame",
    "BaseMetric",
    "CompanyCarGame",
    "ConfigManager",
    "DeadlineSensitivityMetric",
    "FeasibilityMetric",
    "GameEngine",
    "GameResult",
    "GameState",
    "IntegrativeNegotiationsGame",
    "LLMManager",
    "MetricsCalculator",
    "PlayerAction",
    "ResourceAllocationGame",
    "RiskMinimizationMetric",
    "SessionManager",
    "UtilitySurplusMetric",
]
