"""Simulate automated negotiation: protocols, parties, domains, tournaments."""

from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import GeniusError, GeniusWarning
from genius_py.manager import SessionManager, run
from genius_py.outcome import Outcome
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario

__all__ = [
    "Deadline",
    "Domain",
    "GeniusError",
    "GeniusWarning",
    "MultilateralProtocol",
    "NegotiationInfo",
    "NegotiationParty",
    "Outcome",
    "Scenario",
    "SessionManager",
    "run",
]

__version__ = "0.1.0"
