"""Texts are split into stems, and names of code into their parts."""

import pytest

from hookwright_documentation.index.terms import list_terms, remove_targets


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Sorting sorted lists", ["sort", "sort", "list"]),
        ("str.split", ["str.split", "str", "split"]),
        ("readLines", ["readlin", "read", "line"]),
        ("parseHTMLPage", ["parsehtmlpag", "pars", "html", "page"]),
        ("MAX_SIZE", ["max_siz", "max", "size"]),
        ("c++", ["c++", "c"]),
        ("how to do it", []),
        ('"* NEAR( \\', ["near"]),
        ("", []),
        ("x" * 1_000, []),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    """A name counts as a whole and by its parts; stop words and data do not count."""
    assert list_terms(text) == terms


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("see [sorted](https://docs.example/functions#sorted).", "see [sorted]."),
        ("see [it](page(1).html) and (this)", "see [it] and (this)"),
        ("a[0](b c)", "a[0](b c)"),
    ],
)
def test_addresses_do_not_count(text: str, plain: str) -> None:
    assert remove_targets(text) == plain
