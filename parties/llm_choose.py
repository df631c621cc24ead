"""A classical strategy that sets the price, and a language model that picks the bid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np

from genius_py.action import Offer
from genius_py.bid import Bid
from genius_py.errors import ActionError, OptionError
from genius_py.llm import prompt, prompt_files
from genius_py.llm.profile_text import bid_text, worth_text
from genius_py.llm.reply_field import ChoiceField
from genius_py.llm.reply_form import ReplyForm
from genius_py.llm.request import Answer as ModelAnswer
from genius_py.llm.request import Completion, Message, Request
from genius_py.parties.model_party import HybridParty, Outcome
from genius_py.session import Reply, Turn
from genius_py.strategies.bid_search import ladder

__all__ = ["LLMChoose"]


@attrs.define(eq=False)
class _Choice:
    """A move of the strategy, and the bids among which the model is to choose."""

    move: Reply
    bids: list[Bid]


class LLMChoose(HybridParty):
    """A classical strategy says how much an offer is worth, a language model which one is made.

    The strategy accepts, votes and walks away as it does. For an offer the model chooses among `k`
    bids that are worth about as much to it as the one that it would make.

    Models prefer some places of a list whatever stands there. Each list is therefore shown in
    every rotation, and the bid that is chosen most often is offered, as Zheng et al. (2023,
    "Large Language Models Are Not Robust Multiple Choice Selectors") do with permutations; the
    strategy's order decides between equals. How often each place was chosen is noted at the end.

    Args:
        strategy: the party that decides the rest; ``auto``: the one that the protocol seats by
            default.
        k: how many bids there are to choose from, at most.
        within: how much utility they may differ from the strategy's own.
        rotations: in how many rotations a list is shown; 0: in all.
        model, style, persona, turns, temperature, top_p, cache, replay_only, engine_options: as
            of the party ``llm``.

    Raises: as ``llm``.
    """

    name: ClassVar[str] = "llm-choose"

    def __init__(
        self,
        strategy: str = "auto",
        k: int = 4,
        within: float = 0.05,
        rotations: int = 0,
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
        if k < 1 or rotations < 0 or within < 0:
            raise OptionError("k is 1 or more; rotations and within are 0 or more.")
        self._k, self._within, self._rotations = k, within, rotations

    @classmethod
    def outcomes(cls, asked: Sequence[tuple[Any, Turn]]) -> list[Outcome]:
        """All rotations of all lists in one batch."""
        choices = [party._choice(turn) for party, turn in asked]
        requests = [
            party._requests(choice) if isinstance(choice, _Choice) else []
            for (party, _), choice in zip(asked, choices, strict=True)
        ]
        model = asked[0][0].model
        flat = [request for group in requests for request in group]
        answers = iter(model.complete(flat) if flat else ())
        return [
            party._chosen(choice, [next(answers) for _ in group])
            if isinstance(choice, _Choice)
            else choice
            for (party, _), choice, group in zip(asked, choices, requests, strict=True)
        ]

    def _choice(self, turn: Turn) -> _Choice | Exception:
        move = self.decide(turn)
        if isinstance(move, Exception) or not isinstance(move.action, Offer):
            return move if isinstance(move, Exception) else _Choice(move, [])
        try:
            bids = self._alike(move.action.bid)
        except Exception as error:  # of a profile of somebody's own; it must not spoil the batch
            return error
        return _Choice(move, [bid for bid in bids if self._is_possible(move, bid, turn)])

    def _is_possible(self, move: Reply, bid: Bid, turn: Turn) -> bool:
        return not turn.allowed.complaint(attrs.evolve(move.action, bid=bid))  # type: ignore[call-arg]

    def _alike(self, bid: Bid) -> list[Bid]:
        """The strategy's bid and those worth nearly the same, nearest first, none below the
        reservation value."""
        space = self.utility_space
        target = space.utility(bid)
        low = max(target - self._within, min(target, space.reservation_value))
        rungs = ladder(space)
        found = rungs.in_range(low, target + self._within)
        gaps = np.abs(rungs.utilities[found.start : found.stop] - target)
        nearest = np.argsort(gaps, kind="stable")[: self._k].tolist()
        near = (rungs.bid(found[place]) for place in nearest)
        return list(dict.fromkeys([bid, *near]))[: self._k]

    def _rotated(self, bids: Sequence[Bid]) -> list[list[Bid]]:
        """The lists that are shown; none when there is nothing to choose."""
        if len(bids) < 2:
            return []
        rotations = min(self._rotations or len(bids), len(bids))
        return [[*bids[start:], *bids[:start]] for start in range(rotations)]

    def _requests(self, choice: _Choice) -> list[Request]:
        form = _form(len(choice.bids))
        return [
            Request(
                [Message("system", self.system_prompt), Message("user", self._prompt(shown, form))],
                form.schema,
                attrs.evolve(self.sampling, max_tokens=form.longest + 16),
            )
            for shown in self._rotated(choice.bids)
        ]

    def _prompt(self, bids: Sequence[Bid], form: ReplyForm) -> str:
        space = self.utility_space
        options = [
            f"{place}. {bid_text(bid)} (worth {worth_text(space.utility(bid))} to you)"
            for place, bid in enumerate(bids, start=1)
        ]
        return prompt_files.fill(
            "choose",
            history=prompt.past(self.info, self.turns),
            time=prompt.now(self.info),
            options="\n".join(options),
            shape=prompt.shape(form),
        )

    def _chosen(self, choice: _Choice, answers: Sequence[ModelAnswer]) -> Outcome:
        lists = self._rotated(choice.bids)
        form = _form(len(choice.bids))
        votes: Counter[Bid] = Counter()
        places: list[int | None] = []
        for shown, answer in zip(lists, answers, strict=True):
            if not isinstance(answer, Completion):
                return answer
            self.count_reply(answer)
            place = _place(form, answer.text)
            places.append(place)
            if place is None:
                self.count("unreadable")
            else:
                self.count(f"chose_place_{place}")
                votes[shown[place - 1]] += 1
        action = choice.move.action
        notes = dict(choice.move.notes)
        if lists:
            notes |= {"places": places}
        if votes:
            # Sorting is stable: of those chosen equally often the strategy's first comes first.
            best = max(choice.bids, key=lambda bid: votes[bid])
            action = attrs.evolve(action, bid=best)  # type: ignore[call-arg]
        return Reply(action, message=choice.move.message, notes=notes)


def _form(options: int) -> ReplyForm:
    labels = {str(place): place for place in range(1, options + 1)}
    return ReplyForm((), after={"choice": ChoiceField(labels, "the choice")})


def _place(form: ReplyForm, text: str) -> int | None:
    """Which option was chosen; None when the reply does not say."""
    try:
        return int(form.after["choice"].read(form.read(text)["choice"]))
    except ActionError:
        return None
