"""Models with random weights, small enough to be made up in a test."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

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


def save_gguf(file: Path) -> Path:
    """A Llama with random weights as a GGUF file, which llama.cpp loads and transformers reads."""
    gguf: Any = importlib.import_module("gguf")
    pre_tokenizers: Any = importlib.import_module("tokenizers.pre_tokenizers")
    rng = np.random.default_rng(0)
    width, inner, heads, shared, blocks = 32, 64, 4, 2, 2
    words = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "\u0120t"]
    tokens = [*words, "<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    start, end = tokens.index("<|endoftext|>"), tokens.index("<|im_end|>")
    writer = gguf.GGUFWriter(str(file), "llama")
    writer.add_context_length(2048)
    writer.add_embedding_length(width)
    writer.add_block_count(blocks)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(shared)
    writer.add_rope_dimension_count(width // heads)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types([1] * len(words) + [3] * 3)
    writer.add_token_merges(["\u0120 t"])
    writer.add_bos_token_id(start)
    writer.add_unk_token_id(start)
    writer.add_eos_token_id(end)
    writer.add_pad_token_id(end)
    writer.add_chat_template(
        "{% for m in messages %}{{'<|im_start|>' + m['role'] + '\n' + m['content']}}"
        "{{'<|im_end|>\n'}}{% endfor %}"
        "{% if add_generation_prompt %}{{'<|im_start|>assistant\n'}}{% endif %}"
    )
    ones = ["output_norm"]
    drawn = {"token_embd": (len(tokens), width), "output": (len(tokens), width)}
    for block in (f"blk.{number}" for number in range(blocks)):
        ones += [f"{block}.attn_norm", f"{block}.ffn_norm"]
        drawn |= {f"{block}.attn_{part}": (width, width) for part in ("q", "output")}
        drawn |= {f"{block}.attn_{part}": (width * shared // heads, width) for part in "kv"}
        drawn |= {f"{block}.ffn_{part}": (inner, width) for part in ("gate", "up")}
        drawn |= {f"{block}.ffn_down": (width, inner)}
    for name in ones:
        writer.add_tensor(f"{name}.weight", np.ones(width, np.float32))
    for name, shape in drawn.items():
        writer.add_tensor(f"{name}.weight", rng.normal(0, 0.3, shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file
