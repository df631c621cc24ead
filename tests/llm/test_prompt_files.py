"""Prompts, styles and personas as files."""

from pathlib import Path

import pytest

from genius_py.errors import OptionError, UnknownName
from genius_py.llm import prompt_files
from genius_py.llm.prompt_files import bundled, fill, preset


def test_every_preset_has_a_text() -> None:
    styles, personas = bundled("styles"), bundled("personas")
    assert list(styles) == ["bare", "competitive", "cooperative", "principled", "tactical"]
    assert {"initiator", "provider", "rational_buyer", "rational_seller"} <= set(personas)
    assert all(text and "$" not in text for text in (*styles.values(), *personas.values()))


def test_placeholders_are_filled_and_blank_lines_left_out() -> None:
    assert fill("again", reason="said $5").startswith("That does not count: you said $5.")
    text = fill("talk", history="", time="Now.", party="ann", move="walks away", shape="{}")
    assert "\n\n" not in text
    assert text.splitlines()[:3] == [
        "# What has happened",
        "# Now",
        "Now. Your decision: ann walks away.",
    ]


def test_ones_own_file_is_a_preset_too(tmp_path: Path) -> None:
    own = tmp_path / "mine.md"
    own.write_text("Be kind.\n", encoding="utf-8")
    assert preset("styles", str(own)) == "Be kind."


def test_a_wrong_name_is_answered_with_the_right_one() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'tactical'"):
        preset("styles", "tacticle")
    with pytest.raises(UnknownName, match="There are: colluding_provider"):
        preset("personas", "zzz")
    with pytest.raises(OptionError, match="cannot be read"):
        preset("styles", "nowhere.md")


def test_every_prompt_of_the_folder_is_used() -> None:
    names = {file.name for file in prompt_files._FOLDER.iterdir() if file.name.endswith(".md")}
    assert names == {"again.md", "choose.md", "system.md", "talk.md", "turn.md"}
