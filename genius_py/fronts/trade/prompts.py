"""Role prompts for agents that are language models; the texts are files of ``presets``."""

from __future__ import annotations

from importlib.resources import files

from genius_py.errors import UnknownName

__all__ = [
    "SYSTEM_PROMPT_COMPETITIVE_INITIATOR",
    "SYSTEM_PROMPT_COMPETITIVE_PROVIDER",
    "SYSTEM_PROMPT_COMPETITIVE_PROVIDER_COLLUDER",
    "SYSTEM_PROMPT_INITIATOR",
    "SYSTEM_PROMPT_PROVIDER",
    "preset",
    "presets",
]

_FOLDER = files("genius_py.fronts.trade") / "presets"
_GAME = "bilateral_trade"


def presets() -> tuple[str, ...]:
    """The names of all presets, such as ``bilateral_trade/buyer_rational``, sorted."""
    texts = (entry.name for entry in (_FOLDER / _GAME).iterdir())
    return tuple(sorted(f"{_GAME}/{name.removesuffix('.txt')}" for name in texts))


def preset(name: str) -> str:
    """The text of a preset.

    Raises:
        UnknownName: there is none of that name.
    """
    if name not in presets():
        raise UnknownName(f"There is no preset {name!r}; there are: {', '.join(presets())}.")
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return " ".join(text.split())


SYSTEM_PROMPT_INITIATOR = preset("bilateral_trade/initiator")
SYSTEM_PROMPT_PROVIDER = preset("bilateral_trade/provider")
SYSTEM_PROMPT_COMPETITIVE_INITIATOR = preset("bilateral_trade/competitive_initiator")
SYSTEM_PROMPT_COMPETITIVE_PROVIDER = preset("bilateral_trade/competitive_provider")
SYSTEM_PROMPT_COMPETITIVE_PROVIDER_COLLUDER = preset(
    "bilateral_trade/competitive_provider_colluder"
)
