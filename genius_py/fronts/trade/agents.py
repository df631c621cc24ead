"""Who plays the game: language models, and every party of the engine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from genius_py.action import Pass, Say
from genius_py.allowed import Allowed, Constraint
from genius_py.errors import ModelFailure, PartyFailure
from genius_py.fronts.platform.models import Model, ModelSource, model_of
from genius_py.fronts.trade.actions import TradeError, name_of, read_action
from genius_py.fronts.trade.replies import read_reply, reply_schema
from genius_py.llm import Message, ModelSpec, Request, Sampling
from genius_py.llm.quotation import without_marks
from genius_py.llm.shared_models import SharedModel
from genius_py.party import NegotiationParty
from genius_py.party_source import PartySource
from genius_py.session import Reply

if TYPE_CHECKING:
    from genius_py.fronts.trade.game import BilateralTradeGame

__all__ = ["Agent", "AgentParty", "LangChainNegotiationAgent", "PartyAgent"]

_FORM = """\
Reply with one JSON object and nothing else:
{"action": "<one of the possible actions>", "payload": {...}, "message": "<optional>"}
A message is heard by all who hear of the action. To talk without acting, reply with the action
"message_only", an empty payload and your message; "to": ["<agent id>"] makes it private."""

_SERVERS: Mapping[str, tuple[str, str]] = {
    "anthropic": ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "ollama": ("http://localhost:11434/v1", ""),
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
}
"""Providers whose models are asked over HTTP, and the environment variable that holds the key."""

_LONGEST_REPLY = 1000
"""Tokens; a deliverable has to fit in."""


class Agent(Protocol):
    """Whoever has an id and decides: it is shown the state and replies with an action.

    `observation` has ``state`` (what the agent sees), ``allowed_actions`` (name -> what each entry
    of its payload must be), ``schema`` (the JSON schema of a reply, as text) and ``refusal`` (why
    its last reply did not count, or empty). The reply is a mapping with ``action``, ``payload``,
    ``message`` and ``to``, or a text with one as JSON.
    """

    @property
    def agent_id(self) -> str:
        """Its id in the match."""
        ...

    def act(self, observation: Mapping[str, Any]) -> str | Mapping[str, Any]:
        """What to do now."""
        ...


@attrs.frozen
class LangChainNegotiationAgent:
    """A language model with a role prompt.

    `model` is the name of a model that `provider` serves ("openai", "anthropic", "ollama", or a
    server's URL), or without a provider whatever ``llm:model=`` takes. It may also be anything
    that takes a prompt and replies, or an id of `models`: a mapping to such callables, or a
    manager with ``get_response(prompt, model_id)``.

    Where the model's engine can, its replies are kept to what is allowed.
    """

    agent_id: str
    provider: str = ""
    model: str | Model = ""
    system_prompt: str = ""
    models: Mapping[str, Model] | ModelSource | None = attrs.field(default=None, repr=False)

    def act(self, observation: Mapping[str, Any]) -> str | Mapping[str, Any]:
        """The model's reply.

        Raises:
            UnknownName: there is no such model.
            ModelFailure: the model cannot be asked.
        """
        prompt = self.prompt(observation)
        if callable(self.model) or self.models is not None:
            parts = [part for part in (self.system_prompt, prompt) if part]
            return model_of(self.models, self.model)("\n\n".join(parts))
        messages = [Message("user", prompt)]
        if self.system_prompt:
            messages.insert(0, Message("system", self.system_prompt))
        sampling = Sampling(max_tokens=_LONGEST_REPLY)
        request = Request(messages, observation["schema"], sampling)
        (answer,) = self.shared_model.complete([request])
        if isinstance(answer, ModelFailure):
            raise answer
        return answer.text

    @property
    def shared_model(self) -> SharedModel:
        """The model of genius-py that a name stands for."""
        name = str(self.model)
        if self.provider.startswith(("http://", "https://")):
            return SharedModel(ModelSpec(f"{self.provider}#{name}"))
        if self.provider in _SERVERS:
            url, key = _SERVERS[self.provider]
            return SharedModel(ModelSpec(f"{url}#{name}", api_key=key))
        return SharedModel(ModelSpec(name))

    def prompt(self, observation: Mapping[str, Any]) -> str:
        """State, choices and how to reply."""
        # Not as JSON: what stands in the place of a value is copied as one.
        possible = "\n".join(
            " ".join([f"- {name}", *(f"({entry}: {rule})" for entry, rule in payload.items())])
            for name, payload in observation["allowed_actions"].items()
        )
        state = without_marks(json.dumps(observation["state"], ensure_ascii=False, indent=1))
        refusal = observation["refusal"]
        parts = (
            f"You are the agent {self.agent_id}. The trade as you see it:\n{state}",
            f"Possible actions and their payloads:\n{possible}",
            f"Your last reply did not count: {refusal}" if refusal else "",
            _FORM,
        )
        return "\n\n".join(part for part in parts if part)


@attrs.frozen
class PartyAgent:
    """A party of the engine as an agent: a spec such as ``trader:e=0.2``, a class or a factory."""

    agent_id: str
    party: PartySource = "trader"


class AgentParty(NegotiationParty):
    """An agent at the engine's table.

    A reply that names no action that could be meant here is asked for once more, with the reason;
    after that the turn is passed, or lost where it cannot be. Any other illegal action loses the
    turn at once. An agent that raises fails the match.
    """

    def __init__(self, game: BilateralTradeGame, agent: Agent) -> None:
        self.game = game
        self.agent = agent

    def choose_action(self, allowed: Allowed) -> Reply:
        """What the agent wants to do, as an action of the engine; its replies become notes."""
        replies: list[object] = []
        refusal = allowed.refusal
        for _ in range(2):
            reply = self._ask(allowed, refusal)
            replies.append(reply)
            try:
                return self._read(reply, allowed, replies)
            except TradeError as error:
                if error.code != "invalid_action_type":
                    raise
                refusal = error.detail
        if Pass in allowed:
            return Reply(Pass(self.id), notes={"replies": replies})
        raise TradeError("invalid_action_type", refusal)

    def _ask(self, allowed: Allowed, refusal: str) -> str | Mapping[str, Any]:
        observation = {
            "state": self.game.visible_state(self.id, self.info.seats, self.info.history),
            "allowed_actions": {
                name_of(kind): {} if kind is Say else _shown(allowed.choices(kind))
                for kind in allowed
            },
            "schema": reply_schema(allowed),
            "refusal": refusal,
        }
        try:
            return self.agent.act(observation)
        except Exception as error:
            # Not a bad move: there is no mind that could be asked again.
            raise PartyFailure(
                f"the agent {self.id} failed: {type(error).__name__}: {error}"
            ) from error

    def _read(
        self, reply: str | Mapping[str, Any], allowed: Allowed, replies: Sequence[object]
    ) -> Reply:
        decision = read_reply(reply)
        view = self.game.view(self.info.seats, self.info.history)
        action = read_action(
            self.id,
            decision.action,
            decision.payload,
            allowed,
            view.phase,
            message=decision.message,
            to=decision.to,
        )
        talk = "" if isinstance(action, Say) else decision.message
        return Reply(action, message=talk, notes={"replies": list(replies)})


def _shown(choices: Mapping[str, Constraint]) -> dict[str, str]:
    return {field: str(rule) for field, rule in choices.items()}
