"""XML as a tree of elements that know where they stand, and as text.

A file is parsed strictly first, by a parser that refuses entities and external references. Many
files that Genius reads are not well-formed; those are read a second time, by its rules (spec: a
tag runs from ``<name`` to ``>``, what precedes the root is skipped, what follows it is ignored),
with a warning that says what is odd. Turn `GeniusWarning` into an error to be strict.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

import attrs

from genius_py.errors import DomainError, GeniusError, GeniusWarning
from genius_py.formats.files import read_bytes

__all__ = ["MAX_BYTES", "Element", "NoElement", "Output", "add", "read_xml", "xml_of"]

Output: TypeAlias = ElementTree.Element

MAX_BYTES = 16 * 2**20
MAX_ELEMENTS = 250_000
MAX_DEPTH = 64
"""Limits of what is read. The largest stock files have 200 kB, 3000 elements and 7 levels."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(?=[fFdD]?$)", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,300}", re.ASCII)

_NAME = r"[^\s<>/='\"!?&][^\s<>/='\"]*+"
_VALUE = r"\"[^\"]*+\"|'[^']*+'|(?:[^\s>/\"']|/(?!>))(?:[^\s>/]|/(?!>))*+"
# Possessive throughout: a hostile file must not make the expression try a tag twice.
_OPENING = re.compile(rf"<({_NAME})((?:\s*+{_NAME}\s*+=\s*+(?:{_VALUE}))*+)\s*+(/?)>")
_ATTRIBUTE = re.compile(rf"({_NAME})\s*+=\s*+({_VALUE})")
_CLOSING = re.compile(rf"</\s*+({_NAME})\s*+>")
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
# XML 1.0 has no way to write these, not even as a character reference.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENCODING = re.compile(
    rb"encoding\s*=\s*[\"']((?i:iso-8859-\d+|windows-125\d|cp125\d|utf-16|big5|euc-jp|euc-kr"
    rb"|gb18030|gb2312|gbk|shift_jis))[\"']"
)
_BYTE_ORDER_MARKS = {b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32"}
_BYTE_ORDER_MARKS |= {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class NoElement(DomainError):
    """A file has no tag at all, so it is not XML, whatever its name says."""


@attrs.frozen(eq=False)
class Element:
    """A tag with its attributes and the elements inside it; text between tags is not kept."""

    tag: str
    attributes: Mapping[str, str]
    file: str
    line: int
    column: int
    children: list[Element] = attrs.field(factory=list, repr=False)

    def all(self, tag: str) -> list[Element]:
        """The elements of a name directly inside this one, in order."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """The first element of a name directly inside this one."""
        return next((child for child in self.children if child.tag == tag), None)

    def required(self, tag: str) -> Element:
        """The first element of a name directly inside this one, or an error that misses it."""
        child = self.first(tag)
        if child is None:
            raise self.error(f"<{self.tag}> needs a <{tag}> inside it.")
        return child

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()

    def text(self, name: str) -> str:
        """The attribute of a name, which must be there."""
        try:
            return self.attributes[name]
        except KeyError:
            raise self.error(f'<{self.tag}> needs an attribute {name}="...".') from None

    def number(self, name: str, default: float | None = None) -> float:
        """A finite number, in Java's notation; without `default` it must be there."""
        if default is not None and name not in self.attributes:
            return default
        match = _NUMBER.match(self.text(name).strip())
        number = float(match[0]) if match else float("inf")
        if abs(number) == float("inf"):
            raise self._expected(name, "a number such as 0.25")
        return number

    def whole(self, name: str) -> int:
        """A whole number, which must be there."""
        match = _WHOLE.fullmatch(self.text(name).strip())
        if match is None:
            raise self._expected(name, "a whole number")
        return int(match[0])

    def error(self, message: str) -> DomainError:
        """The error that names this element's place."""
        return DomainError(message, file=self.file, line=self.line, column=self.column)

    def warn(self, message: str) -> None:
        """Say what is odd about this element, which is used nevertheless."""
        _warn(f"{self.file}:{self.line}:{self.column}: {message}")

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Errors of the values that are made inside are told as errors of this place."""
        try:
            yield
        except DomainError as error:
            raise error if error.file else self.error(error.message) from error
        except GeniusError as error:
            raise self.error(str(error)) from error

    def _expected(self, name: str, what: str) -> DomainError:
        return self.error(f"<{self.tag} {name}={self.attributes[name]!r}>: expected {what}.")


def read_xml(path: Path | str) -> Element:
    """The root element of a file.

    Raises:
        NoElement: the file has no tag at all.
        DomainError: it cannot be read, declares an entity, refers to another file, is too large
            or too deep, or is so broken that Genius could not read it either.
    """
    file = str(path)
    data = read_bytes(Path(path), MAX_BYTES)
    # It brings an HTTP client along, 50 ms that a session without XML need not wait for.
    import defusedxml.sax
    from defusedxml import DefusedXmlException, EntitiesForbidden

    builder = _Builder(file)
    try:
        defusedxml.sax.parseString(data, builder)
    except SAXParseException as error:
        place = error.getLineNumber() or 1, error.getColumnNumber() or 0
        return _read_leniently(data, file, error.getMessage(), *place)
    except EntitiesForbidden as error:
        raise DomainError(
            f"declares the entity {error.name!r}; entities are refused, write the text itself.",
            file=file,
        ) from error
    except DefusedXmlException as error:
        raise DomainError(
            "refers to a DTD or entity in another file, which is never fetched; remove the "
            "reference.",
            file=file,
        ) from error
    except DomainError:
        raise
    except (LookupError, ValueError):  # the parser's, for some names of encodings
        return _read_leniently(data, file, "an encoding that the parser does not know")
    return builder.root()


def add(parent: Output, tag: str, **attributes: str | float) -> Output:
    """A new element at the end of another. Numbers are written with all their digits.

    Raises:
        DomainError: an attribute holds a character that XML forbids, or no finite number.
    """
    texts = {name: _attribute(value) for name, value in attributes.items()}
    return ElementTree.SubElement(parent, tag, texts)


def xml_of(root: Output) -> str:
    """The text of a file with this root."""
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _attribute(value: str | float) -> str:
    if not isinstance(value, str):
        if not math.isfinite(value):
            raise DomainError(f"Genius's XML cannot hold the number {value}.")
        # Not as they come: numpy's numbers have another repr.
        return repr(int(value) if hasattr(value, "__index__") else float(value))
    if found := _FORBIDDEN.search(value):
        raise DomainError(f"XML cannot hold the character {found[0]!r} of {value!r}; remove it.")
    return value


class _Builder(ContentHandler):
    """Makes the tree from opening and closing tags, within the limits."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self._place: Locator | None = None
        self._open: list[Element] = []
        self._root: Element | None = None
        self._count = 0

    def root(self) -> Element:
        """The finished tree."""
        if self._root is None:
            raise NoElement("has no XML element in it.", file=self.file)
        return self._root

    @property
    def innermost(self) -> Element | None:
        """The element that is open."""
        return self._open[-1] if self._open else None

    def open(self, tag: str, attributes: Mapping[str, str], line: int, column: int) -> None:
        """Begin an element."""
        element = Element(tag, attributes, self.file, line, column)
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise element.error(f"there are more than {MAX_ELEMENTS} elements in this file.")
        if len(self._open) >= MAX_DEPTH:
            raise element.error(f"elements are nested more than {MAX_DEPTH} levels deep.")
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def close(self) -> None:
        """End the element that is open."""
        self._open.pop()

    def setDocumentLocator(self, locator: Locator) -> None:
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        assert self._place is not None
        line, column = self._place.getLineNumber() or 1, self._place.getColumnNumber() or 0
        self.open(name, dict(attrs.items()), line, column + 1)

    def endElement(self, name: str) -> None:
        self.close()


def _read_leniently(
    data: bytes, file: str, complaint: str, line: int = 1, column: int = 0
) -> Element:
    odd: dict[str, int] = {}  # what is odd, and the first line where it is
    text = _decoded(data, odd)
    scanner = _Scanner(text, _Builder(file), odd)
    root = scanner.root()
    if not odd:
        odd[complaint] = line
    oddities = "; ".join(f"{what} (line {where})" for what, where in odd.items())
    _warn(f"{file}:{line}:{column + 1}: not well-formed XML, read as Genius reads it: {oddities}.")
    return root


def _decoded(data: bytes, odd: dict[str, int]) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    declared = _ENCODING.search(data, 0, 200)
    encodings = ["cp1252"]
    if declared:
        encodings.insert(0, declared[1].decode("ascii"))
    else:
        marks = [name for mark, name in _BYTE_ORDER_MARKS.items() if data.startswith(mark)]
        encodings = [*marks, *encodings]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        if encoding == "cp1252":
            odd["bytes that are not UTF-8, taken for Windows-1252"] = line
        return text
    odd["bytes that are not UTF-8, taken for ISO-8859-1"] = line
    return data.decode("latin-1")  # which knows every byte


class _Scanner:
    """Finds the tags of a text from left to right; each character is looked at once."""

    def __init__(self, text: str, builder: _Builder, odd: dict[str, int]) -> None:
        self._text = text
        self._builder = builder
        self._odd = odd
        self._at = 0
        self._line = 1
        self._line_start = 0

    def root(self) -> Element:
        """The tree of the first element and what is in it."""
        text, builder = self._text, self._builder
        self._skip_prolog()
        while True:
            if text.startswith("</", self._at):
                self._close()
            elif text.startswith("<!--", self._at):
                self._skip_past("-->", "comment")
            elif text.startswith("<![CDATA[", self._at):
                self._skip_past("]]>", "CDATA section")
            elif text.startswith("<?", self._at):
                self._skip_past("?>", "processing instruction")
            else:
                self._open()
            if builder.innermost is None:
                break
            self._go_to_next("<")
        if text[self._at :].strip():
            self._note("text after the end of the root element")
        return builder.root()

    def _skip_prolog(self) -> None:
        text = self._text
        if text[:1].isspace() and text.lstrip().startswith("<?xml"):
            self._note("blanks before the XML declaration")
        self._go_to_next("<", before="the first tag")
        begin = self._at
        while text.startswith(("<?", "<!"), self._at):
            if text.startswith("<?xml", self._at) and self._at > begin:
                self._note("a comment before the XML declaration")
            if text.startswith("<!--", self._at):
                self._skip_past("-->", "comment")
            elif text.startswith("<?", self._at):
                self._skip_past(">", "XML declaration")
            else:
                self._skip_declaration()
            self._go_to_next("<", before="the first tag")

    def _skip_declaration(self) -> None:
        """Past a <!DOCTYPE ...>, which may have others inside it."""
        depth = 0
        while True:
            self._move(self._at + 1)
            depth += 1 if self._text[self._at - 1] == "<" else -1
            if depth == 0:
                return
            found = re.compile("[<>]").search(self._text, self._at)
            if found is None:
                raise self._error("a <!...> declaration never ends.")
            if self._text.startswith("<!ENTITY", found.start()):
                raise self._error("entities are refused, write the text itself.")
            self._move(found.start())

    def _open(self) -> None:
        match = _OPENING.match(self._text, self._at)
        if match is None:
            name = re.compile(rf"<({_NAME})").match(self._text, self._at)
            raise self._error(
                f'expected attributes of the form name="value" up to the end of the tag '
                f"<{name[1]}>."
                if name
                else "expected the name of a tag after '<'."
            )
        tag, attributes, is_empty = match.groups()
        self._builder.open(tag, self._attributes(attributes), self._line, self._column)
        if is_empty:
            self._builder.close()
        self._move(match.end())

    def _attributes(self, text: str) -> dict[str, str]:
        attributes = {}
        for name, value in _ATTRIBUTE.findall(text):
            if name in attributes:
                self._note(f"an attribute {name!r} given twice, the last one counts")
            if value[0] in "\"'":
                value = value[1:-1]
            else:
                self._note("an attribute value without quotes")
            if "<" in value:
                self._note("'<' in an attribute value")
            if "&" in _REFERENCE.sub("", value):
                self._note("'&' that begins no entity")
            attributes[name] = _REFERENCE.sub(_referred, re.sub(r"[\t\r\n]", " ", value))
        return attributes

    def _close(self) -> None:
        match = _CLOSING.match(self._text, self._at)
        innermost = self._builder.innermost
        assert innermost is not None
        if match is None or match[1] != innermost.tag:
            found = match[0] if match else "</"
            raise self._error(
                f"{found} where </{innermost.tag}> is expected, which was opened in line "
                f"{innermost.line}."
            )
        self._builder.close()
        self._move(match.end())

    def _go_to_next(self, mark: str, before: str = "") -> None:
        """Move to a mark; non-blank text on the way is odd when it is before the root."""
        place = self._text.find(mark, self._at)
        if place < 0:
            innermost = self._builder.innermost
            if innermost is None:
                self._builder.root()  # which has none, and says so
            else:
                self._move(len(self._text))
                raise self._error(
                    f"the file ends where </{innermost.tag}> is expected, which was opened in "
                    f"line {innermost.line}."
                )
        if before and self._text[self._at : place].strip():
            self._note(f"text before {before}")
        self._move(place)

    def _skip_past(self, mark: str, what: str) -> None:
        place = self._text.find(mark, self._at)
        if place < 0:
            raise self._error(f"a {what} never ends; expected {mark!r}.")
        self._move(place + len(mark))

    def _move(self, place: int) -> None:
        lines = self._text.count("\n", self._at, place)
        if lines:
            self._line += lines
            self._line_start = self._text.rindex("\n", self._at, place) + 1
        self._at = place

    @property
    def _column(self) -> int:
        return self._at - self._line_start + 1

    def _note(self, what: str) -> None:
        self._odd.setdefault(what, self._line)

    def _error(self, message: str) -> DomainError:
        return DomainError(message, file=self._builder.file, line=self._line, column=self._column)


def _referred(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return _ENTITIES[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]


def _warn(message: str) -> None:
    warnings.warn(GeniusWarning(message), stacklevel=2)
