"""The page in a real browser, as people use it: with a mouse, a keyboard, and on a phone."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from genius_py.manager import run
from genius_py.report.html import write_report
from tests.parties.scripted_model import offer, put_in_place
from tests.report.talking import NASTY

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Request
else:
    pytest.importorskip("playwright", reason="playwright, which drives a browser, is not installed")

CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
if CHROMIUM is None:
    pytest.skip("there is no Chromium here", allow_module_level=True)

Open: TypeAlias = Callable[..., "Page"]

DESKTOP, PHONE = (1280, 900), (390, 844)


@pytest.fixture(scope="module")
def address(results_file: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(results_file, path)
    return path.as_uri()


@pytest.fixture(scope="module")
def page() -> "Iterator[Page]":
    """The only page, for a new one takes longer than most tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # No sandbox: it needs rights that containers do not give.
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page(reduced_motion="reduce")
        browser.close()


@pytest.fixture
def visit(page: "Page", address: str) -> "Iterator[Open]":
    """Opens the report; whatever it complains of, or asks of a server, fails the test."""
    complaints: list[str] = []

    def on_console(message: "ConsoleMessage") -> None:
        complaints.append(message.text)

    def on_error(error: Exception) -> None:
        complaints.append(str(error))

    def on_request(request: "Request") -> None:
        if request.url.partition("#")[0] != address and not request.url.startswith("data:"):
            complaints.append(f"asked for {request.url}")

    def visit(place: str = "", size: tuple[int, int] = DESKTOP, scheme: str = "light") -> "Page":
        page.goto("about:blank")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.on("console", on_console)
        page.on("pageerror", on_error)
        page.on("request", on_request)
        page.goto(address + place)
        return page

    yield visit
    page.remove_listener("console", on_console)
    page.remove_listener("pageerror", on_error)
    page.remove_listener("request", on_request)
    assert complaints == []


def column(page: "Page", part: str, number: int) -> list[str]:
    """The cells of a table's column, from 1, as they are shown."""
    return page.locator(f"#{part} tbody tr > :nth-child({number})").all_inner_texts()


def test_the_leaderboard_sorts_by_numbers_and_says_so(visit: Open) -> None:
    page = visit()
    head = page.locator("#leaderboard th", has_text="Mean utility")
    assert head.get_attribute("aria-sort") == "descending"
    falling = column(page, "leaderboard", 2)
    assert falling == sorted(falling, key=float, reverse=True)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(page, "leaderboard", 2) == falling[::-1]
    page.get_by_role("button", name="Party").first.click()
    names = [name.strip() for name in column(page, "leaderboard", 1)]
    assert names == sorted(names)


def test_numbers_are_sorted_by_value_where_their_text_would_sort_otherwise(visit: Open) -> None:
    page = visit()
    page.locator("#sessions th", has_text="Rounds").get_by_role("button").click()
    rounds = [int(text) for text in column(page, "sessions", 9)]
    assert rounds == sorted(rounds, reverse=True)


def test_the_domain_holds_for_every_part(visit: Open) -> None:
    page = visit()
    before = column(page, "leaderboard", 2)
    page.get_by_label("Domain").first.select_option("integrative_negotiations")
    assert column(page, "leaderboard", 2) != before
    assert set(column(page, "sessions", 2)) == {"integrative_negotiations"}
    assert page.locator("#outcomes-note").inner_text().endswith("open its session.")
    assert page.locator("#faults-table").is_hidden()


def test_a_cell_of_the_pairs_lists_their_sessions(visit: Open) -> None:
    page = visit()
    cell = page.get_by_role("button", name="boulware against conceder: ")
    assert "8 sessions; list them" in (cell.get_attribute("aria-label") or "")
    cell.click()
    listed = column(page, "sessions", 1)
    assert len(listed) == 8
    assert all("boulware" in who and "conceder" in who for who in listed)
    assert page.locator("#sessions-note").inner_text().startswith("8 sessions of 48.")


def test_a_measure_of_the_pairs_can_be_chosen(visit: Open) -> None:
    page = visit()
    page.get_by_label("Show").select_option("share of agreements")
    assert all(
        text.endswith("%") or text == "–" for text in page.locator(".heat td > *").all_inner_texts()
    )


def test_a_session_opens_and_is_stepped_through_with_the_mouse(visit: Open) -> None:
    page = visit()
    page.get_by_role("link", name="step through").first.click()
    page.locator("#session-title").wait_for()
    assert page.locator("#overview").is_hidden()
    count = page.locator("#step-count")
    assert count.inner_text().startswith("step 1 of ")
    page.get_by_role("button", name="Step on").click()
    page.get_by_role("button", name="Step on").click()
    assert count.inner_text().startswith("step 3 of ")
    assert page.locator(".step[aria-current]").count() == 1
    assert page.url.endswith("&step=3")
    page.get_by_role("button", name="Step back").click()
    page.locator(".step").nth(4).click()
    assert count.inner_text().startswith("step 5 of ")
    assert "On the table" in page.locator("#replay-bids").inner_text()


def test_a_session_is_stepped_through_with_the_keyboard_alone(visit: Open) -> None:
    page = visit("#session=0")
    count = page.locator("#step-count")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert count.inner_text().startswith("step 2 of ")
    page.keyboard.press("End")
    last = page.locator(".step").count()
    assert count.inner_text() == f"step {last} of {last}"
    assert page.get_by_role("button", name="Step on").is_disabled()
    page.keyboard.press("Home")
    assert count.inner_text() == f"step 1 of {last}"
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()
    page.keyboard.press("Escape")
    page.locator("#sessions").wait_for()
    assert page.locator("#session").is_hidden()


@pytest.mark.parametrize("size", [(1280, 900), (1400, 1000), (1366, 700)], ids=str)
def test_the_current_step_stays_in_sight(visit: Open, size: tuple[int, int]) -> None:
    page = visit("#session=0", size)
    steps = int(page.locator("#step-count").inner_text().split()[-1])
    assert steps > 8
    for key in [*["ArrowRight"] * (steps - 1), "Home", "End"]:
        page.keyboard.press(key)
        top, bottom, head, bar = page.evaluate(
            """() => {
                const at = (what) => document.querySelector(what).getBoundingClientRect();
                const step = at(".step[aria-current]");
                return [step.top, step.bottom, at("#transcript").top, at(".controls").top];
            }"""
        )
        assert head <= top < bottom <= bar
    assert page.evaluate("window.scrollY") == 0
    # Nor is it lost when the window becomes smaller.
    page.set_viewport_size({"width": size[0], "height": size[1] - 60})
    page.wait_for_function(
        """() => document.querySelector(".step[aria-current]").getBoundingClientRect().bottom
            <= document.querySelector(".controls").getBoundingClientRect().top"""
    )


def test_the_slider_steps_too(visit: Open) -> None:
    page = visit("#session=0")
    page.get_by_label("Step", exact=True).focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#step-count").inner_text().startswith("step 2 of ")


def test_an_address_leads_to_a_step_and_back_leads_to_where_one_was(visit: Open) -> None:
    page = visit("#session=3&step=4")
    assert page.locator("#step-count").inner_text().startswith("step 4 of ")
    page.get_by_role("link", name="next").click()
    page.locator("#step-count", has_text="step 1 of").wait_for()
    page.go_back()
    page.locator("#step-count", has_text="step 4 of").wait_for()


def test_an_address_that_leads_nowhere_shows_the_overview(visit: Open) -> None:
    page = visit("#session=999")
    page.locator("#leaderboard").wait_for()
    assert page.locator("#session").is_hidden()


def test_messages_are_shown_as_they_were_said(visit: Open) -> None:
    page = visit()
    page.locator("#sessions-choices select").first.select_option(
        label=page.locator("#sessions-choices option", has_text="Talker").first.inner_text()
    )
    page.get_by_role("link", name="step through").first.click()
    said = page.locator(".said").first.evaluate("node => node.textContent")
    assert said == NASTY


def test_a_fault_leads_to_its_session(visit: Open) -> None:
    page = visit()
    assert "raised ValueError: ran out of <words>" in column(page, "faults", 2)
    page.locator("#faults tbody a").first.click()
    page.locator("#session-title").wait_for()
    page.keyboard.press("End")
    assert "failed by a fault" in page.locator(".session-head").inner_text()
    assert page.locator(".aside.bad").inner_text().startswith("raised ValueError")


def test_an_agreement_in_the_outcome_space_opens_its_session(visit: Open) -> None:
    page = visit()
    page.locator("#outcomes-chart .hit").last.click()
    page.locator("#session-title").wait_for()
    assert "agreement" in page.locator(".session-head").inner_text()


def test_a_party_can_be_brought_out_and_a_curve_hidden(visit: Open) -> None:
    page = visit()
    lines = page.locator("#concessions-chart .line")
    assert lines.count() == 4
    page.locator("#concessions-legend").get_by_role("button", name="conceder").click()
    assert lines.count() == 3
    page.get_by_label("Bring out").select_option("conceder")
    assert "agreement of conceder" in page.locator("#outcomes-legend").inner_text()


@pytest.mark.parametrize("place", ["", "#session=0&step=9"], ids=["overview", "session"])
def test_nothing_makes_the_page_scroll_sideways(visit: Open, place: str) -> None:
    page = visit(place)
    page.wait_for_function("document.querySelector('.chart svg')")
    page.evaluate("""() => document.querySelectorAll("select").forEach((select) =>
        select.append(new Option("a domain of a name as long as random ones have, and longer")))""")
    for width in (320, PHONE[0], 768, DESKTOP[0]):
        page.set_viewport_size({"width": width, "height": 800})
        # The charts are drawn anew for it.
        page.wait_for_function(
            "width => document.querySelector('main:not([hidden]) .chart svg').clientWidth < width",
            arg=width,
        )
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_all_columns_of_the_leaderboard_have_room_on_a_desktop(visit: Open) -> None:
    table = visit("", (1400, 900)).locator("#leaderboard .scroll")
    assert table.locator("thead th").count() >= 14
    assert table.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_short_name_stays_in_one_line(visit: Open) -> None:
    name = visit().locator("#leaderboard .party", has_text="talker.py:Talker")
    assert name.evaluate(
        "node => node.clientHeight < 1.6 * parseFloat(getComputedStyle(node).lineHeight)"
    )


def test_sessions_whose_steps_were_kept_can_be_listed_alone(
    page: "Page", results_file: Path, tmp_path: Path
) -> None:
    write_report(results_file, tmp_path / "few.html", replays=3)
    page.goto((tmp_path / "few.html").as_uri())
    assert "3 can be stepped through" in page.locator("#sessions-note").inner_text()
    page.get_by_label("Steps").select_option("kept")
    assert page.get_by_role("link", name="step through").count() == 3
    assert page.locator("#sessions tbody tr").count() == 3


def test_a_long_name_goes_on_in_the_next_line_where_a_part_ends(visit: Open) -> None:
    page = visit("", PHONE)
    heads = page.locator("#pairs-map thead th", has_text="talker.py:Talker")
    assert heads.inner_html() == "talker.py:<wbr>Talker"


def test_on_a_phone_the_buttons_stay_in_reach_and_are_large_enough(visit: Open) -> None:
    page = visit("#session=0", PHONE)
    for name in ("First step", "Step back", "Play", "Step on", "Last step"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
        assert 0 <= box["x"] <= PHONE[0] - box["width"]
        assert box["y"] + box["height"] <= PHONE[1]


BRIGHTNESS = """name => {
    const [r, g, b] = getComputedStyle(document.body)[name].match(/[\\d.]+/g).map(Number);
    const linear = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_can_be_told_apart(visit: Open, scheme: str) -> None:
    page = visit(scheme=scheme)
    ground = page.evaluate(BRIGHTNESS, "backgroundColor")
    ink = page.evaluate(BRIGHTNESS, "color")
    assert (ground > ink) == (scheme == "light")
    # WCAG 2.2 asks for 4.5, and for 7 at its highest level.
    assert (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05) > 7


def test_colours_can_be_chosen(visit: Open) -> None:
    page = visit(scheme="light")
    button = page.locator("#theme")
    assert button.get_attribute("aria-label") == "Colours: as the system has them"
    button.click()
    button.click()
    assert button.get_attribute("aria-label") == "Colours: dark"
    assert page.evaluate(BRIGHTNESS, "backgroundColor") < 0.1
    page.reload()
    assert button.get_attribute("aria-label") == "Colours: dark"
    button.click()
    assert button.get_attribute("aria-label") == "Colours: as the system has them"


def test_every_choice_button_and_picture_has_a_name(visit: Open) -> None:
    for place in ("", "#session=0"):
        page = visit(place)
        page.wait_for_function("document.querySelector('.chart svg')")
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, a, select, input, [role]")]
                .filter((node) => node.checkVisibility())
                .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim()))
                .map((node) => node.outerHTML)"""
        )
        assert nameless == []


def test_the_overview_can_be_walked_through_by_the_tab_key(visit: Open) -> None:
    page = visit()
    visited = []
    for _ in range(12):
        page.keyboard.press("Tab")
        visited.append(page.evaluate("document.activeElement.textContent.trim()"))
    assert visited[0] == "Skip to the leaderboard"
    assert {"Leaderboard", "Sessions", "Party"} <= set(visited)


def test_a_page_of_a_single_session_opens_with_it(page: "Page", tmp_path: Path) -> None:
    outcome = run("SAOP", "flour_supply", parties=["boulware", "conceder"], deadline=5)
    write_report(outcome, tmp_path / "one.html")
    page.goto("about:blank")
    page.goto((tmp_path / "one.html").as_uri())
    assert page.locator("#session-title").inner_text() == "boulware – conceder"
    page.get_by_role("link", name="All sessions").click()
    page.locator("#leaderboard").wait_for()


def test_who_asks_a_language_model_has_what_came_of_it_on_the_leaderboard(
    page: "Page", address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.goto(address)
    assert "Fallback turns" not in page.locator("#leaderboard th").all_inner_texts()
    put_in_place(monkeypatch, ["no", "no", offer(36_000)])
    parties = ["llm:model=script", "boulware"]
    outcomes = [
        run("SAOP", "company_car", parties=parties, deadline=3, seed=seed) for seed in (1, 2)
    ]
    write_report(outcomes, tmp_path / "models.html")
    page.goto("about:blank")
    page.goto((tmp_path / "models.html").as_uri())
    shown = page.locator("#leaderboard tr").all_inner_texts()
    heads, *rows = [[cell.strip() for cell in line.split("\t")] for line in shown]
    told = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    asked = told["llm:model=script"]
    assert (asked["Fallback turns"], asked["Retries"], asked["Unaided sessions"]) == ("1", "1", "1")
    assert asked["Refused replies"] == "29 %"  # 2 of 7
    assert told["boulware"]["Fallback turns"] == "–"
    assert asked["Utility unaided"] == "0.400"
