"""What parties that ask a language model have in common."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from inspect import signature
from typing import Any, TypeAlias

import attrs

from genius_py import registry
from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.errors import GeniusError, OptionError, PartyFailure, UnknownName
from genius_py.fault import Fault
from genius_py.llm import prompt, prompt_files
from genius_py.llm.leaks import leaks
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.request import Completion, Sampling
from genius_py.llm.shared_models import SharedModel
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocol import MultilateralProtocol
from genius_py.session import Answer, Reply, Seat, Turn

__all__ = ["MESSAGE_LENGTH", "HybridParty", "ModelParty", "Outcome", "usual_party"]

MESSAGE_LENGTH = 200
"""Characters of a message that a model is asked for."""

Outcome: TypeAlias = Reply | Action | Exception
"""What comes of a turn: what the party does, or why it fails."""


class ModelParty(NegotiationParty):
    """Asks a language model, together with all other parties that ask the same one.

    Args:
        model: a packaged model, a folder, a GGUF file, ``owner/name``, ``http://host/v1#name``,
            or ``dice``.
        style: how to negotiate: a preset, or a path to a text file.
        persona: who the party is, likewise.
        turns: how much of the history is shown, at most.
        temperature: 0 for the likeliest reply, higher for variety, which depends on the seed. Dice
            are thrown at any.
        top_p: share of the probability that is drawn from.
        cache: a file in which replies are kept and looked up.
        replay_only: take replies from the cache alone; one that is not there fails the session.
        engine_options: how the model is run (see `ModelSpec`): ``engine``, ``device``, ``dtype``,
            ``batch``, ``threads``, ``dialect``, ``api_key``, ``concurrency``, ``timeout``.

    Raises:
        OptionError: an option is unknown or has an impossible value, or a package is missing.
        UnknownName: there is no such model, style or persona.
    """

    def __init__(
        self,
        model: str,
        style: str,
        persona: str,
        turns: int,
        temperature: float,
        top_p: float,
        cache: str,
        replay_only: bool,
        engine_options: Mapping[str, Any],
    ) -> None:
        if turns < 0:
            raise OptionError(f"turns is 0 or more, not {turns!r}.")
        spec = ModelSpec(str(model), **self._known(engine_options))
        self.model = SharedModel(spec, str(cache), bool(replay_only))
        self.model.require()
        # Nothing that dice may say is likelier than the rest.
        thrown = temperature or (1.0 if spec.is_chance else 0.0)
        self.sampling = Sampling(temperature=thrown, top_p=top_p)
        self.turns = turns
        self.counts: dict[str, int] = {}
        """What has happened so far, for the notes at the end."""
        self._style = prompt_files.preset("styles", style)
        self._persona = prompt_files.preset("personas", persona) if persona else ""

    def _known(self, engine_options: Mapping[str, Any]) -> Mapping[str, Any]:
        of_the_party = [name for name in signature(type(self)).parameters if "options" not in name]
        of_the_engine = [field.name for field in attrs.fields(ModelSpec) if field.name != "source"]
        known = [*of_the_party, *of_the_engine]
        for option in engine_options:
            if option not in of_the_engine:
                near = difflib.get_close_matches(option, known, n=1)
                hint = f"did you mean {near[0]!r}? Its" if near else "its"
                raise OptionError(
                    f"{self.name!r} has no option {option!r}; {hint} options are: "
                    f"{', '.join(known)}."
                )
        return engine_options

    def init(self, info: NegotiationInfo) -> None:
        """Get ready; the model is loaded with the first turn."""
        super().init(info)
        # By the party's own seed, so that two sessions draw differently and each can be repeated.
        self.sampling = attrs.evolve(self.sampling, seed=info.seed)

    @cached_property
    def system_prompt(self) -> str:
        """What the model is told in every turn."""
        return prompt.system_prompt(self.info, self._style, self._persona)

    @property
    def batch_key(self) -> Hashable:
        """One batch for everybody who asks the same model."""
        return self.model

    def count(self, what: str, by: int = 1) -> None:
        """Add to a count; one that stays 0 is left out."""
        if by:
            self.counts[what] = self.counts.get(what, 0) + by

    def count_reply(self, reply: Completion) -> None:
        """Add a reply and its tokens."""
        self.count("replies")
        self.count("prompt_tokens", reply.prompt_tokens)
        self.count("new_tokens", reply.new_tokens)

    def leaks_in(self, message: str, action: Action) -> list[str]:
        """The numbers in a message that tell the own reservation value, which are counted."""
        found = leaks(message, self.utility_space)
        if found:
            seen = {number for said in (action, *self._heard()) for number in _numbers(said)}
            found = leaks(message, self.utility_space, seen)
        if found:
            self.count("leaks")
        return found

    def _heard(self) -> Iterator[Action]:
        return (event.action for event in self.info.history if event.action is not None)

    def negotiation_ended(self, agreement: Bid | None) -> Mapping[str, object] | None:
        """Note what happened over the session: ``{"llm": {"model": name, "turns": n, ...}}``.

        What never happened is not in it. `genius_py.model_counts` says what is counted.
        """
        return {"llm": {"model": self.model.name, **self.counts}}

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """One turn, as a batch of one."""
        (outcome,) = self.outcomes([(self, Turn(Seat(self.id), allowed))])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    @classmethod
    def choose_actions(cls, asked: Sequence[tuple[Any, Turn]]) -> list[Answer]:
        """Many turns, as one batch."""
        return [
            _fault(party, outcome) if isinstance(outcome, Exception) else outcome
            for (party, _), outcome in zip(asked, cls.outcomes(asked), strict=True)
        ]

    @classmethod
    def outcomes(cls, asked: Sequence[tuple[Any, Turn]]) -> list[Outcome]:
        """What comes of each turn: what the party does, or why it fails."""
        raise NotImplementedError


class HybridParty(ModelParty):
    """A classical strategy, and a language model beside it.

    Args:
        strategy: the party that decides; ``auto``: the one that the protocol seats where nobody
            is named.
        others: as of `ModelParty`.
    """

    _strategy: NegotiationParty

    def __init__(self, strategy: str, *others: Any) -> None:
        super().__init__(*others)
        self._is_usual = strategy == "auto"
        if not self._is_usual:
            self._strategy = registry.make("party", strategy)

    def init(self, info: NegotiationInfo) -> None:
        """Get ready, the strategy too."""
        super().init(info)
        if self._is_usual:
            self._strategy = registry.make("party", usual_party(info.protocol))
        self._strategy.init(info)

    def receive_message(self, sender: str | None, action: Action) -> None:
        """The strategy hears it; the history has it for the model."""
        self._strategy.receive_message(sender, action)

    def decide(self, turn: Turn) -> Reply | Exception:
        """What the strategy does, or how it fails: that must not spoil the batch of others."""
        self.count("turns")
        try:
            answer = self._strategy.choose_action(turn.allowed)
        except Exception as error:
            return error
        return answer if isinstance(answer, Reply) else Reply(answer)


def usual_party(protocol: str) -> str:
    """The party that a protocol seats where nobody is named: one that can play it."""
    try:
        usual: str = registry.find("protocol", protocol).default_parties[0]
    except UnknownName:  # a class from a file is not found by its name
        usual = MultilateralProtocol.default_parties[0]
    return usual


def _numbers(action: Action) -> Iterator[float]:
    for part in attrs.astuple(action, recurse=False):
        for value in part.values() if isinstance(part, Bid) else (part,):
            if isinstance(value, int | float):
                yield float(value)


def _fault(party: NegotiationParty, error: Exception) -> Fault:
    # In the words in which the engine tells of what a party raises when it is asked alone.
    known = isinstance(error, GeniusError)
    text = str(error) if known else f"{type(error).__name__}: {error}"
    return Fault(party.id, f"raised {text.strip()}", fatal=isinstance(error, PartyFailure))
