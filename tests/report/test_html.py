import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue
from genius_py.manager import run
from genius_py.report.html import render_report, write_report
from genius_py.scenario import Scenario
from genius_py.utility import TableUtilitySpace
from tests.report.talking import NASTY


class Page(HTMLParser):
    """What stands in the elements of a page, and all addresses that it names."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.content: dict[str, list[str]] = {}
        self.addresses: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self._open.append("data" if named.get("id") == "data" else tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        if self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self.content.setdefault(self._open[-1] if self._open else "", []).append(data)


def data_in(text: str) -> Any:
    return json.loads("".join(Page(text).content["data"]))


@pytest.fixture(scope="module")
def text(results_file: Path) -> str:
    return render_report(results_file)


def test_the_page_asks_nobody_for_anything(text: str) -> None:
    assert all(address.startswith(("#", "data:")) for address in Page(text).addresses)
    assert "default-src 'none'" in text
    # The name of SVG is no address that anybody asks.
    shown = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|url\(|fetch\(|XMLHttpRequest|import\(", shown)


def test_whatever_is_said_comes_out_as_it_went_in_and_ends_no_element(results_file: Path) -> None:
    text = render_report(results_file)
    assert text.count("</script>") == 2
    assert '<script>alert("x")' not in text
    messages = {
        step[8] for replay in data_in(text)["replays"] for step in replay["steps"] if len(step) > 8
    }
    assert messages == {NASTY}


def test_the_file_is_utf_8_even_with_half_a_surrogate_pair(
    results_file: Path, tmp_path: Path
) -> None:
    write_report(results_file, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "好吗" in text
    messages = {step[-1] for replay in data_in(text)["replays"] for step in replay["steps"]}
    assert NASTY in messages


def test_a_title_is_text_and_no_markup(tmp_path: Path) -> None:
    outcome = run("SAOP", "flour_supply", deadline=2)
    text = render_report(outcome, title="<b>Mine</b> & yours <!--script-->")
    assert "<title>&lt;b&gt;Mine&lt;/b&gt; &amp; yours &lt;!--script--&gt;</title>" in text
    assert data_in(text)["title"] == "<b>Mine</b> & yours <!--script-->"


def test_the_same_sessions_give_the_same_page(results_file: Path, text: str) -> None:
    assert render_report(results_file) == text


def test_numbers_are_json_and_short(text: str) -> None:
    data = "".join(Page(text).content["data"])
    assert "NaN" not in data
    assert "Infinity" not in data
    assert not re.search(r"\d\.\d{6}", data)


def test_a_reservation_value_that_is_no_number_is_null() -> None:
    domain = Domain("coin", [DiscreteIssue("side", ["heads", "tails"])])
    profile = TableUtilitySpace(domain=domain, table=(0.0, 1.0), reservation_value=float("-inf"))
    outcome = run("SAOP", Scenario(domain, {"a": profile, "b": profile}), deadline=2)
    assert data_in(render_report(outcome))["spaces"][0]["reservation"] == [None, None]


def test_a_page_stays_small_enough_to_be_mailed(text: str) -> None:
    bare = len(text) - len("".join(Page(text).content["data"]))
    assert bare < 85_000
    assert len(text) < 500_000


def test_without_sessions_there_is_no_page(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no session"):
        write_report([], tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()
