"""What a text and a prompt are compared by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_retrieval.terms import list_grams, list_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Builds failing", ["build", "fail"]),
        ("NODE_OPTIONS", ["node_option", "node", "option"]),
        ("c++ and .net", ["c++", "c", "net"]),
        ("docs.gitlab.com", ["docs.gitlab.com", "docs", "gitlab", "com"]),
        ("the --no-cache flag", ["no-cache", "cache", "flag"]),
        ("die Größe", ["die", "grösse"]),
        ("how do I", []),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    """Words lose case, ending and stop words; names with signs in them also have their parts."""
    assert list_words(text) == words
    assert list_words(text.upper()) == list_words(text.lower())


def test_grams() -> None:
    assert list_grams("Cache is") == ["_cac", "cach", "ache", "che_"]
    assert list_grams("k8") == ["_k8_"]


@given(st.text())
def test_any_text_has_terms(text: str) -> None:
    for term in list_words(text) + list_grams(text):
        assert term
        assert not any(character.isspace() for character in term)
