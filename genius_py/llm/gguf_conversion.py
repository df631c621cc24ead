"""From a GGUF file to the folder that transformers loads in a second."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from genius_py.errors import ModelFailure
from genius_py.llm.quiet import quiet

__all__ = ["can_convert", "convert"]


def can_convert() -> bool:
    """Whether the packages are there; looked for, not imported."""
    packages = ("torch", "transformers", "gguf", "accelerate")
    return all(importlib.util.find_spec(package) is not None for package in packages)


def convert(gguf: Path, folder: Path) -> None:
    """Write weights in single precision, configuration and tokenizer into a new folder.

    Loading a GGUF file takes transformers half a minute; what this writes, a second.

    Raises:
        ModelFailure: transformers cannot read the file.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    where = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    try:
        with quiet():
            tokenizer = AutoTokenizer.from_pretrained(**where)
            model: Any = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
            # The weights are in four bits no longer, which neither of these notices.
            model.hf_quantizer = None
            if hasattr(model.config, "quantization_config"):
                del model.config.quantization_config
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
    except Exception as error:  # each library in between has its own
        raise ModelFailure(f"{gguf.name} cannot be converted: {error}") from error
