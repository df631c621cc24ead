import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import DomainError
from genius_py.formats.node import Node
from genius_py.formats.yaml_text import parse_yaml, yaml_of
from tests.formats.strategies import numbers, texts


def written(node: Node) -> object:
    match node.content:
        case dict(entries):
            return {key: written(entry) for key, entry in entries.items()}
        case list(items):
            return [written(item) for item in items]
        case text:
            return text


@given(st.dictionaries(texts, st.lists(texts)))
def test_every_text_comes_back_as_it_was_written(data: dict[str, list[str]]) -> None:
    assert written(parse_yaml(yaml_of(data))) == data


@given(st.lists(numbers))
def test_every_number_comes_back_with_all_its_digits(given_numbers: list[float]) -> None:
    node = parse_yaml(yaml_of({"numbers": given_numbers})).having("numbers")["numbers"]
    assert [item.number() for item in node.items()] == given_numbers


@given(st.text())
def test_a_description_of_many_lines_comes_back_as_it_was_written(text: str) -> None:
    for description in (text, f"{text}\n{text}", "one line\nanother\n"):
        node = parse_yaml(yaml_of({"description": description}))
        assert written(node) == {"description": description}


def test_a_node_knows_its_path_line_and_column() -> None:
    root = parse_yaml("a:\n  b: [x, 1]\n", "file.yaml")
    node = root.entries()["a"].entries()["b"].items()[1]
    assert (node.path, node.place, node.file) == ("a.b[1]", (2, 10), "file.yaml")
    assert str(node.error("odd.")) == "file.yaml:2:10: a.b[1]: odd."


def test_what_a_scalar_means_is_decided_by_the_reader() -> None:
    root = parse_yaml("[no, 2031-05-01, 1:30, 0x1F, ~, '7', 1e3, .5, +4]")
    items = root.items()
    assert [item.text() for item in items] == [
        "no", "2031-05-01", "1:30", "0x1F", "~", "7", "1e3", ".5", "+4",
    ]  # fmt: skip
    assert [item.number() for item in items[6:]] == [1000.0, 0.5, 4.0]
    for item in items[:6]:
        with pytest.raises(DomainError, match="expected a number, found"):
            item.number()


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: [1, 2", "2:1", "this is not YAML: while parsing a flow sequence"),
        ("a: 1\nb: 2\na: 3", "3:1", "the key 'a' is here twice"),
        ("a: !!python/object/apply:os.system [echo]", "1:4", "the tag .* is not read"),
        ("a: !!str 5", "1:4", "the tag .* is not read"),
        ("!x a: 1", "1:1", "is not read"),
        ("{!x a: 1}", "1:2", "the tag .* is not read"),
        ("? [1]\n: 2", "1:3", "expected a text as key"),
        ("a: 1\n---\nb: 1", "2:1", "expected one document"),
        ("a: *b", "1:4", "no finished anchor &b"),
        ("a: &a [*a]", "1:8", "no finished anchor &a"),
        ("a: b: c", "1:5", "mapping values are not allowed"),
        ("a:\n\tb: 1", "2:1", "here is a tab, and YAML is indented by blanks"),
        ("\u00e9:\r\n \tb: 1", "2:2", "here is a tab"),
        ("a: \x00", "1", "control characters are not allowed"),
        ("[" * 200 + "]" * 200, "1:102", "nested deeper than 100 levels"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, place: str, message: str) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        parse_yaml(text, "f.yaml")
    assert str(caught.value).startswith(f"f.yaml:{place}: ")


def test_an_empty_file_is_refused() -> None:
    for text in ("", "# only a comment\n"):
        with pytest.raises(
            DomainError, match=r"f\.yaml: expected a mapping, but the file is empty"
        ):
            parse_yaml(text, "f.yaml")


def test_aliases_repeat_what_has_an_anchor() -> None:
    root = parse_yaml("a: &x {n: 1}\nb: *x\n")
    assert root.entries()["b"].entries()["n"].number() == 1


def test_aliases_that_multiply_without_end_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for i in range(1, 12):
        lines.append(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]")
    with pytest.raises(DomainError, match="the aliases stand for more than 100000 values"):
        parse_yaml("\n".join(lines))
