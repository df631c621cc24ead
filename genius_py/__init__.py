"""Simulate automated negotiation: protocols, parties, domains, tournaments."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genius_py.deadline import Deadline
    from genius_py.domain import Domain
    from genius_py.errors import GeniusError, GeniusWarning
    from genius_py.formats import load, save
    from genius_py.manager import SessionManager, run
    from genius_py.outcome import Outcome
    from genius_py.party import NegotiationInfo, NegotiationParty
    from genius_py.protocol import MultilateralProtocol
    from genius_py.scenario import Scenario
    from genius_py.seating import plan_session
    from genius_py.trace import read_log, replay, write_log

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
    "load",
    "plan_session",
    "read_log",
    "replay",
    "run",
    "save",
    "write_log",
]

__version__ = "0.1.0"

_HOMES = {
    "Deadline": "deadline",
    "Domain": "domain",
    "GeniusError": "errors",
    "GeniusWarning": "errors",
    "MultilateralProtocol": "protocol",
    "NegotiationInfo": "party",
    "NegotiationParty": "party",
    "Outcome": "outcome",
    "Scenario": "scenario",
    "SessionManager": "manager",
    "load": "formats",
    "plan_session": "seating",
    "read_log": "trace",
    "replay": "trace",
    "run": "manager",
    "save": "formats",
    "write_log": "trace",
}


def __getattr__(name: str) -> object:
    # A name is imported when it is first used (PEP 562), so that importing the package, and
    # asking the command line for help, costs nothing.
    if name not in _HOMES:
        raise AttributeError(f"module 'genius_py' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"genius_py.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
