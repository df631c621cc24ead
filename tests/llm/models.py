"""Models with random weights, small enough to be made up in a test."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

SYMBOLS = 256
"""The vocabulary of the made-up models: each byte, and four tokens for the chat."""

CHAT = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def save_tokenizer(folder: Path) -> None:
    """A tokenizer of single bytes, with a template for chats."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    transformers: Any = importlib.import_module("transformers")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = Tokenizer(models.BPE(vocab={sign: i for i, sign in enumerate(alphabet)}, merges=[]))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=tokens, eos_token="<|end|>")
    special = ["<|system|>", "<|user|>", "<|assistant|>"]
    tokenizer.add_special_tokens({"additional_special_tokens": special})
    tokenizer.chat_template = CHAT
    tokenizer.save_pretrained(folder)


def save_model(torch: Any, folder: Path, kind: str, **settings: Any) -> Path:
    """A model with random weights, the same each time, of a kind that transformers knows."""
    transformers: Any = importlib.import_module("transformers")
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=SYMBOLS + 4,
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=1024,
        eos_token_id=SYMBOLS,
        bos_token_id=SYMBOLS,
        pad_token_id=SYMBOLS,
        initializer_range=0.3,
        **settings,
    )
    getattr(transformers, f"{kind}ForCausalLM")(config).save_pretrained(folder)
    save_tokenizer(folder)
    return folder
