"""Tournaments of some tiny sessions."""

from typing import Any

from genius_py.tournament import Tournament

DOMAIN = "random:issues=2,values=3,seed=1"


def small(**settings: Any) -> Tournament:
    """A tournament of some tiny sessions, with what is given changed."""
    usual: dict[str, Any] = {
        "parties": ["boulware", "conceder", "random"],
        "domains": [DOMAIN, "random:issues=2,values=2"],
        "deadlines": "5rounds",
        "repetitions": 2,
        "seed": 1,
    }
    return Tournament(**usual | settings)
