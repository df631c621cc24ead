"""The registry of games, and their making."""

from __future__ import annotations

import difflib
import inspect
import logging
from collections.abc import Mapping
from typing import Any

from genius_py.errors import MissingOption, OptionError
from genius_py.fronts.platform.base_game import BaseGame
from genius_py.fronts.platform.company_car import CompanyCarGame
from genius_py.fronts.platform.config_manager import ConfigManager, canonical_game
from genius_py.fronts.platform.game_config import merged, normalized
from genius_py.fronts.platform.integrative_negotiations import IntegrativeNegotiationsGame
from genius_py.fronts.platform.offer_game import OfferGame
from genius_py.fronts.platform.resource_allocation import ResourceAllocationGame

__all__ = ["GameEngine"]


class GameEngine:
    """Games by name; a fresh engine knows the platform's three.

    Games are made with the figures of `config_manager` (those that are shipped, unless another is
    given) wherever `create_game` is not told its own.

    >>> GameEngine().create_game("company_car", {"max_rounds": 3}).max_rounds
    3
    """

    def __init__(self, config_manager: ConfigManager | None = None) -> None:
        self.logger = logging.getLogger(type(self).__name__)
        self.registered_games: dict[str, type[BaseGame]] = {}
        self._configs = config_manager or ConfigManager()
        for game in (CompanyCarGame, ResourceAllocationGame, IntegrativeNegotiationsGame):
            self.register_game_type(game.game_type, game)

    def register_game_type(
        self, game_name: str, game_class: type[BaseGame], *, replace: bool = False
    ) -> None:
        """Add a game under a new name, or with `replace` under one that is known.

        Raises:
            OptionError: it is no subclass of `BaseGame`, or the name is taken (a `ValueError`).
        """
        if not inspect.isclass(game_class) or not issubclass(game_class, BaseGame):
            raise OptionError(
                f"{game_class!r} cannot be registered as {game_name!r}: derive it from BaseGame."
            )
        if game_name in self.registered_games and not replace:
            raise OptionError(f"Game {game_name!r} is registered already; give replace=True.")
        self.registered_games[game_name] = game_class

    def get_available_games(self) -> list[str]:
        """The names of all games, in the order in which they were registered."""
        return list(self.registered_games)

    def get_game_info(self, game_type: str) -> dict[str, Any]:
        """Name, class and description of a game.

        Raises:
            OptionError: there is no such game (a `ValueError`).
        """
        name = self._name(game_type)
        game_class = self.registered_games[name]
        own = game_class.__dict__.get("__doc__")
        return {
            "name": name,
            "class": game_class.__name__,
            "description": inspect.cleandoc(own) if own else "No description available.",
        }

    def create_game(self, game_type: str, config: Mapping[str, Any] | None = None) -> BaseGame:
        """A game that is ready to be initialized with its players.

        Raises:
            OptionError: there is no such game, or a figure is impossible (a `ValueError`).
            MissingOption: a figure is missing (a `TypeError` and a `ValueError`).
        """
        name = self._name(game_type)
        game_class = self.registered_games[name]
        defaults = self._configs.get_game_config(name) or {}
        given = dict(config or {})
        if issubclass(game_class, OfferGame):
            defaults = normalized(defaults, game_class.roles)
            given = normalized(given, game_class.roles)
        try:
            return game_class(merged(defaults, given))  # type: ignore[arg-type]
        except KeyError as error:
            raise MissingOption(f"Game {name} needs {error} in its configuration.") from error

    def _name(self, game_type: str) -> str:
        name = game_type if game_type in self.registered_games else canonical_game(game_type)
        if name in self.registered_games:
            return name
        near = difflib.get_close_matches(str(game_type), self.registered_games, n=1)
        hint = (
            f"Did you mean {near[0]!r}?"
            if near
            else f"There are {', '.join(self.registered_games)}."
        )
        raise OptionError(f"No game is registered as {game_type!r}. {hint}")
