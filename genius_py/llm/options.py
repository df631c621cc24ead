"""The choices of how a model is run, and the packages that each needs."""

from __future__ import annotations

import importlib.util
from typing import Literal, TypeAlias

from genius_py.errors import OptionError

__all__ = ["DType", "Dialect", "Engine", "require_packages"]

Engine: TypeAlias = Literal["auto", "transformers", "llamacpp"]
"""What runs a model in this process."""

DType: TypeAlias = Literal["fp32", "bf16", "fp16"]
"""The precision of weights and arithmetic under transformers."""

Dialect: TypeAlias = Literal["json_schema", "json_object", "none"]
"""How a server is told the schema of a reply: OpenAI's way, llama.cpp's older way, or not."""


def require_packages(extra: str, *packages: str) -> None:
    """Look for packages without importing them.

    Raises:
        OptionError: one is missing; the text says how to install it.
    """
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise OptionError(
                f"This model needs {package}, which is not installed; "
                f"get it with: pip install 'genius-py[{extra}]'"
            )
