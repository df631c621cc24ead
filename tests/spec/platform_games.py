"""The platform's games, begun or played by hand, for the tests of its statements."""

from collections.abc import Iterable, Mapping
from typing import Any

from genius_py.fronts.platform import (
    CompanyCarGame,
    GameEngine,
    IntegrativeNegotiationsGame,
    MetricsCalculator,
    ResourceAllocationGame,
    SessionManager,
)

Actions = Mapping[str, Mapping[str, Any]]


def car(**config: Any) -> CompanyCarGame:
    game = GameEngine().create_game("company_car", config)
    assert isinstance(game, CompanyCarGame)
    game.initialize_game(["b", "s"])
    return game


def resource(**config: Any) -> ResourceAllocationGame:
    game = GameEngine().create_game("resource_allocation", config)
    assert isinstance(game, ResourceAllocationGame)
    game.initialize_game(["d", "m"])
    return game


def integrative(**config: Any) -> IntegrativeNegotiationsGame:
    game = GameEngine().create_game("integrative_negotiations", config)
    assert isinstance(game, IntegrativeNegotiationsGame)
    game.initialize_game(["i", "m"])
    return game


def price(number: float) -> dict[str, Any]:
    return {"type": "offer", "price": number}


def hours(gpu: float, cpu: float) -> dict[str, Any]:
    return {"type": "propose", "gpu_hours": gpu, "cpu_hours": cpu}


def office(room: Any, access: Any, cleaning: Any, branding: Any) -> dict[str, Any]:
    return {
        "type": "propose",
        "server_room": room,
        "meeting_access": access,
        "cleaning": cleaning,
        "branding": branding,
    }


ACCEPT = {"type": "accept"}
REJECT = {"type": "reject"}
NOOP = {"type": "noop"}


class Script:
    """A model that gives its replies one after the other, the last one for ever."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> Any:
        self.prompts.append(prompt)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def session(models: Mapping[str, Any], **settings: Any) -> SessionManager:
    return SessionManager(models, GameEngine(), MetricsCalculator(), **settings)


def play(
    first: Iterable[Any], second: Iterable[Any], game_type: str = "company_car", **config: Any
) -> dict[str, Any]:
    """A session of two scripted models, the buyer (or first role) first."""
    models = {"b": Script(*first), "s": Script(*second)}
    return session(models).run_negotiation(
        game_type=game_type, players=["b", "s"], game_config=config
    )
