"""The packaged model itself: it chats, plays every game legally, and can be repeated."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from genius_py import registry
from genius_py.cli import main
from genius_py.fronts.platform import GameEngine
from genius_py.fronts.platform.offer_game import OfferGame
from genius_py.llm import ModelSpec, shared_models
from genius_py.llm.model_store import PackagedModel
from genius_py.llm.plain_backends import Dice
from genius_py.llm.request import Answer, Completion, Message, Request, Sampling
from genius_py.lockstep import lockstep
from genius_py.log import Kind
from genius_py.manager import SessionManager, run
from genius_py.outcome import Outcome
from genius_py.scenario import Scenario
from genius_py.seating import plan_session
from genius_py.testing.homes import home_scenarios
from genius_py.testing.scenarios import discrete_scenario
from genius_py.trace import read_log

pytestmark = pytest.mark.usefixtures("smollm2")

MODEL = ModelSpec("smollm2", threads=1)
SPEC = "llm:model=smollm2,threads=1,turns=1,fallback=none,temperature=1"


@pytest.fixture(scope="module", autouse=True)
def one_model() -> Iterator[None]:
    """Loaded by the first test that needs it, and unloaded after the last."""
    shared_models.close_all()
    yield
    shared_models.close_all()


def complete(requests: Sequence[Request]) -> list[Answer]:
    return shared_models.SharedModel(MODEL).complete(requests)


def asked_by_parties(monkeypatch: pytest.MonkeyPatch, number: int) -> list[Request]:
    """What parties in the middle of sessions ask, each with another history."""
    asked: list[Request] = []

    class Listening(Dice):
        def complete(self, requests: Sequence[Request]) -> list[Answer]:
            asked.extend(requests)
            return super().complete(requests)

    with monkeypatch.context() as patched:
        patched.setattr("genius_py.llm.model_spec.Dice", Listening)
        shared_models.close_all()
        for seed in range(number):
            spec = "llm:model=dice,temperature=1"
            run("SAOP", "festival_booking", parties=[spec, "hardliner"], deadline=2, seed=seed)
    return asked[:number]


def test_it_chats() -> None:
    question = Request(
        [Message("user", "What is the capital of France?")], sampling=Sampling(max_tokens=30)
    )
    (answer,) = complete([question])
    assert isinstance(answer, Completion)
    assert "Paris" in answer.text
    assert answer.is_whole


def test_batches_and_shared_prefixes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from genius_py.llm.transformers_backend import TransformersBackend

    requests = asked_by_parties(monkeypatch, 6)
    greedy = Sampling(max_tokens=200)
    drawn = attrs.evolve(greedy, temperature=1.0, seed=5)
    requests = [
        attrs.evolve(request, sampling=drawn if place % 3 == 2 else greedy)
        for place, request in enumerate(requests)
    ]
    together = complete(requests)
    assert len({answer.text for answer in together if isinstance(answer, Completion)}) > 1
    plain = MODEL.load()
    assert isinstance(plain, TransformersBackend)
    assert plain.shares_prefixes
    plain.shares_prefixes = False
    plain._model.set_attn_implementation("sdpa")
    alone = [plain.complete([request])[0] for request in requests]
    plain.close()
    assert alone == together


@attrs.frozen(eq=False)
class Game:
    """Rules and what they are about; at least so many replies of the model are to be seen."""

    name: str
    protocol: str
    scenario: Scenario
    replies: int = 8

    def session(self, seed: int) -> SessionManager:
        """The model has all seats, so that it plays every role; it draws its replies."""
        least = registry.class_of("protocol", self.protocol).parties_range
        parties = [SPEC] * max(least[0], len(self.scenario.profiles))
        plan, makers = plan_session(
            self.protocol, self.scenario, parties=parties, deadline=2, seed=seed
        )
        return SessionManager(plan, makers)


def games() -> Iterator[Game]:
    """Every registered protocol with anything to do in it, and the games of the platform."""
    for name, rules in registry.names("protocol").items():
        if rules.actions:
            scenario = (*home_scenarios(name), discrete_scenario())[0]
            yield Game(name, name, scenario, 24 if name == "alternating_offers" else 8)
    engine = GameEngine()
    for name in engine.get_available_games():
        game = engine.create_game(name, {})
        assert isinstance(game, OfferGame)
        game.initialize_game(["x", "y"])
        yield Game(name, game.protocol_spec, game.scenario)


def replies_in(outcome: Outcome) -> int:
    """How many replies a session had, none of which was refused."""
    assert not outcome.faults, str(outcome.faults[0])[:500]
    notes: list[Any] = [event.detail for event in outcome.log if event.kind == Kind.NOTE]
    assert not [note for note in notes if "refused" in note]
    return sum("reply" in note for note in notes)


# In parts, for the model remembers only so many beginnings of prompts.
@pytest.mark.parametrize("part", [0, 1])
def test_whatever_it_draws_is_legal_in_every_game(part: int) -> None:
    missing = {game: game.replies for game in list(games())[part::2]}
    for seed in range(12):
        # Every protocol and domain in the same batches; sessions that begin alike cost little.
        seats = [
            (game, 100 * seed + number)
            for game, replies in missing.items()
            for number in range(-(-replies // 4))
        ]
        outcomes = lockstep(game.session(number) for game, number in seats)
        for (game, _), outcome in zip(seats, outcomes, strict=True):
            missing[game] -= replies_in(outcome)
    assert {game.name for game, replies in missing.items() if replies > 0} == set()


REPLAY = """
import sys
from genius_py.cli import main

main(sys.argv[1:], standalone_mode=False)
assert not {"torch", "transformers", "llguidance"} & set(sys.modules)
"""


def test_a_whole_session_is_replayed_to_the_same_bytes_without_torch(tmp_path: Path) -> None:
    def arguments(log: str, options: str = "") -> list[str]:
        cache = tmp_path / "replies.sqlite"
        spec = f"llm:model=smollm2,threads=1,turns=4,talk=true,cache={cache}{options}"
        parties = ["--party", "boulware", "--party", spec]
        game = ["run", "--protocol", "SAOP", "--domain", "company_car", "--seed", "1"]
        return [*game, *parties, "--deadline", "6rounds", "--log", str(tmp_path / log)]

    def replay(*arguments: str) -> None:
        subprocess.run([sys.executable, "-c", REPLAY, *arguments], capture_output=True, check=True)

    main(arguments("played.jsonl"), standalone_mode=False)
    played = (tmp_path / "played.jsonl").read_bytes()
    log = read_log(tmp_path / "played.jsonl").log
    actions = [action for action in log.actions if action.party == "seller"]
    assert any(action.message for action in actions)
    replay(*arguments("again.jsonl"))
    assert (tmp_path / "again.jsonl").read_bytes() == played
    # What is said of the party is another thing now; what it did is not.
    replay(*arguments("replayed.jsonl", ",replay_only=true"))
    said, meant = played.splitlines()[1:-1], (tmp_path / "replayed.jsonl").read_bytes()
    assert meant.splitlines()[1:-1] == said


def test_llama_cpp_plays_from_the_same_package() -> None:
    outcome = run(
        "SAOP", "company_car", parties=[f"{SPEC},engine=llamacpp", "hardliner"], deadline=2, seed=1
    )
    assert replies_in(outcome) >= 1


def test_a_llama_cpp_server_is_asked_over_http(smollm2: PackagedModel) -> None:
    from genius_py.llm.llama_cpp_backend import LlamaCppBackend
    from genius_py.llm.remote_backend import RemoteBackend

    local = LlamaCppBackend(smollm2.gguf, threads=1, context=2048)
    with urllib.request.urlopen(f"{local.address}/v1/models") as listed:
        assert json.load(listed)["data"]
    # As a person would: the address is all that is given.
    spec = f"llm:model={local.address}/v1,turns=1,fallback=none"
    outcome = run("SAOP", "company_car", parties=[spec, "hardliner"], deadline=2, seed=1)
    assert replies_in(outcome) >= 1
    remote = RemoteBackend(f"{local.address}/v1")
    assert remote.dialect == "json_schema"
    question = Request([Message("user", "Write a haiku.")], sampling=Sampling(max_tokens=16))
    assert remote.complete([question]) == local.complete([question])
    local.close()
