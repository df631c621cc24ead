"""Every way in which a model has been seen to reply badly, and what its party then does.

The model buys the company car, for 35000 to 45000. Whatever does not count is asked for once more
with the reason; after two such replies a classical party plays the turn. Nothing is ever made up.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

import pytest

from genius_py import registry
from genius_py.errors import ModelFailure
from genius_py.formats import load
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.plain_backends import Dice, ScriptedBackend
from genius_py.llm.request import Answer, Completion, Request
from genius_py.log import Reason
from genius_py.manager import run
from genius_py.model_counts import ModelCounts, model_counts
from genius_py.testing.homes import home_scenarios
from tests.parties.scripted_model import (
    ACCEPT,
    LEAVE,
    SELLER,
    Played,
    offer,
    play,
    put_in_place,
)

Refused = Callable[[str], Played]


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Refused:
    """Play with a reply that must not count: once, before a good one, and then twice."""

    def check(bad: str) -> Played:
        once = play(monkeypatch, [bad, offer(37_000), LEAVE])
        assert once.actions == ["offers price: 37000", "walks away"]
        (tried,) = once.notes[0]["refused"]
        assert tried["reply"] == bad
        roles = [message.role for message in once.backend.asked[1].messages]
        assert roles == ["system", "user", "assistant", "user"]
        assert f"That does not count: you {tried['why']}" in once.questions[1]
        assert (once.counts.turns, once.counts.replies, once.counts.retries) == (2, 3, 1)
        assert (once.counts.unread_turns, once.counts.fallbacks) == (0, 0)

        twice = play(monkeypatch, [bad, bad, LEAVE], ",fallback=hardliner")
        assert twice.actions == ["offers price: 35000", "walks away"]  # a hardliner's best
        assert twice.notes[0]["fallback"] == "hardliner"
        assert [each["reply"] for each in twice.notes[0]["refused"]] == [bad, bad]
        assert (twice.counts.unread_turns, twice.counts.fallbacks) == (1, 1)
        assert twice.counts.unreadable + twice.counts.illegal == 2
        return once

    return check


@pytest.fixture
def unreadable(refused: Refused) -> Refused:
    """As `refused`, for what holds no reply at all."""

    def check(bad: str) -> Played:
        played = refused(bad)
        assert played.notes[0]["refused"][0]["status"] == "unreadable"
        assert (played.counts.unreadable, played.counts.illegal) == (1, 0)
        return played

    return check


@pytest.fixture
def illegal(refused: Refused) -> Refused:
    """As `refused`, for a reply whose action is not possible."""

    def check(bad: str) -> Played:
        played = refused(bad)
        assert played.notes[0]["refused"][0]["status"] == "illegal"
        assert (played.counts.unreadable, played.counts.illegal) == (0, 1)
        return played

    return check


@pytest.fixture
def counts_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Check that a reply is understood at once, and as which price."""

    def check(reply: str, price: int) -> None:
        played = play(monkeypatch, [reply, LEAVE])
        assert played.actions == [f"offers price: {price}", "walks away"]
        assert played.notes[0]["reply"] == reply
        assert "refused" not in played.notes[0]
        assert played.counts.retries == played.counts.fallbacks == 0

    return check


CountsAs = Callable[[str, int], None]


# What is understood, whatever surrounds it


def test_a_fenced_reply_counts(counts_as: CountsAs) -> None:
    counts_as(f"Here is my offer:\n```json\n{offer(36_000)}\n```\nI hope you agree.", 36_000)


def test_of_several_replies_the_last_counts_c83(counts_as: CountsAs) -> None:
    counts_as(f"{offer(35_500)} On reflection: {offer(36_000)}", 36_000)


def test_a_nested_object_does_not_count_for_the_whole_c83(counts_as: CountsAs) -> None:
    nested = {"action": "Offer", "bid": {"price": 36_000, "detail": {"price": 39_000}}}
    counts_as(json.dumps({"move": nested}), 36_000)


def test_an_object_of_another_kind_after_the_reply_changes_nothing_c83(
    counts_as: CountsAs,
) -> None:
    counts_as(f'{offer(36_000)} {{"mood": "good", "price": 44000}}', 36_000)


@pytest.mark.parametrize("tag", ["think", "thinking", "reasoning", "THINK"])
def test_what_is_thought_between_tags_does_not_count(counts_as: CountsAs, tag: str) -> None:
    counts_as(f"<{tag}>Perhaps {offer(44_000)}?</{tag}>\n{offer(36_000)}", 36_000)


def test_thoughts_whose_opening_tag_stood_in_the_prompt_do_not_count(counts_as: CountsAs) -> None:
    counts_as(f"Perhaps {offer(44_000)}?</think>{offer(36_000)}", 36_000)


def test_a_number_in_quotation_marks_is_a_number(counts_as: CountsAs) -> None:
    counts_as(offer("36000"), 36_000)


def test_commas_that_group_thousands_are_read_c124(counts_as: CountsAs) -> None:
    counts_as(offer("36,000"), 36_000)


def test_a_currency_sign_is_no_part_of_a_number(counts_as: CountsAs) -> None:
    counts_as(offer("$36,000"), 36_000)


def test_underscores_group_thousands_c129(counts_as: CountsAs) -> None:
    counts_as(offer("36_000"), 36_000)


def test_another_offer_is_an_offer_c88(counts_as: CountsAs) -> None:
    counts_as(f"I cannot accept 44000. Another offer: {offer(36_000)}", 36_000)


def test_an_acceptance_that_speaks_of_an_offer_is_one_c89(monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.dumps({"move": {"action": "Accept", "comment": "I accept your offer."}})
    played = play(monkeypatch, [offer(36_000), told])
    assert played.actions[1] == "accepts price: 44000"
    assert played.outcome.reason is Reason.AGREEMENT


# What does not count


def test_an_empty_reply_is_no_turn(unreadable: Refused) -> None:
    assert "empty reply" in unreadable("").questions[1]


def test_blanks_are_an_empty_reply(unreadable: Refused) -> None:
    assert "empty reply" in unreadable(" \n\t").questions[1]


def test_who_thinks_and_never_speaks_has_said_nothing(unreadable: Refused) -> None:
    unreadable(f"<think>I could say {offer(36_000)}")


def test_an_offer_in_prose_is_none_c130(unreadable: Refused) -> None:
    unreadable("I would like to offer 36000.")


def test_i_cannot_accept_is_no_acceptance_c88(unreadable: Refused) -> None:
    unreadable("I cannot accept 44000.")


def test_a_refusal_to_play_is_no_walking_away(unreadable: Refused) -> None:
    unreadable("I'm sorry, but as an AI I can't take part in a negotiation.")


def test_talk_of_a_deal_is_no_agreement_c121(unreadable: Refused) -> None:
    played = unreadable("Deal! We have an agreement at 44000.")
    assert played.outcome.agreement is None


def test_a_reply_that_was_cut_off_is_not_completed(unreadable: Refused) -> None:
    unreadable('{"move": {"action": "Offer", "bid": {"price": 36')


def test_what_is_whole_inside_a_broken_reply_is_not_torn_out_of_it_c83(
    unreadable: Refused,
) -> None:
    unreadable('{"draft": {"action": "Offer", "bid": {"price": 36000}}, oops}')


def test_a_number_with_commas_is_no_json_c124(unreadable: Refused) -> None:
    unreadable('{"move": {"action": "Offer", "bid": {"price": 36,000}}}')


def test_a_number_with_underscores_is_no_json_and_never_cut_to_36_c129(
    unreadable: Refused,
) -> None:
    unreadable('{"move": {"action": "Offer", "bid": {"price": 36_000}}}')


def test_the_prompts_own_example_is_no_offer(illegal: Refused) -> None:
    illegal(offer("<price>"))


def test_no_line_of_the_prompt_can_be_copied_into_an_offer(
    monkeypatch: pytest.MonkeyPatch, unreadable: Refused
) -> None:
    prompt = play(monkeypatch, [LEAVE]).questions[0]
    examples = [line for line in prompt.splitlines() if "{" in line and "<" in line]
    assert examples
    for line in examples:
        unreadable(line)
        unreadable(line[line.index("{") : line.rindex("}") + 1])


def test_the_place_of_a_message_is_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    hint = "<a text of at most 200 characters>"
    copied = json.dumps({**json.loads(offer(36_000)), "message": hint})
    played = play(monkeypatch, [copied, LEAVE], ",talk=true")
    assert hint in played.questions[0]
    assert played.outcome.log.actions[0].message == ""


def test_the_place_of_a_text_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    (scenario, *_) = home_scenarios("bilateral_trade")
    request = {"action": "PostRequest", "description": "a text of at most 2000 characters"}
    good = {**request, "description": "a translation"}
    replies = [json.dumps({"move": {**each, "max_budget": 5}}) for each in (request, good)]
    backend = put_in_place(monkeypatch, replies)
    parties = ["llm:model=script", "trader", "trader"]
    outcome = run("bilateral_trade", scenario, parties=parties, seed=1)
    assert "it must be a text of at most" in backend.asked[1].messages[-1].text
    assert 'requests "a translation"' in str(outcome.log.actions[0])


def test_a_list_is_no_reply(unreadable: Refused) -> None:
    unreadable("[36000]")


def test_an_object_without_a_move_is_no_reply(unreadable: Refused) -> None:
    unreadable('{"price": 36000}')


def test_no_move_is_no_reply(unreadable: Refused) -> None:
    unreadable('{"move": null}')


def test_a_number_of_thousands_of_digits_is_no_reply(unreadable: Refused) -> None:
    unreadable('{"move": {"action": "Offer", "bid": {"price": ' + "9" * 5_000 + "}}}")


def test_thousands_of_braces_are_no_reply(unreadable: Refused) -> None:
    unreadable('{"move":' * 5_000)


def test_a_number_that_no_machine_holds_is_illegal(illegal: Refused) -> None:
    illegal(offer(10**400))
    illegal(offer("9" * 5_000))
    illegal('{"move": {"action": "Offer", "bid": {"price": 1e999}}}')
    illegal('{"move": {"action": "Offer", "bid": {"price": NaN}}}')


def test_a_price_outside_the_domain_is_refused_and_not_clipped_c130(illegal: Refused) -> None:
    assert "a whole number from 35000 to 45000" in illegal(offer(34_999)).questions[1]


def test_a_minus_sign_is_not_lost_c86(illegal: Refused) -> None:
    illegal(offer(-36_000))
    illegal(offer("\N{MINUS SIGN}36000"))


def test_a_value_between_two_legal_ones_is_not_snapped_to_either_c90(illegal: Refused) -> None:
    illegal(offer(36_000.5))


def test_two_points_are_no_number_c124(illegal: Refused) -> None:
    illegal(offer("36.000.000"))


def test_three_digits_after_a_point_are_decimals_c124(illegal: Refused) -> None:
    illegal(offer("36.000.5"))
    illegal(offer("36.500"))  # 36.5, which is far below the range


def test_a_number_in_words_is_none(illegal: Refused) -> None:
    illegal(offer("thirty-six thousand"))
    illegal(offer("36k"))
    illegal(offer("36000 or 37000"))


def test_an_unknown_action_is_told_those_that_there_are(illegal: Refused) -> None:
    played = illegal('{"move": {"action": "Haggle"}}')
    assert "possible now: Offer, EndNegotiation" in played.questions[1]


def test_an_action_whose_name_contains_another_is_not_that_one_c88(illegal: Refused) -> None:
    illegal('{"move": {"action": "DoNotOffer", "bid": {"price": 36000}}}')
    illegal('{"move": {"action": "counteroffer", "bid": {"price": 36000}}}')


def test_nothing_on_the_table_cannot_be_accepted_c24(illegal: Refused) -> None:
    illegal(ACCEPT)


def test_an_offer_without_a_bid_is_not_completed(illegal: Refused) -> None:
    illegal('{"move": {"action": "Offer"}}')
    illegal('{"move": {"action": "Offer", "bid": {}}}')
    illegal('{"move": {"action": "Offer", "bid": null}}')


def test_to_accept_and_name_another_price_is_ambiguous_c89(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = json.dumps({"move": {"action": "Accept", "bid": {"price": 38_000}}})
    played = play(monkeypatch, [offer(36_000), both, offer(38_000), LEAVE])
    assert played.actions == ["offers price: 36000", "offers price: 38000", "walks away"]
    assert "another bid than the only one possible, price: 44000" in played.questions[2]


def test_an_unknown_value_is_told_those_that_there_are_c90(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from genius_py.testing.scenarios import discrete_scenario

    bid = {"colour": "red", "size": "M", "wheels": "two"}
    replies = [
        json.dumps({"move": {"action": "Offer", "bid": {**bid, "colour": colour}}})
        for colour in ("reddish", "red")
    ]
    backend = put_in_place(monkeypatch, replies)
    outcome = run("SAOP", discrete_scenario(), parties=["llm:model=script", "accepting"])
    assert dict(outcome.agreement or {}) == bid
    assert "gave 'reddish' for issue 'colour'; it must be one of \"red\"" in (
        backend.asked[1].messages[-1].text
    )


# Servers that fail


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Played]:
    """Play with a server that answers like this, one answer after the other, the last for ever."""
    httpx2 = pytest.importorskip("httpx2", reason="needs httpx2 (genius-py[remote])")

    def play_(*answers: tuple[int, object] | str) -> Played:
        from genius_py.llm.remote_backend import RemoteBackend

        left = list(answers)

        def answer(request: object) -> object:
            next_one = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(next_one, str):
                raise httpx2.ReadTimeout("too slow")
            status, body = next_one
            return httpx2.Response(status, json=body)

        async def at_once(seconds: float) -> None:
            waits.append(seconds)

        waits: list[float] = []
        backend = put_in_place(monkeypatch, [])
        transport = httpx2.MockTransport(answer)
        remote = RemoteBackend(
            "http://host/v1", "it", dialect="none", transport=transport, wait=at_once
        )
        monkeypatch.setattr(ModelSpec, "load", lambda self: remote)
        parties = ["llm:model=http://host/v1", SELLER]
        outcome = run("SAOP", "company_car", parties=parties, deadline=2, seed=3, retries=2)
        return Played(outcome, backend)

    return play_


def said(text: str | None, finish: str = "stop") -> tuple[int, object]:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return 200, {"choices": [choice], "usage": {"prompt_tokens": 90, "completion_tokens": 9}}


def test_a_server_that_is_busy_for_a_while_costs_nothing(served: Callable[..., Played]) -> None:
    played = served((429, {}), (500, {}), "timeout", said(offer(36_000)), said(LEAVE))
    assert played.actions == ["offers price: 36000", "walks away"]
    assert (played.counts.replies, played.counts.retries) == (2, 0)
    assert (played.counts.prompt_tokens, played.counts.new_tokens) == (180, 18)


@pytest.mark.parametrize(
    ("answer", "said_"),
    [
        ((401, {"error": "no key"}), "does not let us in (401"),
        ((403, {}), "does not let us in (403"),
        ((404, {"error": "no such model"}), "failed (404"),
        ((429, {"error": "quota"}), "did not answer in 6 attempts; last: 429"),
        ((500, {}), "did not answer in 6 attempts; last: 500"),
        ("timeout", "did not answer in 6 attempts; last: ReadTimeout: too slow"),
        ((200, {"error": {"message": "model is overloaded"}}), "model is overloaded"),
        ((200, {"choices": []}), "gave no chat completion"),
        ((200, []), "did not answer with a JSON object"),
    ],
    ids=["401", "403", "404", "429", "500", "timeout", "200-error", "200-empty", "200-list"],
)
def test_a_server_that_does_not_answer_fails_the_session_and_makes_no_move(
    served: Callable[..., Played], answer: object, said_: str
) -> None:
    played = served(said(offer(36_000)), answer)
    assert played.actions == ["offers price: 36000"]
    assert played.outcome.reason is Reason.FAULT
    assert played.outcome.faults[-1].fatal
    assert said_ in played.outcome.faults[-1].reason
    assert played.counts.fallbacks == 0


def test_a_server_that_says_nothing_has_replied_badly(served: Callable[..., Played]) -> None:
    played = served(said(None), said(offer(36_000)), said(LEAVE))
    assert played.actions == ["offers price: 36000", "walks away"]
    assert (played.counts.unreadable, played.counts.retries) == (1, 1)


def test_a_server_that_cuts_a_reply_off_has_replied_badly(served: Callable[..., Played]) -> None:
    played = served(said(offer(36_000)[:-9], "length"), said(offer(36_000)), said(LEAVE))
    assert played.actions == ["offers price: 36000", "walks away"]
    assert (played.counts.unreadable, played.counts.retries) == (1, 1)


def test_a_library_that_throws_fails_the_session_and_is_never_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken(ScriptedBackend):
        def complete(self, requests: object) -> list[Answer]:
            raise RuntimeError("CUDA out of memory")

    put_in_place(monkeypatch, [])
    monkeypatch.setattr(ModelSpec, "load", lambda self: Broken([]))
    outcome = run("SAOP", "company_car", parties=["llm:model=script", SELLER], deadline=2)
    assert outcome.faults[0].fatal
    assert "CUDA out of memory" in outcome.faults[0].reason


@pytest.mark.parametrize("policy", ["fail", "forfeit"])
def test_a_backend_that_fails_fails_the_session_and_is_never_scored(
    monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    down = ModelFailure("http://host/v1 does not let us in (401); check the key")
    played = play(monkeypatch, [offer(36_000), down], on_fault=policy, retries=3)
    assert played.outcome.reason is Reason.FAULT
    assert played.outcome.faults[0].fatal
    assert "check the key" in played.outcome.faults[0].reason
    # No move was made up, nobody was asked again, and what had been counted is known.
    assert played.actions == ["offers price: 36000"]
    assert len(played.backend.asked) == 2
    assert (played.counts.turns, played.counts.replies, played.counts.fallbacks) == (2, 1, 0)


def test_a_backend_that_fails_at_the_second_try_fails_the_session_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = play(monkeypatch, ["no idea", ModelFailure("server down")])
    assert played.outcome.reason is Reason.FAULT
    assert played.outcome.faults[0].fatal
    assert played.actions == []


def test_a_fallback_that_fails_for_want_of_a_model_fails_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    down = ModelFailure("server down")
    played = play(monkeypatch, ["no", "idea", down], ",fallback='llm:model=script'")
    assert played.outcome.faults[0].fatal
    assert "server down" in played.outcome.faults[0].reason


def test_what_the_ladder_had_to_do_is_counted_turn_by_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = ["no", offer(36_000), offer(99), "no", offer(37_000), LEAVE]
    played = play(monkeypatch, script, ",fallback=hardliner")
    counts = played.counts
    assert played.actions == [
        "offers price: 36000",
        "offers price: 35000",
        "offers price: 37000",
        "walks away",
    ]
    assert (counts.turns, counts.replies, counts.retries) == (4, 6, 2)
    assert (counts.unreadable, counts.illegal) == (2, 1)
    assert (counts.unread_turns, counts.fallbacks) == (1, 1)
    assert counts.refused == 0.5


def test_without_a_fallback_such_a_turn_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play(monkeypatch, [""], ",fallback=none")
    assert played.outcome.reason is Reason.FAULT
    reason = played.outcome.faults[0].reason
    assert "replies did not count; the last one gave an empty reply" in reason
    assert not played.outcome.faults[0].fatal
    assert (played.counts.unread_turns, played.counts.fallbacks) == (1, 0)


class Damaged(Dice):
    """Legal replies, of which some have lost, gained or changed a few signs."""

    def __init__(self) -> None:
        self._rng = random.Random(1)

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        replies = super().complete(requests)
        return [Completion(self._damaged(r.text)) for r in replies if isinstance(r, Completion)]

    def _damaged(self, text: str) -> str:
        signs = list(text)
        for _ in range(self._rng.choice([0, 1, 1, 2, 5])):
            place = self._rng.randrange(len(signs))
            signs[place] = self._rng.choice(["", signs[place] * 2, *SIGNS])
        return "".join(signs)


SIGNS = ['"', "{", "}", "9", "-", ".", ",", "\\", "\n", "\ud83d", "<think>", "e999", "null", "["]


@pytest.mark.parametrize("protocol", registry.names("protocol"))
def test_damaged_replies_never_fail_a_session(
    monkeypatch: pytest.MonkeyPatch, protocol: str
) -> None:
    scenario = next(iter(home_scenarios(protocol)), None) or load("festival_booking")
    seats = len(scenario.roles)
    put_in_place(monkeypatch, [])
    backend = Damaged()
    monkeypatch.setattr(ModelSpec, "load", lambda self: backend)
    spec = "llm:model=script,temperature=1,talk=true,reasoning=20,belief=true"
    total = ModelCounts()
    for seed in range(4):
        outcome = run(protocol, scenario, parties=[spec] * seats, deadline=6, seed=seed)
        assert not outcome.faults
        total = sum(model_counts(outcome.log).values(), total)
    if protocol != "default":  # in which nobody ever moves
        assert total.unreadable > 0
        assert total.replies == total.turns + total.retries
