"""The configuration of the platform: models, games, and what holds for all of them."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

__all__ = ["CONFIG_TYPES", "ConfigManager", "canonical_game"]

CONFIG_TYPES = ("model_configs", "game_configs", "platform_config")
"""The kinds of configuration, each the name of a file without its ending, in loading order."""

_PACKAGE_ROOT = Path(__file__).parent
_SECTIONS = {"models": "model_configs", "games": "game_configs", "platform": "platform_config"}
# Ten times as fast where PyYAML comes with its C library; neither makes anything but plain data.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_VARIABLE = re.compile(r"\$\{(\w+)\}")

_ALIASES = {"price_bargaining": "company_car"}


def canonical_game(name: str) -> str:
    """The registered name of a game that has another one too."""
    return _ALIASES.get(name, name)


class ConfigManager:
    """Three YAML files of one directory, or one YAML file with three sections, read at once.

    A relative directory is looked for in this package, which ships ``configs``, and then in the
    working directory. Files that are missing or empty are empty configurations. So are files that
    cannot be read or hold no mapping, which the log tells; with ``strict=True`` broken YAML is an
    error. Of one file the sections are `model_configs`, `game_configs` and `platform_config`
    (`models`, `games` and `platform` for short). ``${NAME}`` as a whole value stands for an
    environment variable.

    Raises:
        FileNotFoundError: there is no such directory or file.
        yaml.YAMLError: a file is broken, and it was to be read strictly.
    """

    def __init__(self, config_dir: str | Path = "configs", *, strict: bool = False) -> None:
        self.logger = logging.getLogger(type(self).__name__)
        self.strict = strict
        self.config_dir = _found(Path(config_dir))
        self._configs: dict[str, dict[str, Any]] = {}
        self.load_all_configs()

    def load_all_configs(self) -> None:
        """Read everything again."""
        if self.config_dir.is_file():
            sections = self.load_config(self.config_dir)
            named = {_SECTIONS.get(name, name): content for name, content in sections.items()}
            self._configs = {
                kind: content if isinstance(content := named.get(kind), dict) else {}
                for kind in CONFIG_TYPES
            }
        else:
            self._configs = {
                kind: self.load_config(self.config_dir / f"{kind}.yaml") for kind in CONFIG_TYPES
            }

    def load_config(self, config_path: str | Path) -> dict[str, Any]:
        """The mapping that one YAML file holds; see the class for what is wrong with it."""
        path = Path(config_path)
        try:
            content = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
        except FileNotFoundError:
            self.logger.info("There is no configuration %s", path)
            return {}
        except yaml.YAMLError as error:
            if self.strict:
                raise
            self.logger.error("%s is broken YAML: %s", path, error)
            return {}
        except (OSError, UnicodeDecodeError) as error:
            self.logger.error("Cannot read %s: %s", path, error)
            return {}
        if content is None:
            return {}
        if not isinstance(content, dict):
            if self.strict:
                raise yaml.YAMLError(f"{path} must hold a mapping, not {type(content).__name__}.")
            self.logger.error("%s must hold a mapping, not %s", path, type(content).__name__)
            return {}
        return {str(key): _resolved(value) for key, value in content.items()}

    def get_config(self, config_type: str) -> dict[str, Any]:
        """One of the three configurations; empty when there is none of that name."""
        return self._configs.get(config_type, {})

    def get_model_configs(self) -> dict[str, Any]:
        """All models: id -> configuration."""
        return self.get_config("model_configs")

    def get_model_config(self, model_name: str) -> dict[str, Any] | None:
        """The configuration of a model id, None when it is not known."""
        return self.get_config("model_configs").get(model_name)

    def get_game_config(self, game_name: str) -> dict[str, Any] | None:
        """The configuration of a game, None when it is not known.

        Rounds that a file calls `rounds` are given as `max_rounds` too.
        """
        games = self.get_config("game_configs")
        found = games.get(game_name, games.get(canonical_game(game_name)))
        if not isinstance(found, dict):
            return None
        return {"max_rounds": found["rounds"], **found} if "rounds" in found else found


def _found(path: Path) -> Path:
    candidates = [path] if path.is_absolute() else [_PACKAGE_ROOT / path, Path.cwd() / path]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    places = " or ".join(str(candidate.parent) for candidate in candidates)
    raise FileNotFoundError(f"There is no configuration {str(path)!r} in {places}.")


def _resolved(value: Any) -> Any:
    """Environment variables in their places; None for one that is not set."""
    if isinstance(value, Mapping):
        return {key: _resolved(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_resolved(entry) for entry in value]
    if isinstance(value, str) and (match := _VARIABLE.fullmatch(value.strip())):
        return os.environ.get(match[1])
    return value
