"""Decoding many replies together, each as if it were alone: with a model of arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
import pytest
from numpy.typing import NDArray

from genius_py.llm.decoding import Row, Step, decode
from genius_py.llm.request import Sampling

VOCABULARY = 50
END = 0


class Arithmetic:
    """Knows each row by what it has read, in order; its logits are a hash of that.

    So every token, position and hole of every step counts.
    """

    def __init__(self, rows: int) -> None:
        self.read: list[list[tuple[int, int]]] = [[] for _ in range(rows)]
        self.steps: list[tuple[int, int]] = []

    def __call__(self, step: Step) -> NDArray[np.float32]:
        self.steps.append(step.tokens.shape)
        for row, (tokens, positions, is_token) in enumerate(
            zip(step.tokens, step.positions, step.is_token, strict=True)
        ):
            self.read[row] += zip(
                positions[is_token].tolist(), tokens[is_token].tolist(), strict=True
            )
        assert (step.is_seen.sum(axis=1) == [len(read) for read in self.read]).all()
        return np.stack([self._logits(read) for read in self.read])

    def _logits(self, read: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
        assert [position for position, _ in read] == list(range(len(read)))
        seed = [token for _, token in read]
        return np.random.default_rng(seed).normal(size=VOCABULARY).astype(np.float32)

    def keep(self, rows: Sequence[int]) -> None:
        self.read = [self.read[row] for row in rows]


@attrs.define
class Pattern:
    """Three free tokens from 10 to 19, each followed by 1, 2 and 3, then the end."""

    free: int = 0
    waiting: bool = True
    opened: bool = False

    @property
    def is_done(self) -> bool:
        return self.free == 3 and not self.waiting

    def forced(self) -> list[int]:
        if not self.opened:
            self.opened = True
            return [7, 8]
        if self.free and self.waiting:
            self.waiting = False
            return [1, 2, 3]
        return []

    def allowed(self) -> NDArray[np.intp]:
        return np.arange(10, 20)

    def consume(self, token: int) -> None:
        assert token in range(10, 20)
        self.free += 1
        self.waiting = True


def row(
    prompt: Sequence[int], *, temperature: float = 0.0, pattern: bool = False, most: int = 30
) -> Row:
    sampling = Sampling(temperature=temperature, max_tokens=most, seed=5)
    made = Row(prompt, sampling, Pattern() if pattern else None, frozenset([END]))
    made.begin(prompt)
    return made


def run(rows: Sequence[Row], overhead: float = 12.0, widest: int = 512) -> Arithmetic:
    feed = Arithmetic(len(rows))
    decode(rows, feed, overhead, lambda _: widest)
    return feed


PROMPTS = [[1, 2, 3], [4, 5], [6] * 40, [9], [1, 2, 3, 4, 5, 6, 7, 8]]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("pattern", [False, True])
@pytest.mark.parametrize("overhead", [0.1, 12.0, 1000.0])
@pytest.mark.parametrize("widest", [1, 3, 512])
def test_a_reply_is_the_same_in_whatever_company(
    temperature: float, pattern: bool, overhead: float, widest: int
) -> None:
    alone = []
    for prompt in PROMPTS:
        one = row(prompt, temperature=temperature, pattern=pattern)
        run([one])
        alone.append(one.written)
    together = [row(p, temperature=temperature, pattern=pattern) for p in PROMPTS]
    run(together, overhead, widest)
    assert [one.written for one in together] == alone
    assert all(alone)


def test_the_pattern_is_kept_and_forced_tokens_are_not_chosen_one_by_one() -> None:
    one = row([1, 2, 3], pattern=True)
    feed = run([one])
    assert one.written[:2] == [7, 8]
    assert one.written[3:6] == one.written[7:10] == one.written[11:14] == [1, 2, 3]
    assert one.is_whole
    # One step for the prompt with what is forced at once, one more for each choice but the last.
    assert feed.steps == [(1, 5), (1, 4), (1, 4)]


def test_an_end_token_ends_a_reply_and_is_no_part_of_it() -> None:
    rows = [row([seed]) for seed in range(1, 40)]
    run(rows)
    ended = [one for one in rows if one.is_whole]
    cut = [one for one in rows if not one.is_whole]
    assert ended
    assert cut
    assert all(END not in one.written and len(one.written) < 30 for one in ended)
    assert all(len(one.written) == 30 for one in cut)


def test_a_reply_that_is_cut_off_is_not_whole() -> None:
    one = row([1, 2, 3], pattern=True, most=7)
    run([one])
    assert one.is_finished
    assert not one.is_whole


def test_long_prompts_are_read_in_blocks() -> None:
    feed = run([row([3] * 1000, most=1)])
    assert feed.steps == [(1, 512), (1, 488)]


def test_finished_rows_are_dropped() -> None:
    rows = [row([seed], most=1 if seed < 8 else 9) for seed in range(1, 11)]
    feed = run(rows)
    assert feed.steps[0][0] == 10
    assert feed.steps[-1][0] <= 3


def test_drawing_follows_the_probabilities() -> None:
    logits = np.log(np.array([0.5, 0.3, 0.15, 0.05], dtype=np.float32))
    counts = np.zeros(4)
    for seed in range(4000):
        one = Row([1], Sampling(temperature=1.0, seed=seed), None, frozenset())
        one.begin([1])
        one.choose(logits)
        counts[one.written[0]] += 1
    # Four standard errors of 4000 draws are 0.032 at most.
    assert counts / 4000 == pytest.approx([0.5, 0.3, 0.15, 0.05], abs=0.032)


def test_top_p_leaves_out_the_unlikely() -> None:
    logits = np.log(np.array([0.5, 0.3, 0.15, 0.05], dtype=np.float32))
    drawn = set()
    for seed in range(300):
        one = Row([1], Sampling(temperature=1.0, top_p=0.7, seed=seed), None, frozenset())
        one.begin([1])
        one.choose(logits)
        drawn |= set(one.written)
    assert drawn == {0, 1}  # 0.5 falls short of 0.7, 0.5 + 0.3 does not


def test_a_low_temperature_sharpens() -> None:
    logits = np.log(np.array([0.5, 0.3, 0.2], dtype=np.float32))
    first = 0
    for seed in range(300):
        one = Row([1], Sampling(temperature=0.1, seed=seed), None, frozenset())
        one.begin([1])
        one.choose(logits)
        first += one.written == [0]
    assert first > 280  # (0.5 / 0.3) ** 10 is 165
