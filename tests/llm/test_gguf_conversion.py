"""From a GGUF file to a folder for transformers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import ModelFailure
from genius_py.llm.gguf_conversion import can_convert, convert
from genius_py.llm.request import Completion, Message, Request, Sampling

SCHEMA = '{"enum": ["yes", "no"]}'


@pytest.fixture(scope="module")
def converted(torch: Any, tiny_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not can_convert():
        pytest.skip("needs torch, transformers, gguf and accelerate (genius-py[llm])")
    folder = tmp_path_factory.mktemp("converted") / "tiny"
    convert(tiny_gguf, folder)
    return folder


def test_a_folder_has_weights_configuration_and_tokenizer(converted: Path) -> None:
    names = {path.name for path in converted.iterdir()}
    assert names >= {"config.json", "model.safetensors", "tokenizer.json"}


def test_the_weights_are_in_single_precision_and_quantized_no_longer(converted: Path) -> None:
    config = json.loads((converted / "config.json").read_text(encoding="utf-8"))
    assert config.get("dtype", config.get("torch_dtype")) == "float32"
    assert "quantization_config" not in config


def test_what_was_converted_answers(converted: Path) -> None:
    from genius_py.llm.transformers_backend import TransformersBackend

    backend = TransformersBackend(converted, threads=1)
    question = Request([Message("user", "hello")], SCHEMA, Sampling(max_tokens=20))
    (answer,) = backend.complete([question])
    assert isinstance(answer, Completion)
    assert json.loads(answer.text) in ("yes", "no")
    backend.close()


def test_the_weights_are_those_of_the_file(torch: Any, tiny_gguf: Path, converted: Path) -> None:
    import gguf
    from safetensors import safe_open

    tensors = {tensor.name: tensor.data for tensor in gguf.GGUFReader(str(tiny_gguf)).tensors}
    with safe_open(converted / "model.safetensors", "np") as weights:
        found = weights.get_tensor("model.embed_tokens.weight")
    assert (found == tensors["token_embd.weight"]).all()


def test_a_file_that_is_no_gguf_or_half_of_one_is_a_failure(
    torch: Any, tiny_gguf: Path, tmp_path: Path
) -> None:
    if not can_convert():
        pytest.skip("needs torch, transformers, gguf and accelerate (genius-py[llm])")
    half = tmp_path / "half.gguf"
    half.write_bytes(tiny_gguf.read_bytes()[:3000])
    with pytest.raises(ModelFailure, match=r"half\.gguf cannot be converted"):
        convert(half, tmp_path / "out")


@pytest.mark.parametrize("missing", ["torch", "transformers", "gguf", "accelerate"])
def test_without_any_of_the_packages_nothing_can_be_converted(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    there: Any = lambda name: None if name == missing else object()  # noqa: E731
    monkeypatch.setattr("importlib.util.find_spec", there)
    assert not can_convert()
