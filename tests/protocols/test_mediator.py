import inspect

import pytest

from genius_py import registry
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import IntegerIssue
from genius_py.protocols.mediator import MediatorProtocol
from genius_py.session import Seat, Session

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
MEDIATED = ("simple_mediator", "mediator_feedback")


def session(faithful: bool = False) -> Session:
    deadline = Deadline(rounds=5)
    return Session(SALE, deadline, Timeline(deadline, lambda: 0.0), faithful=faithful)


def seats(*ids: str) -> list[Seat]:
    """Those whose id begins with m are mediators."""
    return [Seat(i, is_mediator=i.startswith("m")) for i in ids]


def test_it_is_abstract_and_not_registered() -> None:
    assert inspect.isabstract(MediatorProtocol)
    assert not any(cls is MediatorProtocol for cls in registry.names("protocol").values())


@pytest.mark.parametrize("name", MEDIATED)
def test_each_protocol_with_a_mediator_names_one_that_is_registered(name: str) -> None:
    rules = registry.find("protocol", name)
    assert rules.needs_mediator
    assert registry.find("party", rules.default_mediator).is_mediator


@pytest.mark.parametrize("faithful", [False, True])
@pytest.mark.parametrize("name", MEDIATED)
def test_without_a_mediator_nothing_is_begun(name: str, faithful: bool) -> None:
    rules = registry.make("protocol", name)
    with pytest.raises(OptionError, match="needs a mediator"):
        rules.before_session(session(faithful), seats("ann", "bob"))


@pytest.mark.parametrize("name", MEDIATED)
def test_a_second_mediator_is_one_too_many(name: str) -> None:
    rules = registry.make("protocol", name)
    with pytest.raises(OptionError, match="one mediator, not 2: m1, m2"):
        rules.before_session(session(), seats("m1", "ann", "m2", "bob"))


@pytest.mark.parametrize("name", MEDIATED)
def test_faithful_takes_a_second_mediator_for_one_of_the_others(name: str) -> None:
    rules, table = registry.make("protocol", name), seats("m1", "ann", "m2")
    first, ann, second = table
    rules.before_session(session(faithful=True), table)
    assert rules.get_action_listeners(table) == {
        first: (ann, second),
        ann: (first,),
        second: (first,),
    }


@pytest.mark.parametrize("name", MEDIATED)
def test_everybody_hears_the_mediator_who_alone_hears_everybody(name: str) -> None:
    rules, table = registry.make("protocol", name), seats("ann", "m", "bob")
    ann, mediator, bob = table
    rules.before_session(session(), table)
    assert rules.get_action_listeners(table) == {
        mediator: (ann, bob),
        ann: (mediator,),
        bob: (mediator,),
    }
