"""The checker finds all regular expressions that grow too fast, and no others."""

import re

import pytest

from .regex_growth import Used, find_growth

ANYWHERE, BEGINNING = frozenset({"search"}), frozenset({"match"})


@pytest.mark.long
@pytest.mark.parametrize(
    ("pattern", "methods"),
    [
        (r"(?:a+)+b", BEGINNING),
        (r"\s+$", ANYWHERE),
        (r"\be5\b(?!.*instruct)", ANYWHERE),
    ],
)
def test_growth_is_found(pattern: str, methods: frozenset[str]) -> None:
    assert " ms for " in find_growth(Used("here", re.compile(pattern), methods))


@pytest.mark.parametrize(
    ("pattern", "methods"),
    [
        (r"#[^\S\n].*\Z", BEGINNING),
        (r"[a-z]+@", BEGINNING),
        (r"(?<![a-z])[a-z]+@", ANYWHERE),
        (r"<!--.{0,100}?-->", ANYWHERE),
        (r"(?:[ab]|c)*d|e{3,}", BEGINNING),
        (r"", ANYWHERE),
    ],
)
def test_linear_pattern_is_not_reported(pattern: str, methods: frozenset[str]) -> None:
    assert find_growth(Used("here", re.compile(pattern), methods)) == ""
