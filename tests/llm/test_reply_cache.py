"""Replies in a file."""

import sqlite3
from pathlib import Path

import pytest

from genius_py.errors import OptionError
from genius_py.llm.reply_cache import ReplyCache
from genius_py.llm.request import Completion

HELLO = Completion("hello\nthere \N{SNOWMAN}", 12, 3, True)


def test_what_is_put_in_comes_out_also_after_closing(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "deep" / "replies.sqlite")
    cache.put({"a": HELLO, "b": Completion("", 1, 400, False)})
    cache.close()
    again = ReplyCache(tmp_path / "deep" / "replies.sqlite")
    assert again.get(["b", "a", "c"]) == {"a": HELLO, "b": Completion("", 1, 400, False)}
    assert len(again) == 2
    again.close()


def test_the_first_reply_stays(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite")
    cache.put({"a": HELLO})
    cache.put({"a": Completion("another")})
    assert cache.get(["a"]) == {"a": HELLO}
    cache.close()


def test_more_keys_than_sqlite_takes_at_once(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite")
    keys = [str(number) for number in range(1203)]
    cache.put(dict.fromkeys(keys, HELLO))
    assert len(cache.get(keys)) == 1203
    assert cache.get([]) == {}
    cache.close()


def test_two_may_write_to_one_file(tmp_path: Path) -> None:
    one, other = ReplyCache(tmp_path / "it"), ReplyCache(tmp_path / "it")
    one.put({"a": HELLO})
    other.put({"b": HELLO})
    assert one.get(["a", "b"]) == other.get(["a", "b"]) == {"a": HELLO, "b": HELLO}
    one.close()
    other.close()


def test_it_remembers_what_a_models_name_stood_for(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "it")
    assert cache.identity("smollm2") is None
    cache.note_identity("smollm2", "weights 1")
    cache.note_identity("smollm2", "weights 2")
    assert cache.identity("smollm2") == "weights 2"
    cache.close()


def test_a_file_of_another_kind_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database, and long enough to be looked at" * 50, encoding="utf-8")
    with pytest.raises(OptionError, match="cannot hold replies") as caught:
        ReplyCache(file)
    assert isinstance(caught.value.__cause__, sqlite3.Error)
