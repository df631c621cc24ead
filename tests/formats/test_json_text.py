import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import DomainError
from genius_py.formats.json_text import parse_json
from genius_py.formats.node import Node

data = st.recursive(
    st.text() | st.floats(allow_nan=False, allow_infinity=False) | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


def decoded(node: Node) -> object:
    match node.content:
        case dict(entries):
            return {key: decoded(entry) for key, entry in entries.items()}
        case list(items):
            return [decoded(item) for item in items]
        case text if node.is_quoted:
            return text
        case _ if node.is_null:
            return None
        case text:
            return node.whole() if text.lstrip("-").isdecimal() else node.number()


@given(data, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_all_that_json_writes_is_read(
    value: object, indent: int | str | None, ensure_ascii: bool
) -> None:
    assert decoded(parse_json(json.dumps(value, indent=indent, ensure_ascii=ensure_ascii))) == value


def test_a_node_knows_its_path_line_and_column() -> None:
    root = parse_json('{"a":\n  {"b": ["x", 1]}}', "file.json")
    node = root.entries()["a"].entries()["b"].items()[1]
    assert (node.path, node.place, node.file) == ("a.b[1]", (2, 15), "file.json")
    assert root.entries()["a"].keys["b"] == (2, 4)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "expected a value, found the end of the file"),
        ('{"a": 1,\n "a": 2}', "2:2", "the key 'a' is here twice"),
        ('{"a" 1}', "1:6", "expected ':', found '1'"),
        ("{a: 1}", "1:2", "expected a text in double quotes, found 'a'"),
        ('{"a": 1 "b": 2}', "1:9", "expected ',' or '}', found '\"'"),
        ("[1, 2", "1:6", r"expected ',' or '\]', found the end of the file"),
        ("[1, ]", "1:5", r"expected a value, found '\]'"),
        ("[NaN]", "1:2", "expected a value, found 'N'"),
        ("[1] 2", "1:5", "expected the end of the file, found '2'"),
        ('["a\nb"]', "1:4", "invalid control character"),
        ('["a', "1:2", "unterminated string"),
        ("[" * 200 + "]" * 200, "1:102", "expected at most 100 levels"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, place: str, message: str) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        parse_json(text, "f.json")
    assert str(caught.value).startswith(f"f.json:{place}: ")
