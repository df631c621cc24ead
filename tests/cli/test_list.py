"""`genius-py list`."""

from collections.abc import Callable

import pytest
from click.testing import Result

from genius_py import formats, registry

Genius = Callable[..., Result]


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("protocols", list(registry.names("protocol"))),
        ("domains", list(formats.bundled_names())),
    ],
)
def test_every_name_has_a_line_with_a_description(
    genius: Genius, kind: str, names: list[str]
) -> None:
    _, *lines = genius("list", kind).stdout.splitlines()
    assert [line.split()[0] for line in lines] == names
    assert all(line.rstrip().endswith((".", ")", ":")) for line in lines), lines


def test_other_names_are_shown(genius: Genius) -> None:
    (line,) = (
        line
        for line in genius("list", "protocols").stdout.splitlines()
        if line.startswith("alternating_offers ")
    )
    assert "SAOP, StackedAlternatingOffersProtocol" in line


def groups(genius: Genius) -> dict[str, list[str]]:
    """The names of the parties under each heading."""
    found = {}
    for group in genius("list", "parties").stdout.split("\n\n"):
        heading, columns, *rows = group.strip().splitlines()
        assert columns.startswith("name ")
        assert all(row.endswith((".", ")", ":")) for row in rows), rows
        found[heading] = [row.split()[0] for row in rows]
    return found


def test_mediators_are_marked_among_the_parties(genius: Genius) -> None:
    mediators = [name for name, cls in registry.names("party").items() if cls.is_mediator]
    assert mediators
    assert groups(genius)["Mediators, for --mediator:"] == mediators


def test_parties_are_listed_by_what_they_play(genius: Genius) -> None:
    listed, registered = groups(genius), registry.names("party")
    assert sorted(name for names in listed.values() for name in names) == list(registered)
    assert {"boulware", "llm", "person"} <= {*next(iter(listed.values()))}
    assert "constant" in listed["Made for normal_form:"]
    last = [*listed.values()][-1]
    assert last == [name for name in registered if name.startswith("genius-")]


@pytest.mark.parametrize("kind", ["metrics", "models"])
def test_what_there_is_none_of_is_said_on_stderr(genius: Genius, kind: str) -> None:
    result = genius("list", kind)
    assert result.exit_code == 0
    assert result.stdout or result.stderr == f"There are no {kind} yet.\n"


def test_an_unknown_kind_names_the_known_ones(genius: Genius) -> None:
    result = genius("list", "bots")
    assert result.exit_code == 2
    assert "'bots' is no kind; what comes first is one of protocols, parties," in result.stderr


@pytest.mark.parametrize(("kind", "listed"), [("party", "parties"), ("Domain", "domains")])
def test_one_and_many_mean_the_same(genius: Genius, kind: str, listed: str) -> None:
    assert genius("list", kind).stdout == genius("list", listed).stdout
    assert (
        genius("show", "parties", "boulware").stdout == genius("show", "party", "boulware").stdout
    )
