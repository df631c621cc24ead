"""Reading model replies: statements S0.90 to S0.95, and the known ways in which it went wrong."""

from typing import Any

import pytest

from genius_py.errors import ActionError
from genius_py.fronts.platform.replies import as_number, read_reply
from tests.spec.platform_games import NOOP, Script, integrative, office, play, price, session

OFFER = {"type": "offer", "price": 38500}
JSON = '{"type": "offer", "price": 38500}'


def read(reply: str, on_table: float | None = None) -> dict[str, Any]:
    return read_reply(reply, number_key="price", on_table=on_table)


@pytest.mark.parametrize(
    "reply",
    [
        JSON,
        f"{JSON} That is my best.",
        f"Here is my offer: {JSON}. What do you say?",
        f"```json\n{JSON}\n```",
        f"```\n{JSON}\n```\nThank you.",
        f'The set {{a, b}} is a set; {{"decision": {JSON}}}',
        f'{{"decision": {JSON}}}',
        '{"type": "offer", "message": "a } in a \\"text\\" {", "price": 38500}',
        f"<think>Shall I {{'type': 'accept'}}?</think>{JSON}",
    ],
)
def test_s0_090_an_object_is_found_wherever_it_stands(reply: str) -> None:
    found = read(reply)
    assert {key: found[key] for key in OFFER} == OFFER


@pytest.mark.parametrize(
    ("reply", "meaning"),
    [
        ("I accept.", {"type": "accept"}),
        ("No deal, I reject that", {"type": "reject"}),
        ("Let me offer 38500.", OFFER),
    ],
)
def test_s0_090_without_an_object_words_are_read(reply: str, meaning: dict[str, Any]) -> None:
    assert read(reply) == meaning


@pytest.mark.parametrize("reply", ["", "   ", "Hello there!", '{"type": "offer", "price": 38'])
def test_s0_090_what_cannot_be_read_says_why(reply: str) -> None:
    with pytest.raises(ActionError, match="gave a"):
        read(reply)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("[41,500]", 41500),
        ("[41500]", 41500),
        ('"41,500"', 41500),
        ("41,500", 41500),
        ("[41,005]", 41005),
        ('"$41,500.50"', 41500.5),
        ("41500", 41500),
    ],
)
@pytest.mark.parametrize("tail", ["", ', "why": "it is fair"'])
def test_s0_091_numbers_in_disguise_are_numbers(value: str, number: float, tail: str) -> None:
    found = read(f'{{"type": "offer", "price": {value}{tail}}}')
    assert as_number(found["price"]) == number


def test_s0_091_keys_may_lack_quotes() -> None:
    assert read('{type: "offer", price: 38500}') == OFFER


def test_s0_092_values_are_never_snapped_unless_asked_for() -> None:
    strict, snapping = integrative(), integrative(snap=True)
    wrong = office(75, 5, "Robots", "Loud")
    assert not strict.is_valid_action("i", strict.read_reply("i", wrong))
    action = snapping.read_reply("i", wrong)
    assert action == {
        **office(50, 4, "Outsourced", "Prominent"),
        "repaired": ["server_room", "meeting_access", "cleaning", "branding"],
    }
    assert snapping.is_valid_action("i", action)


@pytest.mark.parametrize(
    ("room", "access", "snapped"),
    [(75, 3, (50, 2)), (76, 3.1, (100, 4)), (125, 5, (100, 4)), (126, 6, (150, 7))],
)
def test_s0_092_numbers_are_snapped_to_the_nearest(
    room: float, access: float, snapped: tuple[int, int]
) -> None:
    nested = {"type": "propose", "proposal": office(room, access, "IT", "Minimal")}
    proposal = integrative(snap=True).read_reply("i", nested)["proposal"]
    assert (proposal["server_room"], proposal["meeting_access"]) == snapped
    exact = office(50, 4, "IT", "Minimal")
    assert integrative(snap=True).read_reply("i", exact) == exact


def test_s0_092_a_repaired_reply_is_noted_in_the_log() -> None:
    sessions = session({"i": Script(office(75, 4, "IT", "Minimal")), "m": Script(NOOP)})
    sessions.run_negotiation(
        game_type="integrative_negotiations", players=["i", "m"], game_config={"snap": True}
    )
    assert sessions.outcome is not None
    notes = [event.detail for event in sessions.outcome.log if event.kind == "note"]
    assert notes[0] == {
        "reply": office(75, 4, "IT", "Minimal"),
        "repaired": ["server_room"],
    }


@pytest.mark.parametrize("number", [-1, 9999, "much", None, [1, 2], "1.000.000"])
def test_s0_092_a_price_must_be_a_number_in_range(number: Any) -> None:
    result = play([price(number)], [NOOP])
    assert result["actions_history"][0]["actions"]["b"] == NOOP


def test_s0_093_a_type_is_not_searched_for_no() -> None:
    result = play([{"type": "another_offer", "price": 39000}], [NOOP], max_rounds=1)
    assert result["actions_history"][0]["actions"]["b"] == NOOP  # unknown, and not a rejection
    assert read("another offer: 39500") == {"type": "offer", "price": 39500}


def test_s0_093_i_accept_your_offer_is_an_acceptance() -> None:
    assert read("I accept your offer") == {"type": "accept"}
    assert read("I accept your offer of 40000", on_table=40000) == {"type": "accept"}


@pytest.mark.parametrize(
    "reply",
    [
        "I cannot accept 40000",
        "I would never accept that.",
        "We don't agree.",
        "I can't, in good faith, accept this.",
        "I accept if you come down.",
        "I would accept less.",
        "I accept your offer, but at 39000",  # another price than the one on the table
        "I accept. No, I reject.",
        "I accept or I refuse",
    ],
)
def test_s0_093_a_denied_or_doubtful_acceptance_is_none(reply: str) -> None:
    with pytest.raises(ActionError):
        read(reply, on_table=40000)


def test_s0_094_whole_numbers_lose_their_point_and_others_keep_it() -> None:
    result = play([price(38500.0), price(38500.5)], [NOOP], max_rounds=3)
    made = [entry["actions"]["b"] for entry in result["actions_history"][:2]]
    assert made == [price(38500), price(38500.5)]
    assert isinstance(made[0]["price"], int)
    assert isinstance(made[1]["price"], float)


def test_s0_095_bad_replies_are_asked_for_again_and_then_the_turn_is_a_noop() -> None:
    model = Script("what?", price(1), "", "who?", price(39000))
    result = session({"b": model, "s": Script(NOOP)}).run_negotiation(
        game_type="company_car", players=["b", "s"], game_config={"max_rounds": 2}
    )
    assert [entry["actions"]["b"] for entry in result["actions_history"]] == [NOOP, price(39000)]
    assert result["actions_history"][0]["actions"]["s"] == NOOP
    assert len(model.prompts) == 5
    assert len(result["session_metadata"]["faults"]) == 4
    assert "from 10000 to 100000" in model.prompts[2]


def test_s0_095_a_good_reply_in_time_counts() -> None:
    model = Script("what?", price(1), "", price(39000))
    result = session({"b": model, "s": Script(NOOP)}).run_negotiation(
        game_type="company_car", players=["b", "s"], game_config={"max_rounds": 2}
    )
    assert result["actions_history"][0]["actions"]["b"] == price(39000)


@pytest.mark.parametrize(("retries", "asked"), [(0, 1), (1, 2), (5, 6)])
def test_s0_095_how_often_is_set_by_max_turn_retries(retries: int, asked: int) -> None:
    model = Script("what?")
    manager = session({"b": model, "s": Script(NOOP)}, max_turn_retries=retries)
    manager.run_negotiation(
        game_type="company_car", players=["b", "s"], game_config={"max_rounds": 1}
    )
    assert len(model.prompts) == asked


def test_of_several_objects_the_last_top_level_one_with_a_type_counts() -> None:
    assert read('{"type": "offer", "price": 2} hm, {"type": "offer", "price": 3}')["price"] == 3
    assert read('{"type": "offer", "price": 5, "detail": {"type": "offer", "price": 9}}') == {
        "type": "offer",
        "price": 5,
        "detail": {"type": "offer", "price": 9},
    }
    assert read(f'{JSON} and by the way {{"mood": "good"}}') == OFFER
    assert read('{"mood": "good"}') == {"mood": "good"}


def test_of_several_numbers_in_words_the_last_counts() -> None:
    assert read("Bid: 20000 ... on reflection, bid: 30000")["price"] == 30000


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-1", -1),
        ("3.350", 3.35),
        ("82_461_110", 82461110),
        ("1.000.000", None),
        ("12 apples", None),
        ("", None),
        ([1, 5000], None),
        ([1234, 500], None),
        ([], None),
        (["a"], None),
        (True, None),
        ({"a": 1}, None),
        (2.5, 2.5),
    ],
)
def test_numbers_keep_sign_and_point_and_are_never_guessed(text: Any, number: Any) -> None:
    assert as_number(text) == number


def test_a_number_without_end_is_not_read_out_of_a_text() -> None:
    with pytest.raises(ActionError):
        read("I offer 1.000.000")


def test_a_reply_that_is_neither_text_nor_action_is_a_fault() -> None:
    result = play([7], [NOOP], max_rounds=1)
    assert "int, which is neither text nor action" in result["session_metadata"]["faults"][0]
