"""Decoding many replies together, each as if it were alone.

Every row has tokens waiting to be read: its prompt at first, later the token it has chosen and
those that its schema then forces. A step reads some of them from each row; a row that has none
waiting any more chooses its next one. So reading prompts, decoding and skipping over forced text
are one thing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.llm.constraint import Matcher
from genius_py.llm.request import Sampling

if TYPE_CHECKING:
    from numpy import float32, int64

__all__ = ["Feed", "Row", "Step", "decode"]

_LARGEST_BLOCK = 512
"""Most tokens of a row that a step reads."""

_DEAD = 0.15
"""Share of finished rows that are carried along rather than copying all others."""


@attrs.define(eq=False)
class Row:
    """One reply in the making. `prompt` are the tokens behind the shared prefix."""

    prompt: Sequence[int]
    sampling: Sampling
    matcher: Matcher | None
    end: frozenset[int]
    """Tokens that end a reply."""
    position: int = 0
    """Tokens that have been read, the shared prefix included."""
    waiting: list[int] = attrs.field(factory=list)
    written: list[int] = attrs.field(factory=list)
    is_finished: bool = False
    is_whole: bool = False
    _rng: np.random.Generator | None = None

    def begin(self, whole_prompt: Sequence[int]) -> None:
        """Get ready: the prompt waits, and what the schema forces at once."""
        self.waiting = list(self.prompt)
        if not self.sampling.is_greedy:
            # By the seed and the prompt alone, so that the batch has no part in it.
            content = f"{self.sampling.seed}:{','.join(map(str, whole_prompt))}"
            digest = hashlib.sha256(content.encode()).digest()
            self._rng = np.random.default_rng(int.from_bytes(digest))
        if self.matcher is not None:
            self._write(self.matcher.forced())

    def choose(self, logits: NDArray[float32]) -> None:
        """Write the next token, and all that is then forced."""
        token = self._chosen(logits)
        if token in self.end:
            self.is_finished = self.is_whole = True
            return
        self._write([token])
        if self.matcher is not None:
            self.matcher.consume(token)
            if not self.matcher.is_done:
                self._write(self.matcher.forced())
            if self.matcher.is_done:
                self.is_finished = self.is_whole = True
        if len(self.written) >= self.sampling.max_tokens:
            self.is_finished = True

    def _write(self, tokens: list[int]) -> None:
        self.written += tokens
        self.waiting += tokens

    def _chosen(self, logits: NDArray[float32]) -> int:
        sampling = self.sampling
        allowed = None if self.matcher is None else self.matcher.allowed()
        scores = logits if allowed is None else logits[allowed]
        place = int(scores.argmax()) if self._rng is None else _drawn(scores, sampling, self._rng)
        return place if allowed is None else int(allowed[place])


def _drawn(scores: NDArray[float32], sampling: Sampling, rng: np.random.Generator) -> int:
    """A place drawn with the probabilities softmax(scores / temperature), by the Gumbel trick.

    The noise does not depend on the scores, so that scores which differ by rounding nearly always
    draw the same.
    """
    tempered = scores.astype(np.float64) / sampling.temperature
    noisy = tempered - np.log(rng.standard_exponential(len(tempered)))
    if sampling.top_p < 1:
        weights = np.exp(tempered - tempered.max())
        order = np.argsort(-weights, kind="stable")
        before = np.cumsum(weights[order]) - weights[order]
        noisy[order[before >= sampling.top_p * weights.sum()]] = -np.inf
    return int(noisy.argmax())


@attrs.frozen(eq=False)
class Step:
    """What a step reads, as arrays of shape (rows, columns), the last column the newest.

    Where not `is_token` a row has nothing in this column. `is_seen`, shape (rows, columns of all
    steps so far), says the same of all columns up to now.
    """

    tokens: NDArray[int64]
    positions: NDArray[int64]
    is_token: NDArray[np.bool_]
    is_seen: NDArray[np.bool_]


class Feed(Protocol):
    """The model: reads a step and gives the logits after its last column."""

    def __call__(self, step: Step) -> NDArray[float32]:
        """Logits of shape (rows, vocabulary)."""
        ...

    def keep(self, rows: Sequence[int]) -> None:
        """Forget all rows but these, for good."""
        ...


def decode(rows: Sequence[Row], feed: Feed, overhead: float, widest: Callable[[int], int]) -> None:
    """Fill in `written` of every row.

    `overhead` is how many tokens could be read in the time that a step takes besides reading;
    `widest` gives the most columns that a step of so many rows may have.
    """
    live = list(rows)
    seen = np.zeros((len(live), 0), dtype=np.bool_)
    while live:
        step = _next_step(live, seen, overhead, min(_LARGEST_BLOCK, widest(len(live))))
        seen = step.is_seen
        logits = feed(step)
        for row, scores in zip(live, logits, strict=True):
            if not row.waiting and not row.is_finished:
                row.choose(scores)
        going = [place for place, row in enumerate(live) if not row.is_finished]
        if not going or len(going) <= (1 - _DEAD) * len(live):
            if going:
                feed.keep(going)
            live = [live[place] for place in going]
            seen = seen[going]


def _next_step(rows: Sequence[Row], seen: NDArray[np.bool_], overhead: float, widest: int) -> Step:
    waiting = np.array([0 if row.is_finished else len(row.waiting) for row in rows])
    columns = _block(waiting, overhead, widest)
    shape = (len(rows), columns)
    tokens = np.zeros(shape, dtype=np.int64)
    positions = np.zeros(shape, dtype=np.int64)
    is_token = np.zeros(shape, dtype=np.bool_)
    for place, row in enumerate(rows):
        if row.is_finished:
            continue
        read, row.waiting = row.waiting[:columns], row.waiting[columns:]
        if read:
            tokens[place, -len(read) :] = read
            positions[place, -len(read) :] = np.arange(row.position, row.position + len(read))
            is_token[place, -len(read) :] = True
            row.position += len(read)
    return Step(tokens, positions, is_token, np.concatenate([seen, is_token], axis=1))


def _block(waiting: NDArray[Any], overhead: float, widest: int) -> int:
    """How many columns to read: what gets most tokens read for its time."""
    possible = np.unique(np.minimum(waiting[waiting > 0], widest))
    read = np.minimum(waiting[:, None], possible).sum(axis=0)
    return int(possible[(read / (overhead + len(waiting) * possible)).argmax()])
