import pickle
import time
from pathlib import Path

import numpy as np
import pytest

from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats import xml_text
from genius_py.formats.xml_text import MAX_BYTES, Element, NoElement, Output, add, read_xml, xml_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.xml"


def written(file: Path, content: str | bytes) -> Path:
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def items(root: Element) -> list[str]:
    return [element.attributes["value"] for element in root.all("item")]


WELL_FORMED = [
    ('<a><item value="x &amp; y &#8364; &lt;&gt;&quot;"/></a>', 'x & y € <>"'),
    ('<a><!-- about x --><item value="x > y"/></a>', "x > y"),
    ("<a>text <item value='it is \"x\"'/> more text</a>", 'it is "x"'),
    ('<?xml version="1.0" encoding="ISO-8859-1"?><a><item value="x"/></a><!-- end -->', "x"),
    ('\N{BYTE ORDER MARK}<!DOCTYPE a><a>\n<item\tvalue\n=\n"x\ty"/></a>', "x y"),
    ("<a><![CDATA[<item/>]]><item value='x'></item></a>", "x"),
]


@pytest.mark.parametrize(("content", "value"), WELL_FORMED)
def test_well_formed_xml_is_read_without_a_warning(file: Path, content: str, value: str) -> None:
    assert items(read_xml(written(file, content))) == [value]


@pytest.mark.parametrize(("content", "value"), WELL_FORMED)
def test_what_is_well_formed_is_read_alike_in_a_file_that_is_not(
    file: Path, content: str, value: str
) -> None:
    broken = content.replace("</a>", "<item value=x /></a>")
    with pytest.warns(GeniusWarning, match="without quotes"):
        assert items(read_xml(written(file, broken))) == [value, "x"]


@pytest.mark.parametrize(
    ("content", "value", "oddity"),
    [
        # C01 of the known faults: the declaration after a blank line and a comment.
        (
            '\n<!-- one -->\n<?xml version="1.0"?>\n<a><item value="x"/></a>',
            "x",
            r":3:1: .* comment before the XML declaration \(line 3\)",
        ),
        ('  <?xml version="1.0"?><a><item value="x"/></a>', "x", "blanks before the XML declar"),
        # C04: an ampersand that nobody escaped.
        ('<a>\n<item value="Coffee & Thee"/></a>', "Coffee & Thee", r":2:22: .*'&' that begins no"),
        ('<a><item value="a &eacute; b"/></a>', "a &eacute; b", "'&' that begins no entity"),
        ('<a><item value="&#0;&#xD800;"/></a>', "&#0;&#xD800;", "line 1"),
        ('<a><item value="< 5"/></a>', "< 5", "'<' in an attribute value"),
        ("<a><item value=x/y index=1/></a>", "x/y", "without quotes"),
        ('<a><item value="x" value="y"/></a>', "y", "'value' given twice"),
        ('<a><item value="x"index="1"/></a>', "x", "line 1"),
        ('So it is:\n<a><item value="x"/></a>', "x", r"text before the first tag \(line 1\)"),
        ('<a><item value="x"/></a>\nand so on', "x", "text after the end of the root"),
        ("<!DOCTYPE a [<!ELEMENT a ANY>]>\n<a><item value=x /></a>", "x", "without quotes"),
        ('<a><!-- a -- b --><item value="x"/></a>', "x", "line 1"),
        ('<a>R & D<item value="x"/></a>', "x", "line 1"),
        ("<a><?php echo?><![CDATA[&]]><item value=x></item ></a>", "x", "without quotes"),
    ],
)
def test_a_file_that_is_not_well_formed_is_read_with_a_warning(
    file: Path, content: str, value: str, oddity: str
) -> None:
    with pytest.warns(GeniusWarning, match=oddity) as caught:
        assert items(read_xml(written(file, content))) == [value]
    assert len(caught) == 1
    assert str(caught[0].message).startswith(f"{file}:")


# C03: an euro sign of Windows in a file that declares no encoding.
def test_bytes_that_are_not_utf_8_are_taken_for_windows_1252(file: Path) -> None:
    content = b'<a>\n<item value="\x8010,000"/></a>'
    with pytest.warns(GeniusWarning, match=r"not UTF-8, taken for Windows-1252 \(line 2\)"):
        assert items(read_xml(written(file, content))) == ["€10,000"]


@pytest.mark.parametrize("encoding", ["iso-8859-9", "utf-16"])
def test_a_declared_encoding_is_used_in_a_file_that_is_not_well_formed(
    file: Path, encoding: str
) -> None:
    content = f'<?xml version="1.0" encoding="{encoding}"?><a><item value="Şiş & ğ"/></a>'
    with pytest.warns(GeniusWarning, match="'&' that begins no entity"):
        assert items(read_xml(written(file, content.encode(encoding)))) == ["Şiş & ğ"]


def test_bytes_of_no_encoding_are_still_read(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="taken for ISO-8859-1"):
        assert items(read_xml(written(file, b'<a><item value="\x81"/></a>'))) == ["\x81"]


def test_an_element_knows_where_it_stands_however_it_is_read(file: Path) -> None:
    content = '<a>\n  <b/>\n  <item value="x"/></a>'
    strict = read_xml(written(file, content))
    with pytest.warns(GeniusWarning):
        lenient = read_xml(written(file, content + "and so on"))
    for root in (strict, lenient):
        assert [(e.tag, e.line, e.column) for e in root.walk()] == [
            ("a", 1, 1),
            ("b", 2, 3),
            ("item", 3, 3),
        ]


BOMB = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (f"{BOMB}<a><item value='&y;'/></a>", "declares the entity 'x'"),
        (f"{BOMB}<a><item value=&y; /></a>", "declares the entity 'x'"),
        (f" <?xml version='1.0'?>{BOMB}<a><item value='&y;'/></a>", "entities are refused"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "the entity 'x'"),
        ('<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>', "another file, which is never"),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "a.dtd"> %x;]><a/>', "declares the entity 'x'"),
        ("<a>" * 65 + "</a>" * 65, "nested more than 64 levels"),
        ("<a><b></a></b>", "1:7: </a> where </b> is expected, which was opened in line 1"),
        ("<a>\n<b>", "2:4: the file ends where </b> is expected, which was opened in line 2"),
        ("<a><b c></a>", '1:4: expected attributes of the form name="value"'),
        ('<a><b c="d></a>', '1:4: expected attributes of the form name="value"'),
        ("<a><<b/></a>", "1:4: expected the name of a tag"),
        ("<a><b/></ ></a>", "</ where </a> is expected"),
        ("<a><!-- b</a>", "a comment never ends; expected '-->'"),
        ("<a><![CDATA[ b</a>", "a CDATA section never ends"),
        (" <!DOCTYPE a <a/>", "a <!...> declaration never ends"),
    ],
)
def test_a_file_is_refused_with_the_place_and_the_reason(
    file: Path, content: str, reason: str
) -> None:
    with pytest.raises(DomainError) as caught:
        read_xml(written(file, content))
    assert reason in str(caught.value)
    assert caught.value.file == str(file)


@pytest.mark.parametrize("content", ["", "\n0.75, 1.0\n0.85, 0.88\n", "<!-- only -->"])
def test_a_file_without_any_tag_is_told_apart(file: Path, content: str) -> None:
    with pytest.raises(NoElement, match="no XML element"):
        read_xml(written(file, content))


def test_a_missing_file_is_refused(file: Path) -> None:
    with pytest.raises(DomainError, match="No such file"):
        read_xml(file)


def test_a_file_of_100_mb_is_refused_before_it_is_read(file: Path) -> None:
    with file.open("wb") as stream:
        stream.truncate(100 * 2**20)
    with pytest.raises(DomainError, match="larger than 16 MB"):
        read_xml(file)


def test_a_file_with_too_many_elements_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml_text, "MAX_ELEMENTS", 10)
    assert len(read_xml(written(file, "<a>" + "<b/>" * 9 + "</a>")).children) == 9
    with pytest.raises(DomainError, match="more than 10 elements"):
        read_xml(written(file, "<a>" + "<b/>" * 10 + "</a>"))


@pytest.mark.parametrize(
    "piece",
    ["<a ", "<a b='", "<a b=c ", "&", "<!--", "<!", "<a b=/", "<a b='c' ", "<?xml?>", "<a\n"],
)
@pytest.mark.parametrize("begin", ["<a>", " "])
def test_hostile_text_takes_no_longer_than_its_length(file: Path, begin: str, piece: str) -> None:
    written(file, begin + piece * (MAX_BYTES // 32 // len(piece)))
    start = time.process_time()
    with pytest.raises(DomainError):
        read_xml(file)
    assert time.process_time() - start < 5  # seconds; a quadratic search takes many times that


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1.0), (" -0.5 ", -0.5), ("1e3", 1000.0), (".5", 0.5), ("5.", 5.0), ("+2.5f", 2.5)],
)
def test_numbers_are_read_in_the_notation_of_java(file: Path, text: str, number: float) -> None:
    assert read_xml(written(file, f'<a b="{text}"/>')).number("b") == number


@pytest.mark.parametrize("text", ["", "null", "0,5", "1_000", "NaN", "Infinity", "1e999", "0x1p3"])
def test_what_is_no_finite_number_is_refused_with_its_place(file: Path, text: str) -> None:
    element = read_xml(written(file, f'<a>\n<b c="{text}"/></a>')).children[0]
    with pytest.raises(DomainError, match=r":2:1: <b c='.*'>: expected a number such as 0.25"):
        element.number("c")


@pytest.mark.parametrize("text", ["", "1.0", "1_000", "one", "9" * 301])
def test_what_is_no_whole_number_is_refused(file: Path, text: str) -> None:
    root = read_xml(written(file, f'<a b="{text}"/>'))
    with pytest.raises(DomainError, match="expected a whole number"):
        root.whole("b")
    with pytest.raises(DomainError, match=r'<a> needs an attribute c="\.\.\."'):
        root.whole("c")


def test_an_error_keeps_its_place_between_processes(file: Path) -> None:
    error = read_xml(written(file, "<a/>")).error("is wrong.")
    assert str(pickle.loads(pickle.dumps(error))) == f"{file}:1:1: is wrong."


def test_errors_of_values_are_told_as_errors_of_the_place(file: Path) -> None:
    root = read_xml(written(file, "<a/>"))
    with pytest.raises(DomainError, match=":1:1: bounds are reversed"), root.blamed():
        raise DomainError("bounds are reversed")
    with pytest.raises(DomainError, match=r"^elsewhere: bounds"), root.blamed():
        raise DomainError("bounds are reversed", file="elsewhere")


def test_what_is_written_is_read_again(file: Path) -> None:
    values = ["x & y", "<a>", '"it\'s"', " x\n\ty ", "€ ğ 語 😀", ""]
    root = Output("a")
    for value in values:
        add(root, "item", value=value, number=0.1 + 0.2)
    read = read_xml(written(file, xml_of(root)))
    assert items(read) == values
    assert {element.number("number") for element in read.children} == {0.1 + 0.2}


def test_numbers_of_numpy_are_written_like_others(file: Path) -> None:
    root = Output("a")
    add(root, "b", real=np.float64(0.1), whole=np.int64(7))  # type: ignore[arg-type]
    element = read_xml(written(file, xml_of(root))).children[0]
    assert element.attributes == {"real": "0.1", "whole": "7"}


@pytest.mark.parametrize("value", ["\x00", "a\x0bb", "\ud800", "￿", float("nan"), float("inf")])
def test_what_xml_cannot_hold_is_refused(value: str | float) -> None:
    with pytest.raises(DomainError, match="cannot hold the"):
        add(Output("a"), "item", value=value)
