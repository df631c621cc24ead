"""Role prompts for agents that are language models: personas of genius-py, by the game's names."""

from __future__ import annotations

from collections.abc import Mapping

from genius_py.errors import UnknownName
from genius_py.llm import prompt_files

__all__ = [
    "SYSTEM_PROMPT_COMPETITIVE_INITIATOR",
    "SYSTEM_PROMPT_COMPETITIVE_PROVIDER",
    "SYSTEM_PROMPT_COMPETITIVE_PROVIDER_COLLUDER",
    "SYSTEM_PROMPT_INITIATOR",
    "SYSTEM_PROMPT_PROVIDER",
    "preset",
    "presets",
]

_PERSONAS: Mapping[str, str] = {
    "bilateral_trade/buyer_rational": "rational_buyer",
    "bilateral_trade/competitive_initiator": "competitive_initiator",
    "bilateral_trade/competitive_provider": "competitive_provider",
    "bilateral_trade/competitive_provider_colluder": "colluding_provider",
    "bilateral_trade/initiator": "initiator",
    "bilateral_trade/provider": "provider",
    "bilateral_trade/seller_rational": "rational_seller",
}


def presets() -> tuple[str, ...]:
    """The names of all presets, such as ``bilateral_trade/buyer_rational``, sorted."""
    return tuple(_PERSONAS)


def preset(name: str) -> str:
    """The text of a preset.

    Raises:
        UnknownName: there is none of that name.
    """
    if name not in _PERSONAS:
        raise UnknownName(f"There is no preset {name!r}; there are: {', '.join(_PERSONAS)}.")
    return prompt_files.preset("personas", _PERSONAS[name])


SYSTEM_PROMPT_INITIATOR = preset("bilateral_trade/initiator")
SYSTEM_PROMPT_PROVIDER = preset("bilateral_trade/provider")
SYSTEM_PROMPT_COMPETITIVE_INITIATOR = preset("bilateral_trade/competitive_initiator")
SYSTEM_PROMPT_COMPETITIVE_PROVIDER = preset("bilateral_trade/competitive_provider")
SYSTEM_PROMPT_COMPETITIVE_PROVIDER_COLLUDER = preset(
    "bilateral_trade/competitive_provider_colluder"
)
