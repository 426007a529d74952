"""Texts and prompts are compared by terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_retrieval.terms import list_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Builds failing", ["build", "fail"]),
        ("NODE_OPTIONS", ["node_opt", "node", "option"]),
        ("c++ and .net", ["c++", "c", "net"]),
        ("docs.gitlab.com", ["docs.gitlab.com", "doc", "gitlab", "com"]),
        ("the --no-cache flag", ["no-cach", "cach", "flag"]),
        ("die Größe", ["die", "grösse"]),
        ("how do I", []),
        ("", []),
    ],
)
def test_words_are_lowercased_and_stemmed(text: str, words: list[str]) -> None:
    assert list_words(text) == words
    assert list_words(text.upper()) == list_words(text.lower())


@given(st.text())
def test_any_text_has_terms(text: str) -> None:
    for term in list_words(text):
        assert term
        assert not any(character.isspace() for character in term)
