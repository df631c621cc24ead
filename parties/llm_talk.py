"""A classical strategy that decides, and a language model that speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import attrs

from genius_py.errors import ActionError, ModelFailure
from genius_py.llm import prompt, prompt_files
from genius_py.llm.history_text import deed_text
from genius_py.llm.reply_field import TextField
from genius_py.llm.reply_form import ReplyForm
from genius_py.llm.request import Answer as ModelAnswer
from genius_py.llm.request import Message, Request
from genius_py.parties.model_party import MESSAGE_LENGTH, HybridParty, Outcome
from genius_py.session import Reply, Turn

__all__ = ["LLMTalk"]

_MESSAGE = TextField(MESSAGE_LENGTH, "the message")


class LLMTalk(HybridParty):
    """Does what a classical strategy does, and lets a language model say something with it.

    It shows what words do, since its moves without them are known. A message that cannot be read
    is left out, which is noted; the strategy's move never depends on it.

    Args:
        strategy: the party that decides; ``auto``: the one that the protocol seats by default.
        model, style, persona, turns, temperature, top_p, cache, replay_only, engine_options: as
            of the party ``llm``.

    Raises: as ``llm``.
    """

    name: ClassVar[str] = "llm-talk"

    def __init__(
        self,
        strategy: str = "auto",
        model: str = "smollm2",
        style: str = "bare",
        persona: str = "",
        turns: int = 12,
        temperature: float = 0.0,
        top_p: float = 1.0,
        cache: str = "",
        replay_only: bool = False,
        **engine_options: Any,
    ) -> None:
        super().__init__(
            strategy,
            *(model, style, persona, turns, temperature, top_p),
            *(cache, replay_only, engine_options),
        )
        self._form = ReplyForm((), after={"message": _MESSAGE})

    @classmethod
    def outcomes(cls, asked: Sequence[tuple[Any, Turn]]) -> list[Outcome]:
        """The strategies decide one by one; the messages come from one batch."""
        moves = [party.decide(turn) for party, turn in asked]
        speaking = [
            (party, move)
            for (party, _), move in zip(asked, moves, strict=True)
            if isinstance(move, Reply)
        ]
        requests = [party._request(move) for party, move in speaking]
        answers = iter(speaking[0][0].model.complete(requests) if speaking else ())
        return [
            party._said(move, next(answers)) if isinstance(move, Reply) else move
            for (party, _), move in zip(asked, moves, strict=True)
        ]

    def _request(self, move: Reply) -> Request:
        asking = prompt_files.fill(
            "talk",
            history=prompt.past(self.info, self.turns),
            time=prompt.now(self.info),
            party=self.id,
            move=deed_text(move.action, self.utility_space),
            shape=prompt.shape(self._form),
        )
        sampling = attrs.evolve(self.sampling, max_tokens=self._form.longest)
        return Request(
            [Message("system", self.system_prompt), Message("user", asking)],
            self._form.schema,
            sampling,
        )

    def _said(self, move: Reply, answer: ModelAnswer) -> Outcome:
        if isinstance(answer, ModelFailure):
            return answer
        self.count_reply(answer)
        notes: dict[str, object] = {**move.notes, "reply": answer.text}
        try:
            message = self._form.read(answer.text)["message"]
        except ActionError as error:
            message, notes["unread"] = "", str(error)
        if not isinstance(message, str) or _MESSAGE.is_copied(message):
            message, notes["unread"] = "", f"the message was {message!r}"
        if "unread" in notes:
            self.count("unreadable")
        said = message[:MESSAGE_LENGTH]
        if told := self.leaks_in(said, move.action):
            notes["leaks"] = told
        return Reply(move.action, message=said, notes=notes)
