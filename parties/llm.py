"""A language model at the table, whatever the protocol, with replies that are always legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import attrs

from genius_py import registry
from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ActionError, ModelFailure, OptionError, PartyFailure
from genius_py.llm import prompt, prompt_files
from genius_py.llm.belief import belief_fields, belief_of
from genius_py.llm.floor import bids_worth
from genius_py.llm.reply_field import BidField, Field, TextField
from genius_py.llm.reply_form import ReplyForm, form_of
from genius_py.llm.request import Answer, Message, Request, Sampling
from genius_py.parties.model_party import MESSAGE_LENGTH, ModelParty, Outcome, usual_party
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.session import Reply, Turn

__all__ = ["LLMParty"]

_MESSAGE = TextField(MESSAGE_LENGTH, "the message")

_LONGEST_KEPT = 50_000
"""Characters of a reply that are logged, and shown again to a model that has to reply once more."""

_PROSE = 200
"""Tokens more that a model may use which nothing keeps to the form."""


@attrs.define(eq=False)
class _Try:
    """One turn on its way down the ladder: a reply, one more, the fallback."""

    party: LLMParty
    turn: Turn
    form: ReplyForm
    messages: list[Message]
    refused: list[dict[str, str]] = attrs.field(factory=list)
    outcome: Outcome | None = None

    @property
    def request(self) -> Request:
        return Request(self.messages, self.party.schema_of(self.form), self.party.length(self.form))

    def take(self, answer: Answer) -> None:
        """Read a reply; what is wrong with it is added to the chat."""
        if isinstance(answer, ModelFailure):
            self.outcome = answer
            return
        self.party.count_reply(answer)
        status = "unreadable"
        try:
            reply = self.form.read(answer.text)
            status = "illegal"
            self.outcome = self.party.act(answer.text, reply, self)
        except ActionError as error:
            self.party.count(status)
            said = _kept(answer.text)
            self.refused.append({"reply": said, "why": str(error), "status": status})
            self.messages += [
                Message("assistant", said or "(nothing)"),
                Message("user", prompt_files.fill("again", reason=str(error))),
            ]
        except Exception as error:  # of a profile or a rule of somebody's own
            self.outcome = error


class LLMParty(ModelParty):
    """A language model decides every turn, in any protocol; what it does is always legal.

    The prompt is made from the profile, the visible history and what the turn allows. The reply
    is one JSON object. Where the engine can, it is kept to what is allowed token by token; in any
    case it is checked, asked for once more with the reason when it does not count, and then a
    classical party plays the turn. Every step of this is in the log. A model that cannot be asked
    fails the session.

    Args:
        model: a packaged model, a folder, a GGUF file, ``owner/name``, ``http://host/v1#name``,
            or ``dice``.
        style: how to negotiate: a preset, or a path to a text file.
        persona: who the party is, likewise.
        talk: say something with each action.
        reasoning: characters of private thought before each action; 0 for none.
        belief: state before each action what the others seem to want, to be scored later.
        floor: offer and accept nothing that is worth less than the reservation value.
        fallback: the party that plays a turn when two replies did not count; ``auto``: the one
            that the protocol seats where nobody is named; ``none`` makes such a turn a fault.
        turns: how much of the history is shown, at most.
        temperature: 0 for the likeliest reply, higher for variety, which depends on the seed.
        top_p: share of the probability that is drawn from.
        constrained: keep the reply to what is allowed while it is written; else it is only
            checked.
        cache: a file in which replies are kept and looked up.
        replay_only: take replies from the cache alone; one that is not there fails the session.
        engine_options: how the model is run (see `ModelSpec`): ``engine``, ``device``, ``dtype``,
            ``batch``, ``threads``, ``dialect``, ``api_key``, ``concurrency``, ``timeout``.

    Raises:
        OptionError: an option is unknown or has an impossible value, or a package is missing.
        UnknownName: there is no such model, style, persona or fallback.
    """

    name: ClassVar[str] = "llm"

    def __init__(
        self,
        model: str = "smollm2",
        style: str = "bare",
        persona: str = "",
        talk: bool = False,
        reasoning: int = 0,
        belief: bool = False,
        floor: bool = False,
        fallback: str | None = "auto",
        turns: int = 12,
        temperature: float = 0.0,
        top_p: float = 1.0,
        constrained: bool = True,
        cache: str = "",
        replay_only: bool = False,
        **engine_options: Any,
    ) -> None:
        super().__init__(
            model, style, persona, turns, temperature, top_p, cache, replay_only, engine_options
        )
        if reasoning < 0:
            raise OptionError(f"reasoning is a number of characters, not {reasoning!r}.")
        self._talk, self._reasoning, self._believes = talk, reasoning, belief
        self._floor, self._constrained = floor, constrained
        self._fallback_name = "none" if fallback is None else fallback or "none"
        self._fallback: NegotiationParty | None = None
        if self._fallback_name not in ("auto", "none"):
            self._fallback = registry.make("party", self._fallback_name)

    def init(self, info: NegotiationInfo) -> None:
        """Get ready, the fallback too: it has to know what has happened when it is needed."""
        super().init(info)
        if self._fallback_name == "auto":
            self._fallback_name = usual_party(info.protocol)
            self._fallback = registry.make("party", self._fallback_name)
        if self._fallback is not None:
            self._fallback.init(info)

    def receive_message(self, sender: str | None, action: Action) -> None:
        """The history has it; only the fallback has to be told."""
        if self._fallback is not None:
            self._fallback.receive_message(sender, action)

    @classmethod
    def outcomes(cls, asked: Sequence[tuple[Any, Turn]]) -> list[Outcome]:
        """All first replies in one batch, then all second ones; then the fallbacks."""
        tries = [party._begin(turn) for party, turn in asked]
        for attempt in range(2):
            open_ones = [e for e in tries if isinstance(e, _Try) and e.outcome is None]
            if open_ones:
                for each in open_ones:
                    each.party.count("retries", attempt)
                model = open_ones[0].party.model
                answers = model.complete([each.request for each in open_ones])
                for each, answer in zip(open_ones, answers, strict=True):
                    each.take(answer)
        return [
            each if isinstance(each, Exception) else each.outcome or each.party._fall_back(each)
            for each in tries
        ]

    def _begin(self, turn: Turn) -> _Try | Exception:
        """The top of the ladder, or why there is none: that must not spoil the batch of others."""
        self.count("turns")
        try:
            return self._asking(turn)
        except Exception as error:
            return error

    def _asking(self, turn: Turn) -> _Try:
        form = self._form(turn.allowed)
        asking = prompt.turn_prompt(self.info, form, self.turns)
        if turn.refusal:
            again = prompt_files.fill("again", reason=turn.refusal)
            asking = f"{asking}\n{again}"
        return _Try(
            self, turn, form, [Message("system", self.system_prompt), Message("user", asking)]
        )

    def _form(self, allowed: Allowed) -> ReplyForm:
        before: dict[str, Field] = {}
        if self._reasoning:
            before["reasoning"] = TextField(self._reasoning, "the reasoning")
        if self._believes:
            before |= belief_fields(self.domain)
        after: dict[str, Field] = {"message": _MESSAGE}
        narrowed: dict[str, Any] = {}
        if self._floor:
            narrowed = {"acceptable": self._is_acceptable, "bid_field": self._bids_worth_having}
        return form_of(allowed, before=before, after=after if self._talk else {}, **narrowed)

    @cached_property
    def _bids_worth_having(self) -> Callable[[Domain], BidField]:
        return bids_worth(self.utility_space, self.utility_space.reservation_value)

    def _is_acceptable(self, bid: Bid) -> bool:
        space = self.utility_space
        return bid not in space.domain or space.utility(bid) >= space.reservation_value

    def schema_of(self, form: ReplyForm) -> str:
        """What the reply is kept to; empty when it is only checked."""
        return form.schema if self._constrained else ""

    def length(self, form: ReplyForm) -> Sampling:
        """Enough tokens for any reply of the form, so that none is cut off."""
        longest = form.longest + 16 + (0 if self._constrained else _PROSE)
        return attrs.evolve(self.sampling, max_tokens=longest)

    def act(self, text: str, reply: Mapping[str, Any], tried: _Try) -> Reply:
        """What a reply means, checked as the engine will.

        Raises:
            ActionError: it does not count.
        """
        action = tried.form.move_of(reply, self.id)
        if complaint := tried.turn.allowed.complaint(action):
            raise ActionError(complaint)
        if self._floor:
            self._require_worth(action, tried.form)
        notes: dict[str, object] = {"reply": _kept(text)}
        if tried.refused:
            notes["refused"] = tried.refused
        if self._reasoning and isinstance(reply.get("reasoning"), str):
            notes["reasoning"] = reply["reasoning"]
        if self._believes and (stated := belief_of(reply, self.info)):
            notes["belief"] = stated
        said = ""
        if self._talk and isinstance(message := reply.get("message"), str):
            said = "" if _MESSAGE.is_copied(message) else message[:MESSAGE_LENGTH]
        if told := self.leaks_in(said, action):
            notes["leaks"] = told
        return Reply(action, message=said, notes=notes)

    def _require_worth(self, action: Action, form: ReplyForm) -> None:
        """Hold an offer against the reservation value, where there is a choice."""
        field = next(
            (move.fields.get("bid") for move in form.moves if move.action is type(action)), None
        )
        bid = getattr(action, "bid", None)
        can_do_better = isinstance(field, BidField) and field.alternatives != ()
        if can_do_better and isinstance(bid, Bid) and not self._is_acceptable(bid):
            worth = self.utility_space.utility(bid)
            raise ActionError(
                f"offered a bid worth {worth:.3f} to you, less than your reservation value "
                f"{self.utility_space.reservation_value:.3f}"
            )

    def _fall_back(self, tried: _Try) -> Outcome:
        self.count("unread_turns")
        last = tried.refused[-1]["why"]
        if self._fallback is None:
            return ActionError(f"the model's replies did not count; the last one {last}")
        try:
            answer = self._fallback.choose_action(tried.turn.allowed)
        except PartyFailure as failure:
            return failure
        except Exception as error:
            return ActionError(
                f"the model's replies did not count (the last one {last}), and "
                f"{self._fallback_name} cannot play for it: {error}"
            )
        self.count("fallbacks")
        action = answer.action if isinstance(answer, Reply) else answer
        notes = {"refused": tried.refused, "fallback": self._fallback_name}
        return Reply(action, notes=notes)


def _kept(reply: str) -> str:
    """A reply, of which a server that has gone wild may send megabytes."""
    if len(reply) <= _LONGEST_KEPT:
        return reply
    return f"{reply[:_LONGEST_KEPT]} ... ({len(reply)} characters)"
