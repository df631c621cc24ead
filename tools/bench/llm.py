"""Turns of a language model per CPU second: naive, in batches, with shared prefixes, in bf16.

The turns are the second ones of sessions of SAOP, each with another history; the model is
smollm2, greedy, on one thread. Naive is transformers' own `generate`, one prompt after the other,
kept to the same schemas token by token. Then whole sessions are played in lockstep, and what they
take besides the model is told.

    python tools/bench/llm.py [--domain company_car] [--turns 32] [--naive 8] [--sessions 64]

CPU time is counted, so that a busy machine disturbs little.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from genius_py.llm import (
    Completion,
    ModelSpec,
    Request,
    Sampling,
    shared_models,
    transformers_backend,
)
from genius_py.llm.options import DType
from genius_py.llm.transformers_backend import TransformersBackend
from genius_py.lockstep import lockstep
from genius_py.manager import SessionManager, run
from genius_py.parties.llm import LLMParty
from genius_py.seating import plan_session
from genius_py.session import Turn

LONGEST = 200
"""Tokens that a reply may have."""

Ask = Callable[[Sequence[Request]], Sequence[Any]]


def second_turns(domain: str, number: int) -> list[Request]:
    """What a party asks in the second round of so many sessions that differ by then."""
    seen: list[Request] = []

    class Observed(LLMParty):
        """Plays by dice, and tells what it asks."""

        @classmethod
        def outcomes(cls, asked: Sequence[tuple[Any, Turn]]) -> list[Any]:
            seen.extend(party._begin(turn).request for party, turn in asked)
            return super().outcomes(asked)

    def observed() -> Observed:
        return Observed("dice", temperature=1, talk=True)

    found: dict[tuple[object, ...], Request] = {}
    seed = 0
    while len(found) < number:
        seen.clear()
        run("SAOP", domain, parties=[observed, "hardliner"], deadline=3, seed=seed)
        for request in seen[1:2]:
            greedy = attrs.evolve(request, sampling=Sampling(max_tokens=LONGEST))
            found[greedy.messages] = greedy
        seed += 1
    return list(found.values())


def loaded(dtype: DType = "fp32") -> TransformersBackend:
    """The model on one thread."""
    backend = ModelSpec("smollm2", dtype=dtype, threads=1).load()
    assert isinstance(backend, TransformersBackend)
    return backend


def naive(backend: TransformersBackend) -> Ask:
    """What transformers does by itself."""
    import numpy as np
    import torch
    from transformers import LogitsProcessor

    class Kept(LogitsProcessor):
        """Leaves only those tokens that a schema allows."""

        def __init__(self, schema: str, prompt: int) -> None:
            self.matcher = backend._constraint.matcher(schema)
            self.prompt = prompt

        def __call__(self, tokens: Any, scores: Any) -> Any:
            if tokens.shape[1] > self.prompt:
                self.matcher.consume(int(tokens[0, -1]))
            done = self.matcher.is_done
            allowed = np.array(sorted(backend._end)) if done else self.matcher.allowed()
            kept = torch.full_like(scores, float("-inf"))
            kept[0, allowed] = scores[0, allowed]
            return kept

    def ask(requests: Sequence[Request]) -> list[Completion]:
        replies = []
        for request in requests:
            prompt = torch.tensor([backend._prompt(0, request).tokens])
            length = prompt.shape[1]
            made = backend._model.generate(
                prompt,
                attention_mask=torch.ones_like(prompt),
                max_new_tokens=LONGEST,
                do_sample=False,
                logits_processor=[Kept(request.schema, length)],
                pad_token_id=min(backend._end),
            )[0, length:]
            text = backend._tokenizer.decode(made, skip_special_tokens=True)
            replies.append(Completion(text, length, len(made)))
        return replies

    return ask


def measured(name: str, ask: Ask, requests: Sequence[Request]) -> tuple[float, list[str]]:
    """CPU seconds a turn, and the replies; printed at once."""
    began = time.process_time()
    replies = ask(requests)
    spent = (time.process_time() - began) / len(requests)
    texts = [reply.text for reply in replies]
    prompt = sum(reply.prompt_tokens for reply in replies) / len(replies)
    new = sum(reply.new_tokens for reply in replies) / len(replies)
    print(
        f"{name:36}{1 / spent:6.2f} turns a CPU s, {spent:5.2f} CPU s a turn "
        f"({len(texts)} turns of {prompt:.0f} + {new:.0f} tokens)",
        flush=True,
    )
    return spent, texts


def compare_ways(domain: str, turns: int, slow_turns: int) -> None:
    """Print what each way of asking the same takes."""
    requests = second_turns(domain, turns)
    backend = loaded()
    shared = backend._model.config._attn_implementation
    backend._model.set_attn_implementation("sdpa")
    slow, first = measured("naive, one at a time", naive(backend), requests[:slow_turns])
    backend._model.set_attn_implementation(shared)

    shortest = transformers_backend._SHORTEST_PREFIX
    transformers_backend._SHORTEST_PREFIX = 1 << 30  # none is as long
    _, second = measured("batches of 32", backend.complete, requests)
    transformers_backend._SHORTEST_PREFIX = shortest
    fast, third = measured("batches of 32, shared prefix", backend.complete, requests)
    backend.close()
    for name, other in {"without the prefix": second, "naive": first}.items():
        same = sum(one == two for one, two in zip(other, third, strict=False))
        print(f"  {same} of {len(other)} replies are the same {name}")
    half = loaded("bf16")
    faster, _ = measured("batches of 32, shared prefix, bf16", half.complete, requests)
    half.close()
    print(f"times naive: {slow / fast:.1f} in fp32, {slow / faster:.1f} in bf16")


def measure_scheduler(domain: str, sessions: int) -> None:
    """Play whole sessions, and print what they take outside the model's arithmetic."""
    inside = {"complete": 0.0, "forward": 0.0}

    def watched(name: str) -> Callable[..., Any]:
        usual = getattr(TransformersBackend, name)

        def timed(*arguments: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return usual(*arguments, **named)
            finally:
                inside[name] += time.process_time() - began

        return timed

    spec = "llm:model=smollm2,threads=1,talk=true,turns=4,temperature=1"
    shared_models.SharedModel(ModelSpec("smollm2", threads=1)).complete(second_turns(domain, 1))
    plans = [
        plan_session(
            "SAOP", domain, parties=[spec, f"boulware:e={0.1 + seed / 50}"], deadline=2, seed=seed
        )
        for seed in range(sessions)
    ]
    for name in inside:
        setattr(TransformersBackend, name, watched(name))
    began = time.process_time()
    outcomes = lockstep(SessionManager(*plan) for plan in plans)
    whole = time.process_time() - began
    turns = sum(
        action.party == outcome.plan.seats[0].id
        for outcome in outcomes
        for action in outcome.log.actions
    )
    assert not any(outcome.faults for outcome in outcomes)
    print(f"{sessions} sessions in lockstep: {whole:.1f} CPU s for {turns} turns of the model")
    for name, spent in {
        "the model's arithmetic": (model := inside["forward"]),
        "tokens, masks, schemas, choices": inside["complete"] - model,
        "sessions, prompts, reading replies": whole - inside["complete"],
    }.items():
        print(f"  {name:36}{spent:8.2f} s {spent / model:8.1%}")


def main() -> None:
    """Print all figures."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--domain", default="company_car")
    arguments.add_argument("--turns", type=int, default=32)
    arguments.add_argument("--naive", type=int, default=8, help="Turns asked one by one.")
    arguments.add_argument("--sessions", type=int, default=64)
    options = arguments.parse_args()
    compare_ways(options.domain, options.turns, options.naive)
    if options.sessions:
        measure_scheduler(options.domain, options.sessions)


if __name__ == "__main__":
    main()
