"""Documentation and queries are tokenised identically."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_documentation.index.words import list_trigrams, list_words, match_any, prepare


def test_query_is_split_into_words() -> None:
    for query, words in [
        ("Sorting sorted lists", ["sorting", "sorted", "lists"]),
        ("str.split", ["str.split", "str", "split"]),
        ("readLines", ["readlines", "read", "lines"]),
        ("parseHTMLPage", ["parsehtmlpage", "parse", "html", "page"]),
        ("MAX_SIZE", ["max_size", "max", "size"]),
        ("c++", ["c"]),
        ("how to do it", []),
        ('"* NEAR( \\', ["near"]),
        ("", []),
        ("x" * 1_000, []),
        ("\uff26ull \ufb01le", ["full", "file"]),
        ("软件包的", ["软件 件包 包的", "软件", "件包", "包的"]),
        ("使用python吗", ["使用", "python", "吗"]),
        ("依", ["依"]),
        ("ﾃﾞｰﾀ", ["デー ータ", "デー", "ータ"]),
    ]:
        assert list_words(query) == words


@pytest.mark.parametrize(
    ("text", "prepared"),
    [
        ("see [sorted](https://docs.example/functions#sorted).", "see [sorted]."),
        ("see [it](page(1).html) and (this)", "see [it] and (this)"),
        ("a[0](b c)", "a[0](b c)"),
        ("call readLines()", "call readlines read lines()"),
        ("x" * 100, " "),
        ("\ud800", "?"),
    ],
)
def test_text_is_split_for_the_index(text: str, prepared: str) -> None:
    assert prepare(text) == prepared


@given(st.text() | st.sampled_from(['"', "NEAR(a b)", "a*", "^a", "text: a", "a AND", "- a", "\0"]))
def test_words_are_not_query_syntax(query: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        statement = "SELECT * FROM words WHERE words MATCH ?"
        match = match_any(list_words(query) or ["a"])
        assert connection.execute(statement, (match,)).fetchall() == []


def test_trigrams_include_word_boundaries() -> None:
    assert list_trigrams("cat") == ["0ca", "cat", "at0"]
