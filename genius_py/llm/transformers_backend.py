"""Models through transformers: batched, constrained, with prefixes read once."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.errors import ModelFailure
from genius_py.llm.constraint import GuidanceConstraint, Matcher
from genius_py.llm.decoding import Row, Step, decode
from genius_py.llm.options import DType, require_packages
from genius_py.llm.quiet import quiet
from genius_py.llm.request import Answer, Completion, Message, Request
from genius_py.llm.shared_prefix import NAME, Group, Prefix, RowCache, joined, register

if TYPE_CHECKING:
    import torch
    from numpy import float32

__all__ = ["TransformersBackend"]

_DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}

_SHORTEST_PREFIX = 32
"""Tokens from which on a prefix is kept for others."""

_PREFIX_BYTES = 1 << 30
"""Memory for kept prefixes."""

_ROW_BYTES = 2 << 30
"""Memory for the keys and values of a batch's own tokens, on the CPU; of a GPU, half of what is
free."""

_USUAL_REPLY = 512
"""Tokens of a reply for which memory is set aside; what it may have at most is seldom used."""

_SCORE_BYTES = 1 << 28
"""Memory for the attention scores of a step."""

_OVERHEAD = {"cpu": 12.0}
"""Tokens that could be read while a step gathers the weights: few on a CPU, whose arithmetic is
the slow part, and hundreds elsewhere."""
_OVERHEAD_ELSEWHERE = 300.0


@attrs.frozen(eq=False)
class _Prompt:
    """A request as tokens, split where what is shared ends."""

    place: int
    request: Request
    tokens: tuple[int, ...]
    shared: tuple[int, ...]
    matcher: Matcher | None


class TransformersBackend:
    """A causal language model of the Hugging Face kind.

    `source` is a folder, or a name on the hub. At most `batch` replies are made together. Replies
    do not depend on the batch but for rounding: exactly so in practice with fp32, less so with
    bf16. `threads` sets torch's for the whole process; None leaves them.

    Decoder models with full attention in every layer share prefixes and batches. Others are
    answered one request after the other, in the same way otherwise.

    Raises:
        OptionError: a package is missing.
        ModelFailure: the model cannot be loaded.
    """

    def __init__(
        self,
        source: str | Path,
        *,
        device: str = "cpu",
        dtype: DType = "fp32",
        batch: int = 32,
        threads: int | None = None,
    ) -> None:
        require_packages("llm", "torch", "transformers", "llguidance")
        import torch

        if threads is not None:
            torch.set_num_threads(threads)
        self._torch: Any = torch
        self._batch = batch
        self._device = device
        with quiet(), torch.inference_mode():
            self._tokenizer, self._model = _loaded(source, device, getattr(torch, _DTYPES[dtype]))
            self._config = self._model.config.get_text_config(decoder=True)
            self._end = _end_tokens(self._model, self._tokenizer)
            self._constraint = GuidanceConstraint(
                self._tokenizer.backend_tokenizer.to_str(),
                self._config.vocab_size,
                sorted(self._end),
                len(self._tokenizer),
            )
            self._cache_argument = (
                "cache"
                if "cache" in inspect.signature(self._model.forward).parameters
                else "past_key_values"  # its name in older versions
            )
            self._prefixes: OrderedDict[tuple[int, ...], Prefix] = OrderedDict()
            self.shares_prefixes = self._can_share()

    @property
    def context(self) -> int:
        """Most tokens of a prompt and its reply together."""
        return int(getattr(self._config, "max_position_embeddings", 1 << 30))

    def close(self) -> None:
        """Free the weights and everything kept."""
        self._prefixes.clear()
        del self._model, self._tokenizer, self._constraint
        if self._device.startswith("cuda"):
            import gc

            gc.collect()
            self._torch.cuda.empty_cache()

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """Answer in batches of similar requests; a request that cannot be answered fails alone."""
        answers: list[Answer] = [ModelFailure("was not answered")] * len(requests)
        prompts = []
        for place, request in enumerate(requests):
            try:
                prompts.append(self._prompt(place, request))
            except ModelFailure as failure:
                answers[place] = failure
        with self._torch.inference_mode(), quiet():
            for batch in map(_sharing, self._batches(prompts)):
                try:
                    completions = self._complete(batch)
                except self._torch.OutOfMemoryError as error:
                    out = ModelFailure(f"the model ran out of memory: {error}")
                    completions = [out] * len(batch)
                for prompt, completion in zip(batch, completions, strict=True):
                    answers[prompt.place] = completion
        return answers

    def _prompt(self, place: int, request: Request) -> _Prompt:
        text, shared_text = self._rendered(request.messages)
        encode = self._tokenizer.backend_tokenizer.encode
        tokens = encode(text, add_special_tokens=False).ids
        room = self.context - len(tokens)
        if room < min(request.sampling.max_tokens, 16):
            raise ModelFailure(
                f"a prompt of {len(tokens)} tokens leaves no room for a reply within the "
                f"{self.context} that the model can hold; show it fewer turns"
            )
        shared = encode(shared_text, add_special_tokens=False).ids if shared_text else []
        # The last token may be another where the text goes on.
        common = _common(tokens[:-1], shared[:-1])
        keeps = self.shares_prefixes and common >= _SHORTEST_PREFIX
        return _Prompt(
            place,
            request,
            tuple(tokens),
            tuple(tokens[:common]) if keeps else (),
            self._constraint.matcher(request.schema) if request.schema else None,
        )

    def _rendered(self, messages: Sequence[Message]) -> tuple[str, str]:
        """The prompt as text, and its beginning that other requests share."""
        first_user = next((m.text.strip() for m in messages if m.role == "user"), "")
        text = self._templated(messages)
        place = text.find(first_user) if first_user else -1
        has_system = bool(messages) and messages[0].role == "system"
        return text, text[:place] if place > 0 and has_system else ""

    def _templated(self, messages: Sequence[Message]) -> str:
        if not self._tokenizer.chat_template:
            lines = [f"{m.role.capitalize()}: {m.text.strip()}\n" for m in messages]
            return "".join([*lines, "Assistant:"])
        chat = [{"role": m.role, "content": m.text.strip()} for m in messages]
        try:
            return self._apply_template(chat)
        except Exception:  # whatever a template raises: some know no system messages
            system = "\n\n".join(m["content"] for m in chat if m["role"] == "system")
            rest = [m for m in chat if m["role"] != "system"]
            if not system or not rest:
                raise
            first = {"role": "user", "content": f"{system}\n\n{rest[0]['content']}"}
            return self._apply_template([first, *rest[1:]])

    def _apply_template(self, chat: list[dict[str, str]]) -> str:
        # Models that think first are asked not to: the form has a place for thoughts.
        text: str = self._tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True, enable_thinking=False
        )
        return text

    def _batches(self, prompts: Sequence[_Prompt]) -> Iterator[list[_Prompt]]:
        """Those with the same prefix next to each other, then by length; bounded in memory."""
        if not self.shares_prefixes:
            yield from ([prompt] for prompt in prompts)
            return
        order = sorted(prompts, key=lambda p: (p.shared, len(p.tokens), p.place))
        budget, batch, widest = self._row_tokens(), list[_Prompt](), 0
        for prompt in order:
            longest = min(prompt.request.sampling.max_tokens, _USUAL_REPLY)
            own = len(prompt.tokens) - len(prompt.shared) + longest
            full = len(batch) == self._batch or max(widest, own) * (len(batch) + 1) > budget
            if batch and full:
                yield batch
                batch, widest = [], 0
            batch.append(prompt)
            widest = max(widest, own)
        if batch:
            yield batch

    def _row_tokens(self) -> int:
        """How many tokens of rows fit into memory."""
        bytes_ = _ROW_BYTES
        if self._device.startswith("cuda"):
            free, _ = self._torch.cuda.mem_get_info(self._device)
            bytes_ = int(free) // 2
        return int(max(1, bytes_ // self._token_bytes))

    @property
    def _token_bytes(self) -> int:
        """Memory for the keys and values of one token."""
        config = self._config
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        return int(2 * config.num_hidden_layers * heads * size * self._model.dtype.itemsize)

    def _complete(self, batch: Sequence[_Prompt]) -> list[Answer]:
        rows = []
        for prompt in batch:
            request = prompt.request
            room = self.context - len(prompt.tokens)
            sampling = attrs.evolve(
                request.sampling, max_tokens=min(request.sampling.max_tokens, room)
            )
            row = Row(
                prompt.tokens[len(prompt.shared) :],
                sampling,
                prompt.matcher,
                self._end,
                position=len(prompt.shared),
            )
            row.begin(prompt.tokens)
            rows.append(row)
        feed: _SharingFeed | _PlainFeed
        if self.shares_prefixes:
            feed = _SharingFeed(self, [self._prefix(prompt.shared) for prompt in batch])
        else:
            feed = _PlainFeed(self)
        decode(rows, feed, self._overhead, self._widest)
        return [
            Completion(
                self._tokenizer.decode(row.written, skip_special_tokens=True),
                len(prompt.tokens),
                len(row.written),
                row.is_whole,
            )
            for prompt, row in zip(batch, rows, strict=True)
        ]

    @property
    def _overhead(self) -> float:
        return _OVERHEAD.get(self._device.partition(":")[0], _OVERHEAD_ELSEWHERE)

    def _widest(self, rows: int) -> int:
        """Columns of a step whose attention scores fit into memory, for a long prompt."""
        a_column = rows * self._config.num_attention_heads * 4 * min(self.context, 4096)
        return max(1, int(_SCORE_BYTES // a_column))

    def _prefix(self, tokens: tuple[int, ...]) -> Prefix | None:
        """Keys and values of a prefix, read once and kept while there is room."""
        if not tokens:
            return None
        known = self._prefixes.get(tokens)
        if known is None:
            # What another prefix begins with too has been read already.
            start, begun = self._begun(tokens)
            feed = _SharingFeed(self, [begun])
            width = self._widest(1)
            for place in range(start, len(tokens), width):
                feed.read(tokens[place : place + width], place)
            known = self._prefixes[tokens] = joined(begun, feed.cache.as_prefix())
            kept = sum(map(len, self._prefixes)) * self._token_bytes
            while kept > _PREFIX_BYTES and len(self._prefixes) > 1:
                old, _ = self._prefixes.popitem(last=False)
                kept -= len(old) * self._token_bytes
        self._prefixes.move_to_end(tokens)
        return known

    def _begun(self, tokens: tuple[int, ...]) -> tuple[int, Prefix | None]:
        """How much of a prefix is kept with another one, and that."""
        lengths = {other: _common(tokens[:-1], other) for other in self._prefixes}
        nearest = max(lengths, key=lambda other: lengths[other], default=())
        length = lengths.get(nearest, 0)
        if length < _SHORTEST_PREFIX:
            return 0, None
        return length, [(k[:, :length], v[:, :length]) for k, v in self._prefixes[nearest]]

    def forward(self, tokens: Any, positions: Any, cache: Any, **extra: Any) -> torch.Tensor:
        """Logits after the last column, shape (rows, vocabulary)."""
        as_tensor = self._torch.as_tensor
        output = self._model(
            input_ids=as_tensor(tokens, device=self._device),
            position_ids=as_tensor(positions, device=self._device),
            use_cache=True,
            logits_to_keep=1,
            **{self._cache_argument: cache},
            **extra,
        )
        logits: torch.Tensor = output.logits[:, -1].float()
        return logits

    def _can_share(self) -> bool:
        """Whether rows that share a prefix come out as they do alone; tried, not looked up.

        Windows, sinks, caps and states other than keys and values would change the result.
        """
        torch, model = self._torch, self._model
        if self._config.vocab_size < 3:
            return False
        rng = np.random.default_rng(0)
        first, second = rng.integers(0, self._config.vocab_size, (2, 24)).tolist()
        second[:10] = first[:10]
        usual = model.config._attn_implementation
        alone = [self.forward([row], [list(range(len(row)))], None) for row in (first[:20], second)]
        register()
        try:
            model.set_attn_implementation(NAME)
            prefix_feed = _SharingFeed(self, [None])
            prefix_feed.read(first[:10], 0)
            prefix = prefix_feed.cache.as_prefix()
            feed = _SharingFeed(self, [prefix, prefix])
            tokens = np.zeros((2, 14), dtype=np.int64)
            positions = np.zeros((2, 14), dtype=np.int64)
            tokens[0, 4:], positions[0, 4:] = first[10:20], np.arange(10, 20)
            tokens[1], positions[1] = second[10:], np.arange(10, 24)
            is_token = np.ones((2, 14), dtype=np.bool_)
            is_token[0, :4] = False
            together = feed.logits(Step(tokens, positions, is_token, is_token))
            expected = torch.cat(alone)
            error = float((together - expected).abs().max() / expected.abs().max())
        except Exception:  # whatever a model raises that knows nothing of this attention
            error = float("inf")
        tolerance = 1e-3 if model.dtype == torch.float32 else 5e-2
        windows = {
            kind for kind in getattr(self._config, "layer_types", None) or [] if "full" not in kind
        }
        if error <= tolerance and not windows and not getattr(self._config, "sliding_window", None):
            return True
        model.set_attn_implementation(usual)
        return False


class _SharingFeed:
    """Reads steps of rows that attend to a prefix of their group and to themselves."""

    def __init__(self, backend: TransformersBackend, prefixes: Sequence[Prefix | None]) -> None:
        self._backend = backend
        self._prefixes = list(prefixes)
        self.cache = RowCache(backend._config.num_hidden_layers)

    def __call__(self, step: Step) -> NDArray[float32]:
        logits: NDArray[float32] = self.logits(step).cpu().numpy()
        return logits

    def read(self, tokens: Sequence[int], position: int) -> None:
        """One row alone, without choosing."""
        length = len(tokens)
        seen = np.ones((1, self.cache.length + length), dtype=np.bool_)
        positions = np.arange(position, position + length)[None]
        self.logits(Step(np.array([tokens]), positions, seen[:, -length:], seen))

    def logits(self, step: Step) -> torch.Tensor:
        """After the last column."""
        torch, backend = self._backend._torch, self._backend
        columns = step.tokens.shape[1]
        total = step.is_seen.shape[1]
        visible = np.repeat(step.is_seen[:, None, :], columns, axis=1)
        visible[:, :, total - columns :] &= np.tri(columns, dtype=np.bool_)
        # Columns without a token see themselves: a softmax over nothing is not a number.
        visible[:, np.arange(columns), np.arange(total - columns, total)] = True
        mask = torch.zeros(visible.shape, dtype=backend._model.dtype)
        mask.masked_fill_(torch.from_numpy(~visible), float("-inf"))
        logits = backend.forward(
            step.tokens,
            step.positions,
            self.cache,
            attention_mask=mask[:, None].to(backend._device),
            groups=self._groups(),
        )
        self.cache.advance(columns)
        return logits

    def _groups(self) -> list[Group]:
        starts = [
            place
            for place, prefix in enumerate(self._prefixes)
            if place == 0 or prefix is not self._prefixes[place - 1]
        ]
        stops = [*starts[1:], len(self._prefixes)]
        return [
            Group(start, stop, self._prefixes[start])
            for start, stop in zip(starts, stops, strict=True)
        ]

    def keep(self, rows: Sequence[int]) -> None:
        self.cache.keep(rows)
        self._prefixes = [self._prefixes[row] for row in rows]


class _PlainFeed:
    """Reads steps of one row, with the model's own attention and memory."""

    def __init__(self, backend: TransformersBackend) -> None:
        from transformers import DynamicCache

        self._backend = backend
        self._cache = DynamicCache(config=backend._config)

    def __call__(self, step: Step) -> NDArray[float32]:
        logits = self._backend.forward(step.tokens, step.positions, self._cache)
        array: NDArray[float32] = logits.cpu().numpy()
        return array

    def keep(self, rows: Sequence[int]) -> None:
        """There is one row."""


def _loaded(source: str | Path, device: str, dtype: Any) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    where: dict[str, Any] = {"pretrained_model_name_or_path": str(source)}
    if str(source).endswith(".gguf"):
        folder, file = Path(source).parent, Path(source).name
        where = {"pretrained_model_name_or_path": str(folder), "gguf_file": file}
    try:
        tokenizer = AutoTokenizer.from_pretrained(**where)
        model: Any = AutoModelForCausalLM.from_pretrained(**where, dtype=dtype)
        return tokenizer, model.to(device).eval()
    except Exception as error:  # each library in between has its own
        reason = " ".join(str(error).split())
        raise ModelFailure(
            f"{source} cannot be loaded: {reason or type(error).__name__}"
        ) from error


def _sharing(batch: Sequence[_Prompt]) -> list[_Prompt]:
    """The same prompts; those that share a prefix share all that they begin with."""
    sharing: list[_Prompt] = []
    for shared, group in groupby(batch, key=lambda prompt: prompt.shared):
        prompts = list(group)
        # A row has to have a token of its own.
        common = prompts[0].tokens[:-1]
        for prompt in prompts[1:]:
            common = common[: _common(common, prompt.tokens[:-1])]
        if not shared or len(prompts) == 1:
            common = shared
        sharing += (attrs.evolve(prompt, shared=common) for prompt in prompts)
    return sharing


def _end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    named = getattr(model.generation_config, "eos_token_id", None)
    found = named if isinstance(named, list) else [named]
    return frozenset(int(t) for t in (*found, tokenizer.eos_token_id) if t is not None)


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))
