"""Requests, and by what a cache finds their answers."""

import attrs
import pytest

from genius_py.errors import OptionError
from genius_py.llm.request import Message, Request, Sampling

ASKED = Request([Message("system", "You sell."), Message("user", "Offer.")], '{"type": "object"}')


def test_everything_that_decides_a_reply_is_in_its_key() -> None:
    drawn = attrs.evolve(ASKED, sampling=Sampling(temperature=1.0))
    others = [
        attrs.evolve(ASKED, messages=ASKED.messages[:1]),
        attrs.evolve(ASKED, messages=[Message("user", "You sell."), ASKED.messages[1]]),
        attrs.evolve(ASKED, schema=""),
        attrs.evolve(ASKED, sampling=Sampling(max_tokens=7)),
        drawn,
        attrs.evolve(drawn, sampling=Sampling(temperature=0.5)),
        attrs.evolve(drawn, sampling=Sampling(temperature=1.0, seed=1)),
        attrs.evolve(drawn, sampling=Sampling(temperature=1.0, top_p=0.9)),
    ]
    keys = {request.key("weights 1") for request in (ASKED, *others)} | {ASKED.key("weights 2")}
    assert len(keys) == len(others) + 2


def test_the_likeliest_reply_is_the_same_for_every_seed() -> None:
    seeded = attrs.evolve(ASKED, sampling=Sampling(seed=7))
    assert seeded.key("it") == ASKED.key("it")


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": -0.1},
        {"temperature": float("inf")},
        {"top_p": 0.0},
        {"top_p": 1.1},
        {"max_tokens": 0},
    ],
)
def test_impossible_sampling_is_an_error(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Sampling(**wrong)  # type: ignore[arg-type]
