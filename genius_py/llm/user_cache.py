"""Where models are kept on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["user_cache"]


def user_cache() -> Path:
    """The folder for what can be fetched or made again; GENIUS_PY_CACHE names another one."""
    named = os.environ.get("GENIUS_PY_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "genius-py"
