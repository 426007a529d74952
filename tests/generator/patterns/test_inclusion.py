"""What one pattern finds, another one finds as well, or does not; no answer is a guess."""

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright.patterns.inclusion import includes

from ...support.hypothesis_profiles import examples

IGNORED = int(re.IGNORECASE)
LETTERS = "ab\n"
TEXTS = ["".join(letters) for size in range(7) for letters in product(LETTERS, repeat=size)]
ATOMS = ["a", "b", ".", "[ab]", "[^a]", r"\n", r"\w", r"\W", "^", "$", r"\b", r"\A", r"\Z", ""]
REPEATS = ["?", "*", "+", "{2}", "{1,2}", "{0,3}", "*?", "{2,}"]


def tell(wide: str, narrow: str, flags: int = 0) -> bool | None:
    """Return whether one pattern finds what the other one does; None where that is open."""
    try:
        return includes([(wide, flags)], [(narrow, flags)])
    except LookupError:
        return None


@pytest.mark.parametrize(
    ("wide", "narrow", "found"),
    [
        ("a", "ba", True),
        ("ba", "a", False),
        ("x$", "x\n?$", False),
        ("x\n?$", "x$", True),
        (r"x\Z", "x$", False),
        ("(?m)^x$", "^x$", True),
        ("^x$", "(?m)^x$", False),
        (r"\bfoo\b", "foo", False),
        (r"\bfoo", r"(^|\s)foo", True),
        ("(?s).+", r"\s", True),
        (".", r"\s", False),
        ("[0-9]", r"\d", False),
        (r"\d", "[0-9]", True),
        ("[a-z]", "(?i:k)", False),
        (r"(?a:\w)", r"\w", False),
        (r"\bx", r"(?a:\b)x", False),
        ("[^é]", "x|y", True),
        ("x[^ü]", "x.", False),
        ("foo", "foo(?=/)(?!/x)", True),
        ("foo", r"(?P<x>f)oo\B", True),
        ("^.{1,200}$", "^.+$", False),
        ("^.{1,3000}$", "^.+$", None),
        ("(a|b)*a(a|b){18}c", "(a|b)*a(a|b){18}cd", None),
        ("((((){2000}){2000}){2000}){2000}", "a", None),
        ("foo(?=/)", "foo/", None),
        (r"(\w)/\1", r"\w/\w", None),
        ("[à-ÿ]", "é", None),
    ],
)
def test_one_finds_what_the_other_does(wide: str, narrow: str, found: object) -> None:
    """Anchors, classes and repeats count exactly; what cannot be told is left open."""
    assert tell(wide, narrow) == found


def test_case_is_ignored_as_python_does() -> None:
    assert tell("[A-Z]", "k", IGNORED)
    assert tell("\u212a", "k", IGNORED)
    assert not tell("K", "k")


def test_all_patterns_count() -> None:
    assert includes([("a", 0), ("b", 0)], [("ab", 0)])
    assert not includes([("a.*b|b.*a", 0)], [("a", 0), ("b", 0)])  # there may be a line between


def join(parts: list[str]) -> str:
    return f"(?:{'|'.join(parts)})"


PATTERNS = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(join),
        st.builds(lambda one, repeat: f"(?:{one}){repeat}", inner, st.sampled_from(REPEATS)),
    ),
    max_leaves=6,
)


@settings(max_examples=examples(1_000))
@given(wide=PATTERNS, narrow=PATTERNS, flags=st.sampled_from([0, int(re.MULTILINE)]))
def test_answers_hold_for_all_short_texts(wide: str, narrow: str, flags: int) -> None:
    wides, narrows = re.compile(wide, flags), re.compile(narrow, flags)
    missed = [text for text in TEXTS if narrows.search(text) and not wides.search(text)]
    assert not (tell(wide, narrow, flags) and missed)
