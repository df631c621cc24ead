"""The form of a reply: schema and reading come from what the turn allows, and agree."""

from __future__ import annotations

import contextlib
import json
import math
import random
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.action import Accept, Action, EndNegotiation, Offer, Reject, Vote
from genius_py.allowed import Allowed, BidOf, Constraint, Number, OneOf, Text
from genius_py.domain import Domain
from genius_py.errors import ActionError, OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.llm.plain_backends import random_reply
from genius_py.llm.reply_field import TextField
from genius_py.llm.reply_form import ReplyForm, form_of

CAR = Domain(
    "car",
    [
        IntegerIssue("price", 10_000, 100_000),
        DiscreteIssue("colour", ["red", "Blue", "IT"]),
        RealIssue("interest", 0.5, 2.5),
    ],
)
BID = CAR.bid(price=40_000, colour="red", interest=1.25)
OTHER = CAR.bid(price=50_000, colour="Blue", interest=2.0)
OPENING = Allowed({Offer: {"bid": BidOf(CAR)}, EndNegotiation: {}})
ANSWER = Allowed({Accept: {"bid": OneOf([BID])}, Offer: {"bid": BidOf(CAR)}})


@attrs.frozen
class Deliver(Action):
    """Hand something over."""

    what: str
    pieces: int
    vote: Vote
    weight: float = 1.0


def read(form: ReplyForm, reply: object) -> Action:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return form.move_of(form.read(text), "ann")


def offer(**bid: object) -> dict[str, Any]:
    values = {"price": 40_000, "colour": "red", "interest": 1.25} | bid
    return {"move": {"action": "Offer", "bid": values}}


def test_what_is_allowed_is_what_can_be_written() -> None:
    schema = json.loads(form_of(ANSWER).schema)
    accept, propose = schema["properties"]["move"]["anyOf"]
    # The bid on the table is the only one that can be accepted: nobody has to repeat it.
    assert accept["properties"] == {"action": {"const": "Accept"}}
    assert propose["properties"]["bid"]["properties"] == {
        "price": {"type": "integer", "minimum": 10_000, "maximum": 100_000},
        "colour": {"enum": ["red", "Blue", "IT"]},
        "interest": {"type": "number", "minimum": 0.5, "maximum": 2.5, "multipleOf": 0.001},
    }
    assert propose["additionalProperties"] is False


def test_nothing_can_be_accepted_when_nothing_is_on_the_table() -> None:
    assert "Accept" not in form_of(OPENING).schema
    empty = Allowed({Accept: {"bid": OneOf([])}, EndNegotiation: {}})
    assert [move.name for move in form_of(empty).moves] == ["EndNegotiation"]


def test_a_turn_in_which_nothing_can_be_done_is_an_error() -> None:
    with pytest.raises(OptionError, match="no such action can be made"):
        form_of(Allowed({Accept: {"bid": OneOf([])}}))


def test_an_offer_is_read() -> None:
    assert read(form_of(OPENING), offer()) == Offer("ann", BID)


def test_an_acceptance_means_the_bid_on_the_table() -> None:
    assert read(form_of(ANSWER), {"move": {"action": "Accept"}}) == Accept("ann", BID)


@pytest.mark.parametrize(
    "reply",
    [
        {"action": "Offer", "bid": {"price": 40_000, "colour": "red", "interest": 1.25}},
        {"action": "Offer", "price": 40_000, "colour": "red", "interest": 1.25},
        {"move": "Offer", "bid": {"price": 40_000, "colour": "red", "interest": 1.25}},
        offer(price="40000"),
        offer(price="40,000"),
        offer(price=40_000.0),
        offer(colour="RED"),
        offer(colour=" red "),
        offer(comment="a fair price"),
        {"move": {"action": "offer", "bid": {"Price": 40000, "COLOUR": "red", "interest": "1.25"}}},
    ],
)
def test_the_same_offer_may_be_written_in_many_ways(reply: object) -> None:
    assert read(form_of(OPENING), reply) == Offer("ann", BID)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (offer(price=9_999), "a whole number from 10000 to 100000"),  # C130: never clipped
        (offer(price=-40_000), "a whole number from 10000 to 100000"),  # C86
        (offer(price=40_000.5), "whole number"),
        (offer(price="1.000.000"), "whole number"),  # C124
        (offer(price="<price>"), "whole number"),
        (offer(price=math.nan), "whole number"),
        (offer(interest=math.inf), "a number from 0.5 to 2.5"),
        (offer(colour="green"), 'one of "red", "Blue", "IT"'),  # C90: never snapped
        ({"move": {"action": "Offer", "bid": {"price": 40_000}}}, "no value|without a value"),
        ({"move": {"action": "Offer"}}, "without a value for price, colour, interest"),
        ({"move": {"action": "Offer", "bid": 40_000}}, "must be an object"),
        (offer(price=10**400), "whole number"),
        (offer(price="9" * 5000), "whole number"),
        ('{"move": {"action": "Offer", "bid": {"price": ' + "9" * 5000 + "}}}", "no whole JSON"),
        ({"move": {"action": "Accept"}}, "possible now: Offer, EndNegotiation"),
        ({"move": {"action": "another_offer"}}, "gave the action 'another_offer'"),  # C88
        ({"move": {"action": None}}, "gave the action None"),
        ({"move": {"bid": {}}}, "no whole JSON object"),
        ({"move": 7}, "no whole JSON object"),
    ],
)
def test_what_cannot_be_done_is_refused_and_never_mended(reply: object, said: str) -> None:
    with pytest.raises(ActionError, match=said):
        read(form_of(OPENING), reply)


@pytest.mark.parametrize(
    "reply",
    [
        {"move": {"action": "Accept", "bid": {"price": 38_000}}},
        {"move": {"action": "Accept", "bid": {"price": 40_000, "colour": "Blue"}}},
        {"move": {"action": "Accept", "price": "38,000"}},
        {"action": "Accept", "Price": 38_000},
        {"action": "Accept", "bid": {"price": "a little less"}},
    ],
)
def test_to_accept_and_name_another_bid_is_ambiguous(reply: object) -> None:
    with pytest.raises(ActionError, match="said Accept with another bid than the only one"):
        read(form_of(ANSWER), reply)  # C89


@pytest.mark.parametrize(
    "more",
    [
        {"bid": {"price": "40,000", "Colour": "RED", "interest": 1.2500000001}},
        {"price": 40_000},
        {"bid": "the offer on the table"},
        {"bid": str(BID)},
        {"comment": "I accept your offer."},
    ],
)
def test_to_accept_and_name_the_same_bid_is_to_accept(more: dict[str, Any]) -> None:
    reply = {"move": {"action": "Accept", **more}}
    assert read(form_of(ANSWER), reply) == Accept("ann", BID)  # C89


def test_a_single_number_on_the_table_may_be_named_without_its_issue() -> None:
    price = Domain("price", [IntegerIssue("price", 0, 99)])
    form = form_of(Allowed({Accept: {"bid": OneOf([price.bid(price=40)])}}))
    assert read(form, {"action": "Accept", "bid": "40"}) == Accept("ann", price.bid(price=40))
    with pytest.raises(ActionError, match="another bid"):
        read(form, {"action": "Accept", "bid": 38})


def test_what_a_class_checks_itself_is_a_refusal_too() -> None:
    @attrs.frozen
    class Pay(Action):
        """Pay an even sum."""

        amount: int

        def __attrs_post_init__(self) -> None:
            if self.amount % 2:
                raise ValueError("the sum is odd")

    form = form_of(Allowed({Pay: {"amount": Number(0, 9, integer=True)}}))
    assert read(form, {"action": "Pay", "amount": 4}) == Pay("ann", 4)
    with pytest.raises(ActionError, match="gave an impossible Pay: the sum is odd"):
        read(form, {"action": "Pay", "amount": 3})


def test_of_what_is_settled_nothing_else_can_be_said() -> None:
    form = form_of(Allowed({Deliver: {"what": OneOf(["a car"]), "pieces": Number(1, 9, True)}}))
    reply = {"action": "Deliver", "pieces": 3, "vote": "ACCEPT"}
    assert read(form, {**reply, "what": "A car"}) == Deliver("ann", "a car", 3, Vote.ACCEPT)
    with pytest.raises(ActionError, match="with another what"):
        read(form, {**reply, "what": "a boat"})


def test_several_bids_on_the_table_are_told_by_their_text() -> None:
    form = form_of(Allowed({Accept: {"bid": OneOf([BID, OTHER])}, Reject: {"bid": OneOf([BID])}}))
    assert json.loads(form.schema)["properties"]["move"]["anyOf"][0]["properties"]["bid"] == {
        "enum": [str(BID), str(OTHER)]
    }
    chosen = {"move": {"action": "Accept", "bid": str(OTHER)}}
    assert read(form, chosen) == Accept("ann", OTHER)


def test_fields_of_every_kind_are_asked_for_and_read() -> None:
    rules: dict[str, Constraint] = {"what": Text(40), "pieces": Number(1, 9, integer=True)}
    form = form_of(Allowed({Deliver: rules}))
    properties = json.loads(form.schema)["properties"]["move"]["properties"]
    assert properties == {
        "action": {"const": "Deliver"},
        "what": {"type": "string", "maxLength": 40},
        "pieces": {"type": "integer", "minimum": 1, "maximum": 9},
        "vote": {"enum": ["ACCEPT", "REJECT"]},
    }
    reply = {"what": "a car", "pieces": "3", "vote": "accept"}
    # With one action possible its name may be left out.
    assert read(form, reply) == Deliver("ann", "a car", 3, Vote.ACCEPT)
    with pytest.raises(ActionError, match="without its pieces"):
        read(form, {"what": "a car", "vote": "ACCEPT"})


class Even:
    """A rule of somebody's own."""

    text: ClassVar[str] = "an even number"

    def allows(self, value: object) -> bool:
        return isinstance(value, int) and value % 2 == 0

    def __str__(self) -> str:
        return self.text


def test_a_rule_of_an_unknown_kind_is_tried() -> None:
    form = form_of(Allowed({Deliver: {"what": Text(4), "pieces": Even()}}))
    reply = {"action": "Deliver", "what": "a", "pieces": 4, "vote": "ACCEPT"}
    assert read(form, reply) == Deliver("ann", "a", 4, Vote.ACCEPT)
    with pytest.raises(ActionError, match="an even number"):
        read(form, {**reply, "pieces": 3})


def test_values_that_would_read_alike_are_numbered() -> None:
    form = form_of(Allowed({Deliver: {"what": OneOf(["1", 1]), "pieces": OneOf([1, 2])}}))
    properties = json.loads(form.schema)["properties"]["move"]["properties"]
    assert properties["what"] == {"enum": ["1", "1 (2)"]}
    assert properties["pieces"] == {"enum": ["1", "2"]}
    reply = {"what": "1 (2)", "pieces": 2, "vote": "REJECT"}
    assert read(form, reply) == Deliver("ann", 1, 2, Vote.REJECT)  # type: ignore[arg-type]


def test_issues_whose_names_read_alike_are_told_apart_by_their_exact_names() -> None:
    domain = Domain("odd", [IntegerIssue("a b", 0, 9), IntegerIssue("ab", 0, 9)])
    form = form_of(Allowed({Offer: {"bid": BidOf(domain)}}))
    assert read(form, {"bid": {"a b": 1, "ab": 2}}) == Offer("ann", domain.bid({"a b": 1, "ab": 2}))
    with pytest.raises(ActionError, match="without a value for a b, ab"):
        read(form, {"bid": {"A-B": 1, "a_b": 2}})


def test_a_reply_holds_thoughts_before_and_words_after_the_move() -> None:
    form = form_of(
        OPENING,
        before={"reasoning": TextField(80, "the reasoning")},
        after={"message": TextField(60, "the message")},
    )
    assert list(json.loads(form.schema)["properties"]) == ["reasoning", "move", "message"]


def test_a_form_without_moves_is_recognised_by_its_fields() -> None:
    form = ReplyForm((), after={"message": TextField(60, "the message")})
    assert form.read('{"mood": "good"} {"message": "hello"}') == {"message": "hello"}
    with pytest.raises(ActionError):
        form.read('{"mood": "good"}')


@st.composite
def domains(draw: st.DrawFn) -> Domain:
    names = draw(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=4, unique=True))
    return Domain("drawn", [draw(issues(name)) for name in names])


@st.composite
def issues(draw: st.DrawFn, name: str) -> DiscreteIssue | IntegerIssue | RealIssue | TextIssue:
    match draw(st.sampled_from(["discrete", "integer", "real", "text"])):
        case "discrete":
            values = st.text(min_size=1, max_size=5)
            return DiscreteIssue(
                name, draw(st.lists(values, min_size=1, max_size=5, unique_by=str.strip))
            )
        case "integer":
            low = draw(st.integers(-(10**12), 10**12))
            return IntegerIssue(name, low, low + draw(st.integers(0, 10**6)))
        case "real":
            low_ = draw(st.floats(-1e9, 1e9))
            return RealIssue(name, low_, low_ + draw(st.floats(0, 1e9)))
    return TextIssue(name, draw(st.integers(1, 30)))


@given(domains(), st.randoms(use_true_random=False))
def test_whatever_the_schema_admits_is_read_as_an_action_that_is_allowed(
    domain: Domain, rng: random.Random
) -> None:
    allowed = Allowed({Offer: {"bid": BidOf(domain)}, EndNegotiation: {}})
    form = form_of(allowed)
    text = json.dumps(random_reply(json.loads(form.schema), rng))
    assert len(text) <= form.longest + 8 * len(domain.issues)  # blanks, which models do not write
    assert allowed.complaint(read(form, text)) == ""


KEYS = st.sampled_from(
    ["move", "action", "bid", "price", "Colour", "interest", "message", "vote", ""]
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from(
        ["Offer", "accept", "EndNegotiation", "red", "40000", "1,5", "\ud83d", "<price>"]
    ),
    st.text(max_size=5),
)
REPLIES = st.recursive(
    SCALARS, lambda parts: st.lists(parts, max_size=3) | st.dictionaries(KEYS, parts, max_size=5)
)


@given(REPLIES, st.sampled_from([OPENING, ANSWER]))
def test_whatever_is_written_is_an_action_that_is_allowed_or_is_refused(
    reply: object, allowed: Allowed
) -> None:
    try:
        action = read(form_of(allowed), json.dumps(reply))
    except ActionError:
        return
    assert allowed.complaint(action) == ""


@given(st.text(st.sampled_from('{}[]":,\\ movebidprice0123<think></>\n'), max_size=60))
def test_no_text_is_too_much(text: str) -> None:
    form = form_of(ANSWER)
    with contextlib.suppress(ActionError):
        form.move_of(form.read(text), "ann")
