"""What a final state says about each player's alternative, and what an offer is worth beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from genius_py.metrics.record import GameResult, PlayerAction

__all__ = ["SHIPPED_DECAY", "Terms", "as_share", "decayed", "offers"]

SHIPPED_DECAY = 0.015
"""The decay of a game whose state does not tell its own."""

_GAMES = {
    "company_car": "company_car",
    "price_bargaining": "company_car",
    "resource_allocation": "resource_allocation",
    "integrative_negotiations": "integrative_negotiations",
    "profiles": "profiles",
}

_HOURS = {
    "development": {"gpu_hours": 8.0, "cpu_hours": 6.0},
    "marketing": {"gpu_hours": 6.0, "cpu_hours": 8.0},
}
_OPTIONS: Mapping[str, Sequence[object]] = {
    "server_room": (50, 100, 150),
    "meeting_access": (2, 4, 7),
    "cleaning": ("IT", "Shared", "Outsourced"),
    "branding": ("Minimal", "Moderate", "Prominent"),
}
_POINTS = (10, 30, 60)
_WEIGHTS = {
    "it": {"server_room": 0.4, "meeting_access": 0.1, "cleaning": 0.3, "branding": 0.2},
    "marketing": {"server_room": 0.1, "meeting_access": 0.4, "cleaning": 0.2, "branding": 0.3},
}

# Reply types that mean an offer, whatever a game calls it.
_OFFERS = {"offer", "propose", "counter", "counteroffer", "counter-offer"}

_FLOAT_NOISE = 1e-9


def decayed(batna: float, decay: float, round_number: int) -> float:
    """What an alternative is worth in a round, counted from 1: ``batna * (1 - decay) ** (r - 1)``.

    The one formula of the platform. For a buyer, whose alternative is a price to pay, it makes the
    alternative better; a negative decay makes it worse.
    """
    return float(batna * (1.0 - decay) ** (round_number - 1))


def offers(actions: Sequence[PlayerAction]) -> Iterator[PlayerAction]:
    """The actions that propose something, under whatever name."""
    return (action for action in actions if action.action_type.casefold() in _OFFERS)


def as_share(share: float, config: Mapping[str, Any]) -> float:
    """A share in [0, 1] on the scale that a metric's configuration asks for."""
    return 100.0 * share if config.get("scale") == "percent" else share


class Terms:
    """The alternatives of all players in one game, and the gain of an offer over them.

    `game` is the registered name of the platform's game, or "profiles" for a session of any other
    domain. What is not known counts as its first game, where offers are prices.
    """

    def __init__(self, result: GameResult) -> None:
        self._state = result.game_data
        self._private: Mapping[str, Any] = self._state.get("private_info") or {}
        kind = self._state.get("game_type")
        self.is_known = kind in _GAMES
        self.game = _GAMES.get(str(kind), "company_car")

    def role(self, player: str) -> str:
        """The player's role, in lower case; empty when it is not known."""
        return str(self._private.get(player, {}).get("role", "")).casefold()

    def batna(self, player: str, round_number: int) -> float | None:
        """The player's alternative in a round; None when it is not known."""
        batna = self._private.get(player, {}).get("batna")
        if batna is None:
            return None
        return decayed(float(batna), self._decay(player), round_number)

    def _decay(self, player: str) -> float:
        """Wherever the game wrote it down: for the player, for its role, or for everybody."""
        config = self._state.get("game_config") or {}
        places = (self._private.get(player, {}), self._state, config)
        for place in places:
            for key in ("batna_decay", "batna_decay_rate"):
                found = place.get(key)
                if isinstance(found, Mapping):
                    by_role = {str(role).casefold(): rate for role, rate in found.items()}
                    found = by_role.get(self.role(player), found.get(player))
                if found is not None:
                    return float(found)
        return SHIPPED_DECAY

    def gain(self, player: str, data: Mapping[str, Any], round_number: int) -> float | None:
        """How much better than its alternative of a round an offer is for a player.

        None when the alternative is not known or the offer cannot be read. What is equal but for
        float noise gains 0.
        """
        batna = self.batna(player, round_number)
        worth = None if batna is None else self._worth(player, data)
        if batna is None or worth is None:
            return None
        buys = self.game == "company_car" and self.role(player) == "buyer"
        gain = batna - worth if buys else worth - batna
        return 0.0 if abs(gain) <= _FLOAT_NOISE * max(1.0, abs(batna)) else gain

    def _worth(self, player: str, data: Mapping[str, Any]) -> float | None:
        """The price, or what the offer is worth to the player."""
        match self.game:
            case "resource_allocation":
                return self._hours(player, data)
            case "integrative_negotiations":
                return self._points(player, data)
            case "profiles":
                worth = data.get("utilities", {}).get(player)
                return None if worth is None else float(worth)
            case _:
                return _number(data.get("price", data.get("value")))

    def _hours(self, player: str, data: Mapping[str, Any]) -> float | None:
        weights = self._private[player].get("coefficients") or _HOURS.get(self.role(player))
        content = data.get("proposal", data)
        hours = [
            _number(content.get(name, content.get(name.removesuffix("_hours"))))
            for name in ("gpu_hours", "cpu_hours")
        ]
        if weights is None or hours[0] is None or hours[1] is None:
            return None
        return float(weights["gpu_hours"] * hours[0] + weights["cpu_hours"] * hours[1])

    def _points(self, player: str, data: Mapping[str, Any]) -> float | None:
        mine = self._private[player]
        weights = mine.get("weights") or _WEIGHTS.get(self.role(player))
        public = self._state.get("public_info") or {}
        issues: Mapping[str, Any] = self._state.get("issues") or public.get("issues") or _OPTIONS
        content = data.get("proposal", data)
        if weights is None or not all(issue in content for issue in issues):
            return None
        total = 0.0
        for issue, found in issues.items():
            described = dict(found) if isinstance(found, Mapping) else {"options": found}
            options = list(described["options"])
            if content[issue] not in options:
                return None
            points = (mine.get("points") or {}).get(issue) or described.get("points") or _POINTS
            total += weights[issue] * points[options.index(content[issue])]
        return total


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)
